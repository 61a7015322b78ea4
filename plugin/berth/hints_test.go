package berth

import (
	"context"
	"fmt"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
)

// event is what kube-scheduler tells a hint: its kind, and an object before and after.
type event struct {
	resource      fwk.EventResource
	action        fwk.ActionType
	before, after any
}

// wakes is what kube-scheduler does with an event and a pod that Berth refused: an event that is not
// registered, or that no hint wants, leaves the pod where it is.
func wakes(t *testing.T, plugin *Plugin, pod *v1.Pod, e event) bool {
	t.Helper()
	registered, err := plugin.EventsToRegister(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range registered {
		if r.Event.Resource != e.resource || r.Event.ActionType&e.action == 0 {
			continue
		}
		hint, err := r.QueueingHintFn(klog.Background(), pod, e.before, e.after)
		if err != nil {
			t.Fatal(err)
		}
		if hint == fwk.Queue {
			return true
		}
	}
	return false
}

func podUpdate(pod *v1.Pod, change func(*v1.Pod)) event {
	after := pod.DeepCopy()
	change(after)
	return event{fwk.Pod, fwk.Update, pod, after}
}

func nodeUpdate(node *v1.Node, action fwk.ActionType, change func(*v1.Node)) event {
	after := node.DeepCopy()
	change(after)
	return event{fwk.Node, action, node, after}
}

func annotated(node *v1.Node, key, value string) {
	node.Annotations = map[string]string{key: value}
}

func offering(name string, amount int64) func(*v1.Node) {
	return func(node *v1.Node) {
		node.Status.Allocatable[v1.ResourceName(name)] = *resource.NewQuantity(amount, resource.DecimalSI)
	}
}

func TestARefusedPodWakesForWhatCanHelpItAndForNothingElse(t *testing.T) {
	f := newFixture(t)
	f.rank(t, newFakeCluster("a")) // now the plugin knows which labels are read
	pod, gpus, plain := gpuPod("pending", 8), gpuNode("a", 4), gpuNode("cpu-only", 0)
	running := gpuPod("running", 1)
	running.Spec.NodeName = "a"

	for what, example := range map[string]struct {
		event event
		wakes bool
	}{
		"a pod with GPUs leaves":           {event{fwk.Pod, fwk.Delete, running, nil}, true},
		"an assumed pod with GPUs leaves":  {event{fwk.Pod, fwk.Delete, gpuPod("assumed", 1), nil}, true},
		"something unknown leaves":         {event{fwk.Pod, fwk.Delete, nil, nil}, true},
		"a pod without GPUs leaves":        {event{fwk.Pod, fwk.Delete, gpuPod("web", 0), nil}, false},
		"a pod with GPUs comes":            {event{fwk.Pod, fwk.Add, nil, running}, false},
		"another pod becomes ready":        {podUpdate(running, func(p *v1.Pod) { p.Status.Phase = v1.PodRunning }), false},
		"another pod is annotated":         {podUpdate(running, func(p *v1.Pod) { p.Annotations = map[string]string{"berth.dev/x": "1"} }), false},
		"it is annotated for Berth":        {podUpdate(pod, func(p *v1.Pod) { p.Annotations = map[string]string{"berth.dev/x": "1"} }), true},
		"it is annotated for others":       {podUpdate(pod, func(p *v1.Pod) { p.Annotations = map[string]string{"other/x": "1"} }), false},
		"its status changes":               {podUpdate(pod, func(p *v1.Pod) { p.Status.Conditions = []v1.PodCondition{{}} }), false},
		"it asks for less":                 {podUpdate(pod, func(p *v1.Pod) { *p = *gpuPod("pending", 1) }), true},
		"a node with GPUs comes":           {event{fwk.Node, fwk.Add, nil, gpus}, true},
		"a node without GPUs comes":        {event{fwk.Node, fwk.Add, nil, plain}, false},
		"a node goes":                      {event{fwk.Node, fwk.Delete, gpus, nil}, false},
		"a node has more GPUs":             {nodeUpdate(gpus, fwk.UpdateNodeAllocatable, offering("nvidia.com/gpu", 8)), true},
		"a node has its first shared GPUs": {nodeUpdate(plain, fwk.UpdateNodeAllocatable, offering("berth.dev/gpu-milli", 8000)), true},
		"a node has fewer GPUs":            {nodeUpdate(gpus, fwk.UpdateNodeAllocatable, offering("nvidia.com/gpu", 2)), false},
		"a node has more CPU":              {nodeUpdate(gpus, fwk.UpdateNodeAllocatable, offering("cpu", 64)), false},
		"a label that is read changes":     {nodeUpdate(gpus, fwk.UpdateNodeLabel, func(n *v1.Node) { n.Labels["model"] = "B" }), true},
		"a label that is read goes":        {nodeUpdate(gpus, fwk.UpdateNodeLabel, func(n *v1.Node) { delete(n.Labels, "model") }), true},
		"another label changes":            {nodeUpdate(gpus, fwk.UpdateNodeLabel, func(n *v1.Node) { n.Labels["other"] = "y" }), false},
		"a node without GPUs is relabelled": {
			nodeUpdate(plain, fwk.UpdateNodeLabel, func(n *v1.Node) { n.Labels["model"] = "B" }), false},
		"a node is annotated for Berth":  {nodeUpdate(gpus, fwk.UpdateNodeAnnotation, func(n *v1.Node) { annotated(n, "berth.dev/x", "1") }), true},
		"a node is annotated for others": {nodeUpdate(gpus, fwk.UpdateNodeAnnotation, func(n *v1.Node) { annotated(n, "other/x", "1") }), false},
		"a node's condition changes":     {nodeUpdate(gpus, fwk.UpdateNodeCondition, func(n *v1.Node) { n.Status.Conditions = []v1.NodeCondition{{}} }), false},
		"a node is uncordoned":           {nodeUpdate(gpus, fwk.UpdateNodeTaint, func(n *v1.Node) { n.Spec.Taints = nil }), false},
		"a volume comes":                 {event{fwk.PersistentVolume, fwk.Add, nil, nil}, false},
	} {
		if got := wakes(t, f.plugin, pod, example.event); got != example.wakes {
			t.Errorf("%s: wakes %v; want %v", what, got, example.wakes)
		}
	}
}

func TestABusyClusterWakesAPodOnceForTheOneGPUThatIsFreed(t *testing.T) {
	f, pod, woken := newFixture(t), gpuPod("pending", 1), 0
	count := func(e event) {
		if wakes(t, f.plugin, pod, e) {
			woken++
		}
	}
	for i := range 1000 {
		web := gpuPod(fmt.Sprint("web", i), 0)
		count(event{fwk.Pod, fwk.Add, nil, web})
		count(podUpdate(web, func(p *v1.Pod) { p.Status.Phase = v1.PodRunning }))
		count(event{fwk.Pod, fwk.Delete, web, nil})
	}
	if woken != 0 {
		t.Errorf("woken %d times in vain", woken)
	}
	count(event{fwk.Pod, fwk.Delete, gpuPod("training", 1), nil})
	if woken != 1 {
		t.Errorf("woken %d times; want once", woken)
	}
}
