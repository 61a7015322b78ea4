package berth

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/plugin/berthv1"
)

// ranking is what Berth thinks of every node for one pod, as a lookup. Never changed.
type ranking struct {
	sequence  uint64 // of the state that it holds for
	directory map[string]uint32
	snapshot  []uint32 // node numbers in the order of the snapshot
	places    []int32  // by node number: place in the order, unranked, or refusedBy(i)
	refusals  []*berthv1.Refusal
	order     []uint32 // node numbers, best first
	feasible  uint32   // how many of the order
	policy    string
	invalid   string // why the pod can be placed nowhere
}

const unranked int32 = -1

func refusedBy(refusal int) int32 { return int32(-2 - refusal) }

func newRanking(answer *berthv1.Ranking, sequence uint64, table *nodeTable) *ranking {
	r := &ranking{
		sequence:  sequence,
		directory: table.directory,
		snapshot:  slices.Clone(table.order),
		places:    slices.Repeat([]int32{unranked}, len(table.nodes)),
		refusals:  answer.Refused,
		order:     answer.Order,
		feasible:  answer.Feasible,
		policy:    answer.Policy,
		invalid:   answer.Invalid,
	}
	for place, number := range answer.Order {
		r.set(number, int32(place))
	}
	for i, refusal := range answer.Refused {
		for _, number := range refusal.Nodes {
			r.set(number, refusedBy(i))
		}
	}
	return r
}

func (r *ranking) set(number uint32, place int32) {
	if int(number) < len(r.places) {
		r.places[number] = place
	}
}

func (r *ranking) place(node string) int32 {
	number, ok := r.directory[node]
	if !ok || int(number) >= len(r.places) {
		return unranked
	}
	return r.places[number]
}

// refusal says why a node is refused; nil when it is not.
func (r *ranking) refusal(node string) *berthv1.Refusal {
	return r.refusalOf(r.place(node))
}

func (r *ranking) refusalOf(place int32) *berthv1.Refusal {
	if place >= unranked {
		return nil
	}
	return r.refusals[-2-place]
}

// first is the name of the best node; empty without one.
func (r *ranking) first() string {
	if len(r.order) == 0 {
		return ""
	}
	for name, number := range r.directory {
		if number == r.order[0] {
			return name
		}
	}
	return ""
}

// refused counts the nodes that are.
func (r *ranking) refused() int {
	count := 0
	for _, refusal := range r.refusals {
		count += len(refusal.Nodes)
	}
	return count
}

const (
	bestScore = fwk.MaxScore
	// What the second best gets at most, so that no other plugin's opinion of the nodes makes up for
	// the difference to the best.
	runnerUpScore = bestScore / 2
)

// scores are what the plugin says of the nodes that are left. Never changed, so clones share them.
type scores struct {
	directory map[string]uint32
	byNumber  []int64
}

// Clone implements fwk.StateData.
func (s scores) Clone() fwk.StateData { return s }

func (s scores) of(node string) int64 {
	number, ok := s.directory[node]
	if !ok || int(number) >= len(s.byNumber) {
		return 0
	}
	return s.byNumber[number]
}

// scores gives the best of some nodes bestScore, the others falling scores from runnerUpScore down.
// A node that is not ranked gets none.
func (r *ranking) scores(nodes []fwk.NodeInfo) scores {
	left := make([]bool, len(r.order)) // by place
	count := 0
	for _, info := range nodes {
		if place := r.place(info.Node().Name); place >= 0 {
			left[place] = true
			count++
		}
	}
	given := scores{r.directory, make([]int64, len(r.places))}
	behind := count // how many are not better
	for place, number := range r.order {
		switch {
		case !left[place]:
			continue
		case behind == count:
			given.byNumber[number] = bestScore
		default:
			given.byNumber[number] = runnerUpScore * int64(behind) / int64(count-1)
		}
		behind--
	}
	return given
}

// narrow gives the names of the nodes that are worth looking at, of the snapshot that was ranked; nil
// when that is all. No pod's
// departure makes a node right that can never take this pod, and looking at it costs the in-tree
// plugins most of their time. Where Berth has no place for the pod at all, kube-scheduler looks at
// every node, so that its message gives the reason of each.
func (r *ranking) narrow(nodes []fwk.NodeInfo) sets.Set[string] {
	never := 0
	for _, refusal := range r.refusals {
		if refusal.Never {
			never += len(refusal.Nodes)
		}
	}
	if never == 0 || r.feasible == 0 {
		return nil
	}
	names := make(sets.Set[string], len(nodes))
	for i, number := range r.snapshot {
		if !r.refusalOf(r.places[number]).GetNever() {
			names.Insert(nodes[i].Node().Name)
		}
	}
	return names
}
