package berth

import (
	"slices"

	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/plugin/berthv1"
)

// ranking is what Berth thinks of every node for one pod, as a lookup. Never changed.
type ranking struct {
	sequence  uint64 // of the state that it holds for
	directory map[string]uint32
	places    []int32 // by node number: place in the order, unranked, or refusedBy(i)
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
	place := r.place(node)
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

// scores gives the best of some nodes bestScore, the others falling scores from runnerUpScore down.
// A node that is not ranked gets none.
func (r *ranking) scores(nodes []fwk.NodeInfo) map[string]int64 {
	type ranked struct {
		name  string
		place int32
	}
	found := make([]ranked, 0, len(nodes))
	for _, info := range nodes {
		name := info.Node().Name
		if place := r.place(name); place >= 0 {
			found = append(found, ranked{name, place})
		}
	}
	slices.SortFunc(found, func(a, b ranked) int { return int(a.place - b.place) })
	scores := make(map[string]int64, len(found))
	for i, node := range found {
		if i == 0 {
			scores[node.name] = bestScore
			continue
		}
		behind := int64(len(found) - i) // in 1 .. len-1
		scores[node.name] = runnerUpScore * behind / int64(len(found)-1)
	}
	return scores
}
