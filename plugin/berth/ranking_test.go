package berth

import (
	"maps"
	"testing"

	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/plugin/berthv1"
)

func fakeNodes(names ...string) []fwk.NodeInfo {
	var nodes []fwk.NodeInfo
	for i, name := range names {
		nodes = append(nodes, newFakeNode(name, int64(i)))
	}
	return nodes
}

// The order is c, a, b; d is refused for now and e for good; f is not mentioned.
func exampleRanking() *ranking {
	var table nodeTable
	table.confirm(table.walk(fakeNodes("a", "b", "c", "d", "e", "f")))
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
		given, got := r.scores(fakeNodes(example.left...)), map[string]int64{}
		for _, name := range []string{"a", "b", "c", "d", "e", "f", "unknown"} {
			if score := given.of(name); score != 0 {
				got[name] = score
			}
		}
		if !maps.Equal(got, example.scores) {
			t.Errorf("%v: %v, want %v", example.left, got, example.scores)
		}
	}
}

func TestNodesThatCanNeverTakeThePodAreNotLookedAtWhileOthersCan(t *testing.T) {
	nodes := fakeNodes("a", "b", "c", "d", "e", "f")
	for what, example := range map[string]struct {
		change func(*ranking)
		want   []string
	}{
		"one can never":   {func(*ranking) {}, []string{"a", "b", "c", "d", "f"}},
		"all may one day": {func(r *ranking) { r.refusals[1].Never = false }, nil},
		"none can now, so the reasons of all are wanted": {func(r *ranking) { r.feasible = 0 }, nil},
	} {
		r := exampleRanking()
		example.change(r)
		if got := r.narrow(nodes); !got.Equal(sets.New(example.want...)) || (got == nil) != (example.want == nil) {
			t.Errorf("%s: %v, want %v", what, sets.List(got), example.want)
		}
	}
}
