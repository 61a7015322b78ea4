package berth

import (
	"context"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/plugin/berthv1"
)

// How long a full picture may take; it is told once, when the service starts or has lost it.
const syncDeadline = 2 * time.Second

// feeder tells the service what kube-scheduler knows, only what differs from what it has, in the
// call that asks about a pod. Shared by all profiles, since they share one cache. Thread-safe.
type feeder struct {
	service *service
	name    string

	asking   sync.Mutex // one question at a time; guards what follows
	table    nodeTable
	base     uint64 // the last sequence that was confirmed; 0: none
	sequence uint64 // the last one that was used
	labels   labelKeys

	doubting sync.Mutex
	doubtful map[string]struct{} // nodes that may have changed since the last walk
}

func newFeeder(service *service, name string) *feeder {
	return &feeder{service: service, name: name, doubtful: map[string]struct{}{}}
}

// Doubt notes that a node may have changed though its generation did not: a pod group's members are
// assumed and taken back with the generation kept. Never waits for the service.
func (f *feeder) Doubt(node string) {
	f.doubting.Lock()
	defer f.doubting.Unlock()
	f.doubtful[node] = struct{}{}
}

// Rank tells what has changed and asks about a pod.
func (f *feeder) Rank(ctx context.Context, pod *v1.Pod, nodes []fwk.NodeInfo) (*ranking, error) {
	f.asking.Lock()
	defer f.asking.Unlock()
	ranking, full, err := f.tellAndAsk(ctx, pod, nodes)
	if err != nil || full == nil {
		return ranking, err
	}
	f.labels.set(full.Labels)
	if err := f.tellAll(ctx, nodes); err != nil {
		return nil, err
	}
	ranking, full, err = f.tellAndAsk(ctx, pod, nodes)
	if full != nil {
		err = errBaseLost
	}
	return ranking, err
}

// tellAndAsk gives a ranking, or the request for a full picture.
func (f *feeder) tellAndAsk(ctx context.Context, pod *v1.Pod, nodes []fwk.NodeInfo) (
	*ranking, *berthv1.NeedFull, error,
) {
	request := &berthv1.RankRequest{Feeder: f.name, Base: f.base, Pod: pendingPodFacts(pod)}
	var told difference
	if f.base != 0 { // else it is only asked which labels to tell
		told = f.walk(nodes)
		request.Changed = f.states(told.changed)
		request.Gone = told.gone
	}
	f.sequence++
	request.Sequence = f.sequence
	answer, err := f.service.rank(ctx, request)
	if err != nil {
		return nil, nil, err
	}
	if full := answer.GetNeedFull(); full != nil {
		f.base = 0
		return nil, full, nil
	}
	f.table.confirm(told)
	f.base = request.Sequence
	return newRanking(answer.GetRanking(), f.base, &f.table), nil, nil
}

// tellAll tells everything, with numbers from 0 on. Only what is confirmed counts.
func (f *feeder) tellAll(ctx context.Context, nodes []fwk.NodeInfo) error {
	f.base = 0
	f.table = nodeTable{}
	told := f.walk(nodes)
	f.sequence++
	if err := f.service.sync(ctx, f.name, f.sequence, told.changed, f.state); err != nil {
		return err
	}
	f.table.confirm(told)
	f.base = f.sequence
	return nil
}

func (f *feeder) walk(nodes []fwk.NodeInfo) difference {
	f.doubting.Lock()
	for name := range f.doubtful {
		f.table.doubt(name)
	}
	clear(f.doubtful)
	f.doubting.Unlock()
	return f.table.walk(nodes)
}

func (f *feeder) states(changed []changedNode) []*berthv1.NodeState {
	states := make([]*berthv1.NodeState, len(changed))
	for i, node := range changed {
		states[i] = f.state(node)
	}
	return states
}

func (f *feeder) state(node changedNode) *berthv1.NodeState {
	return &berthv1.NodeState{
		Number: node.number,
		Node:   nodeFacts(node.info.Node(), f.labels.get()),
		Pods:   nodePods(node.info.GetPods()),
	}
}
