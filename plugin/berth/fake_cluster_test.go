package berth

import (
	"fmt"
	"maps"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
)

// gpuPod is a pod that requests whole GPUs; none when gpus is 0.
func gpuPod(name string, gpus int64) *v1.Pod {
	requests := v1.ResourceList{v1.ResourceCPU: resource.MustParse("500m")}
	if gpus > 0 {
		requests["nvidia.com/gpu"] = *resource.NewQuantity(gpus, resource.DecimalSI)
	}
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name)},
		Spec:       v1.PodSpec{Containers: []v1.Container{{Resources: v1.ResourceRequirements{Requests: requests}}}},
	}
}

func gpuNode(name string, gpus int64) *v1.Node {
	allocatable := v1.ResourceList{v1.ResourceCPU: resource.MustParse("32"), v1.ResourceMemory: resource.MustParse("1Gi")}
	if gpus > 0 {
		allocatable["nvidia.com/gpu"] = *resource.NewQuantity(gpus, resource.DecimalSI)
	}
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"model": "A", "other": "x"}},
		Status:     v1.NodeStatus{Allocatable: allocatable},
	}
}

// fakeNode is a fwk.NodeInfo as far as the plugin reads one.
type fakeNode struct {
	fwk.NodeInfo
	node       *v1.Node
	pods       []fwk.PodInfo
	generation int64
}

func (n *fakeNode) Node() *v1.Node         { return n.node }
func (n *fakeNode) GetPods() []fwk.PodInfo { return n.pods }
func (n *fakeNode) GetGeneration() int64   { return n.generation }

// fakePod is a fwk.PodInfo as far as the plugin reads one.
type fakePod struct {
	fwk.PodInfo
	pod *v1.Pod
}

func (p *fakePod) GetPod() *v1.Pod { return p.pod }

func (p *fakePod) CalculateResource() fwk.PodResource {
	return fwk.PodResource{Resource: fakeResource{list: podRequests(p.pod)}}
}

type fakeResource struct {
	fwk.Resource
	list v1.ResourceList
}

func (r fakeResource) GetMilliCPU() int64         { return r.list.Cpu().MilliValue() }
func (r fakeResource) GetMemory() int64           { return r.list.Memory().Value() }
func (r fakeResource) GetEphemeralStorage() int64 { return r.list.StorageEphemeral().Value() }
func (r fakeResource) GetScalarResources() map[v1.ResourceName]int64 {
	scalars := map[v1.ResourceName]int64{}
	for name, quantity := range r.list {
		if name != v1.ResourceCPU && name != v1.ResourceMemory && name != v1.ResourceEphemeralStorage {
			scalars[name] = quantity.Value()
		}
	}
	return scalars
}

// fakeCluster is kube-scheduler's cache: nodes whose generations change with them.
type fakeCluster struct {
	nodes      []*fakeNode
	generation int64
}

func newFakeCluster(names ...string) *fakeCluster {
	c := &fakeCluster{}
	for _, name := range names {
		c.addNode(name)
	}
	return c
}

func (c *fakeCluster) addNode(name string) {
	c.generation++
	c.nodes = append(c.nodes, &fakeNode{node: gpuNode(name, 8), generation: c.generation})
}

func (c *fakeCluster) has(name string) bool {
	return slices.ContainsFunc(c.nodes, func(node *fakeNode) bool { return node.node.Name == name })
}

func (c *fakeCluster) removeNode(i int) { c.nodes = slices.Delete(c.nodes, i, i+1) }

func (c *fakeCluster) addPod(i int, pod *v1.Pod) {
	c.generation++
	node := c.nodes[i]
	// A copy, as kube-scheduler's snapshots do not change while they are read.
	c.nodes[i] = &fakeNode{node: node.node, pods: append(slices.Clone(node.pods), &fakePod{pod: pod}), generation: c.generation}
}

// addPodKeepingGeneration is what a pod group's cycle does.
func (c *fakeCluster) addPodKeepingGeneration(i int, pod *v1.Pod) {
	generation := c.nodes[i].generation
	c.addPod(i, pod)
	c.nodes[i].generation = generation
}

func (c *fakeCluster) removePod(i int, pod *v1.Pod) {
	c.generation++
	node := c.nodes[i]
	others := slices.DeleteFunc(slices.Clone(node.pods), func(info fwk.PodInfo) bool { return info.GetPod().UID == pod.UID })
	c.nodes[i] = &fakeNode{node: node.node, pods: others, generation: c.generation}
}

// copy may be changed for itself: nodes are replaced, never changed.
func (c *fakeCluster) copy() fakeCluster {
	return fakeCluster{nodes: slices.Clone(c.nodes), generation: c.generation}
}

func (c *fakeCluster) removePods(i int) {
	c.generation++
	c.nodes[i] = &fakeNode{node: c.nodes[i].node, generation: c.generation}
}

func (c *fakeCluster) snapshot() []fwk.NodeInfo {
	infos := make([]fwk.NodeInfo, len(c.nodes))
	for i, node := range c.nodes {
		infos[i] = node
	}
	return infos
}

// books are the UIDs of the pods by node.
func (c *fakeCluster) books() map[string][]string {
	books := map[string][]string{}
	for _, node := range c.nodes {
		uids := []string{}
		for _, pod := range node.pods {
			uids = append(uids, string(pod.GetPod().UID))
		}
		books[node.node.Name] = uids
	}
	return books
}

func nodeNames(count int) []string {
	names := make([]string, count)
	for i := range names {
		names[i] = fmt.Sprintf("node-%04d", i)
	}
	return names
}

// fakeState is a fwk.CycleState as far as the plugin uses one.
type fakeState struct {
	fwk.CycleState
	data map[fwk.StateKey]fwk.StateData
}

func newFakeState() *fakeState { return &fakeState{data: map[fwk.StateKey]fwk.StateData{}} }

func (s *fakeState) Read(key fwk.StateKey) (fwk.StateData, error) {
	if data, ok := s.data[key]; ok {
		return data, nil
	}
	return nil, fwk.ErrNotFound
}

func (s *fakeState) Write(key fwk.StateKey, data fwk.StateData) { s.data[key] = data }

func (s *fakeState) Clone() fwk.CycleState {
	clone := &fakeState{data: maps.Clone(s.data)}
	for key, data := range clone.data {
		clone.data[key] = data.Clone()
	}
	return clone
}
