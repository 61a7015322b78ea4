package berth

import (
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
)

const (
	cycleKey  fwk.StateKey = Name + "/cycle"
	scoresKey fwk.StateKey = Name + "/scores"
)

// cycle is what the plugin keeps while one pod is being placed.
type cycle struct {
	ranking *ranking
	// Nodes that kube-scheduler has changed in a copy since the ranking, by name.
	edits map[string]edit
}

// edit is how a copy of a node differs from the node that was ranked.
type edit struct {
	without []types.UID
	with    []fwk.PodInfo
}

func (e edit) empty() bool { return len(e.without) == 0 && len(e.with) == 0 }

// Clone implements fwk.StateData: kube-scheduler tries changes out on clones.
func (c *cycle) Clone() fwk.StateData {
	clone := &cycle{ranking: c.ranking, edits: make(map[string]edit, len(c.edits))}
	for node, e := range c.edits {
		clone.edits[node] = edit{slices.Clone(e.without), slices.Clone(e.with)}
	}
	return clone
}

// addPod notes that the copy has a pod more. One that was taken off before is back.
func (c *cycle) addPod(node string, pod fwk.PodInfo) {
	e := c.edits[node]
	uid := pod.GetPod().UID
	if i := slices.Index(e.without, uid); i >= 0 {
		e.without = slices.Delete(e.without, i, i+1)
	} else {
		e.with = append(e.with, pod)
	}
	c.edits[node] = e
}

// removePod notes that the copy has a pod less. One that was added before was never there.
func (c *cycle) removePod(node string, pod *v1.Pod) {
	e := c.edits[node]
	same := func(other fwk.PodInfo) bool { return other.GetPod().UID == pod.UID }
	if i := slices.IndexFunc(e.with, same); i >= 0 {
		e.with = slices.Delete(e.with, i, i+1)
	} else {
		e.without = append(e.without, pod.UID)
	}
	c.edits[node] = e
}

func readCycle(state fwk.CycleState) *cycle {
	data, err := state.Read(cycleKey)
	if err != nil {
		return nil
	}
	return data.(*cycle)
}
