// Package berth is the kube-scheduler framework plugin Berth. It tells the service what
// kube-scheduler knows and does what the service says; what labels and annotations mean, and which
// node is the best, only the service knows.
package berth

import (
	"context"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// Name of the plugin in KubeSchedulerConfiguration.
const Name = "Berth"

// Plugin implements the extension points.
type Plugin struct {
	args   *Args
	feeder *feeder
}

var (
	_ fwk.PreFilterPlugin     = &Plugin{}
	_ fwk.PreFilterExtensions = &Plugin{}
	_ fwk.FilterPlugin        = &Plugin{}
	_ fwk.PreScorePlugin      = &Plugin{}
	_ fwk.ScorePlugin         = &Plugin{}
	_ fwk.ReservePlugin       = &Plugin{}
	_ fwk.EnqueueExtensions   = &Plugin{}
	_ fwk.SignPlugin          = &Plugin{}
)

// Name implements fwk.Plugin.
func (p *Plugin) Name() string { return Name }

// PreFilter asks the service, once per pod.
func (p *Plugin) PreFilter(
	ctx context.Context, state fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo,
) (*fwk.PreFilterResult, *fwk.Status) {
	if !p.ranks(pod) {
		return nil, fwk.NewStatus(fwk.Skip)
	}
	ranking, err := p.feeder.Rank(ctx, pod, nodes)
	if err != nil {
		return nil, p.stepAside(err, fwk.NewStatus(fwk.Skip))
	}
	logRanking(ctx, pod, ranking)
	if ranking.invalid != "" {
		return nil, fwk.NewStatus(fwk.UnschedulableAndUnresolvable, ranking.invalid)
	}
	state.Write(cycleKey, &cycle{ranking: ranking, changed: map[string]struct{}{}})
	return &fwk.PreFilterResult{NodeNames: ranking.narrow(nodes)}, nil
}

// stepAside leaves a pod to kube-scheduler, or to a later try.
func (p *Plugin) stepAside(err error, leave *fwk.Status) *fwk.Status {
	p.feeder.service.metrics.stepAside(err)
	if p.args.OnUnavailable == Refuse {
		return fwk.AsStatus(err)
	}
	return leave
}

// PreFilterExtensions implements fwk.PreFilterPlugin.
func (p *Plugin) PreFilterExtensions() fwk.PreFilterExtensions { return p }

// AddPod implements fwk.PreFilterExtensions.
func (p *Plugin) AddPod(
	_ context.Context, state fwk.CycleState, _ *v1.Pod, _ fwk.PodInfo, node fwk.NodeInfo,
) *fwk.Status {
	noteChange(state, node)
	return nil
}

// RemovePod implements fwk.PreFilterExtensions.
func (p *Plugin) RemovePod(
	_ context.Context, state fwk.CycleState, _ *v1.Pod, _ fwk.PodInfo, node fwk.NodeInfo,
) *fwk.Status {
	noteChange(state, node)
	return nil
}

func noteChange(state fwk.CycleState, node fwk.NodeInfo) {
	if cycle := readCycle(state); cycle != nil {
		cycle.changed[node.Node().Name] = struct{}{}
	}
}

// Filter refuses what the service refuses. It asks again only for a node that was changed in a copy.
func (p *Plugin) Filter(ctx context.Context, state fwk.CycleState, pod *v1.Pod, node fwk.NodeInfo) *fwk.Status {
	cycle := readCycle(state)
	if cycle == nil {
		return nil
	}
	name := node.Node().Name
	refusal := cycle.ranking.refusal(name)
	if _, changed := cycle.changed[name]; changed && !refusal.GetNever() {
		return p.filterCopy(ctx, pod, node)
	}
	return refused(refusal.GetReason(), refusal.GetNever())
}

func (p *Plugin) filterCopy(ctx context.Context, pod *v1.Pod, node fwk.NodeInfo) *fwk.Status {
	answer, err := p.feeder.WhatIf(ctx, pod, node)
	if err != nil {
		return p.stepAside(err, nil)
	}
	return refused(answer.Reason, answer.Never)
}

// refused is the status of a refusal; without a reason there is none.
func refused(reason string, never bool) *fwk.Status {
	switch {
	case reason == "":
		return nil
	case never:
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, reason)
	}
	return fwk.NewStatus(fwk.Unschedulable, reason)
}

// PreScore turns the order of the nodes that are left into scores.
func (p *Plugin) PreScore(_ context.Context, state fwk.CycleState, _ *v1.Pod, nodes []fwk.NodeInfo) *fwk.Status {
	cycle := readCycle(state)
	if cycle == nil {
		return fwk.NewStatus(fwk.Skip)
	}
	state.Write(scoresKey, cycle.ranking.scores(nodes))
	return nil
}

// Score looks up.
func (p *Plugin) Score(_ context.Context, state fwk.CycleState, _ *v1.Pod, node fwk.NodeInfo) (int64, *fwk.Status) {
	data, err := state.Read(scoresKey)
	if err != nil {
		return 0, fwk.AsStatus(err)
	}
	return data.(scores).of(node.Node().Name), nil
}

// ScoreExtensions implements fwk.ScorePlugin.
func (p *Plugin) ScoreExtensions() fwk.ScoreExtensions { return nil }

// Reserve implements fwk.ReservePlugin.
func (p *Plugin) Reserve(_ context.Context, _ fwk.CycleState, _ *v1.Pod, node string) *fwk.Status {
	p.feeder.Doubt(node)
	return nil
}

// Unreserve implements fwk.ReservePlugin.
func (p *Plugin) Unreserve(_ context.Context, _ fwk.CycleState, _ *v1.Pod, node string) {
	p.feeder.Doubt(node)
}

// SignPod lets pods that are not ranked share placements, as without Berth. Two equal pods must not
// share a ranking: once the first is placed another node may be the best.
func (p *Plugin) SignPod(_ context.Context, pod *v1.Pod) ([]fwk.SignFragment, *fwk.Status) {
	if p.ranks(pod) {
		return nil, fwk.NewStatus(fwk.Unschedulable, "every pod that Berth ranks is ranked for itself")
	}
	return nil, nil
}

// ranks says whether a pod is Berth's: it requests something that means GPU.
func (p *Plugin) ranks(pod *v1.Pod) bool {
	return requestsAny(pod, p.args.Resources)
}

func requestsAny(pod *v1.Pod, resources []string) bool {
	requests := podRequests(pod)
	for _, resource := range resources {
		if quantity, ok := requests[v1.ResourceName(resource)]; ok && !quantity.IsZero() {
			return true
		}
	}
	return false
}
