package berth

import (
	"maps"

	fwk "k8s.io/kube-scheduler/framework"
)

const (
	cycleKey  fwk.StateKey = Name + "/cycle"
	scoresKey fwk.StateKey = Name + "/scores"
)

// cycle is what the plugin keeps while one pod is being placed.
type cycle struct {
	ranking *ranking
	// Names of the nodes to which kube-scheduler has added pods in this copy, or taken them off.
	changed map[string]struct{}
}

// Clone implements fwk.StateData: kube-scheduler tries changes out on clones.
func (c *cycle) Clone() fwk.StateData {
	return &cycle{ranking: c.ranking, changed: maps.Clone(c.changed)}
}

func readCycle(state fwk.CycleState) *cycle {
	data, err := state.Read(cycleKey)
	if err != nil {
		return nil
	}
	return data.(*cycle)
}
