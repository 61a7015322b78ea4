package berth

import (
	"maps"
	"testing"

	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/plugin/berthv1"
)

// The order is c, a, b; d is refused for now and e for good; f is not mentioned.
func exampleRanking() *ranking {
	var table nodeTable
	var snapshot []fwk.NodeInfo
	for i, name := range []string{"a", "b", "c", "d", "e", "f"} {
		snapshot = append(snapshot, newFakeNode(name, int64(i)))
	}
	table.confirm(table.walk(snapshot))
	return newRanking(&berthv1.Ranking{
		Order:    []uint32{2, 0, 1},
		Feasible: 3,
		Refused: []*berthv1.Refusal{
			{Reason: "not now", Nodes: []uint32{3}},
			{Reason: "never", Never: true, Nodes: []uint32{4}},
		},
	}, 1, &table)
}

func TestRefusalsAreLookedUpByName(t *testing.T) {
	r := exampleRanking()
	for node, reason := range map[string]string{"a": "", "d": "not now", "e": "never", "f": "", "unknown": ""} {
		if got := r.refusal(node).GetReason(); got != reason {
			t.Errorf("%s: %q, want %q", node, got, reason)
		}
	}
	if r.first() != "c" || r.refused() != 2 {
		t.Errorf("first %s, refused %d", r.first(), r.refused())
	}
}

func TestTheBestOfTheNodesLeftGetsAllAndTheOthersAtMostHalf(t *testing.T) {
	r := exampleRanking()
	for _, example := range []struct {
		left   []string
		scores map[string]int64
	}{
		{[]string{"a", "b", "c"}, map[string]int64{"c": 100, "a": 50, "b": 25}},
		{[]string{"b", "a"}, map[string]int64{"a": 100, "b": 50}},
		{[]string{"b"}, map[string]int64{"b": 100}},
		{[]string{"f", "b"}, map[string]int64{"b": 100}},
		{nil, map[string]int64{}},
	} {
		var left []fwk.NodeInfo
		for _, name := range example.left {
			left = append(left, newFakeNode(name, 0))
		}
		if got := r.scores(left); !maps.Equal(got, example.scores) {
			t.Errorf("%v: %v, want %v", example.left, got, example.scores)
		}
	}
}
