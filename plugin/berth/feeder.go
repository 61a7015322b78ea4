package berth

import (
	"context"
	"iter"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/plugin/berthv1"
)

const (
	// A difference of more nodes than this is told as a full picture, in parts: a message may have
	// 16 MiB.
	mostChanged = 200
	// Bytes of a part of a full picture, about.
	partBytes = 1 << 20
)

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
	if err := f.service.allows(); err != nil {
		return nil, err
	}
	f.asking.Lock()
	defer f.asking.Unlock()
	var told difference
	if f.base != 0 { // else it is only asked which labels to tell
		told = f.walk(nodes)
	}
	if len(told.changed) <= mostChanged {
		ranking, full, err := f.tellAndAsk(ctx, pod, told)
		if full == nil {
			return ranking, err
		}
		f.labels.set(full.Labels)
	}
	if err := f.tellAll(ctx, nodes); err != nil {
		return nil, err
	}
	ranking, full, err := f.tellAndAsk(ctx, pod, f.walk(nodes))
	if full != nil {
		err = errBaseLost
	}
	return ranking, err
}

// tellAndAsk gives a ranking, or the request for a full picture.
func (f *feeder) tellAndAsk(ctx context.Context, pod *v1.Pod, told difference) (
	*ranking, *berthv1.NeedFull, error,
) {
	f.sequence++
	answer, err := f.service.rank(ctx, &berthv1.RankRequest{
		Feeder:   f.name,
		Base:     f.base,
		Sequence: f.sequence,
		Changed:  f.states(told.changed),
		Gone:     told.gone,
		Pod:      pendingPodFacts(pod),
	})
	if status.Code(err) == codes.Unavailable {
		f.base = 0 // whoever comes back has nothing; until then there is nothing to tell
	}
	if err != nil {
		return nil, nil, err
	}
	if full := answer.GetNeedFull(); full != nil {
		f.base = 0
		return nil, full, nil
	}
	f.table.confirm(told)
	f.base = f.sequence
	return newRanking(answer.GetRanking(), f.base, &f.table), nil, nil
}

// tellAll tells everything, with numbers from 0 on. Only what is confirmed counts.
func (f *feeder) tellAll(ctx context.Context, nodes []fwk.NodeInfo) error {
	f.base = 0
	f.table = nodeTable{}
	told := f.walk(nodes)
	f.sequence++
	if err := f.service.sync(ctx, f.parts(told.changed)); err != nil {
		return err
	}
	f.service.metrics.fullSyncs.Inc()
	f.table.confirm(told)
	f.base = f.sequence
	return nil
}

// parts makes the messages of a full picture; there is at least one.
func (f *feeder) parts(nodes []changedNode) iter.Seq[*berthv1.SyncRequest] {
	return func(yield func(*berthv1.SyncRequest) bool) {
		part, bytes := &berthv1.SyncRequest{Feeder: f.name, Sequence: f.sequence}, 0
		for _, node := range nodes {
			state := f.state(node)
			part.Nodes = append(part.Nodes, state)
			bytes += proto.Size(state)
			if bytes < partBytes {
				continue
			}
			if !yield(part) {
				return
			}
			part, bytes = &berthv1.SyncRequest{}, 0
		}
		yield(part)
	}
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
	f.service.metrics.nodesTold.Inc()
	return &berthv1.NodeState{
		Number: node.number,
		Node:   nodeFacts(node.info.Node(), f.labels.get()),
		Pods:   nodePods(node.info.GetPods()),
	}
}
