package berth

import (
	"context"
	"fmt"
	"slices"
	"testing"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/plugin/berthv1"
)

// placing is one pod on its way through the extension points, as kube-scheduler calls them.
type placing struct {
	*fixture
	t       *testing.T
	cluster fakeCluster // a copy
	pod     *v1.Pod
	state   fwk.CycleState
}

func (f *fixture) begin(t *testing.T, cluster *fakeCluster, pod *v1.Pod) (*placing, *fwk.Status) {
	p := &placing{f, t, cluster.copy(), pod, newFakeState()}
	_, status := f.plugin.PreFilter(context.Background(), p.state, pod, cluster.snapshot())
	return p, status
}

func (f *fixture) mustBegin(t *testing.T, cluster *fakeCluster, pod *v1.Pod) *placing {
	t.Helper()
	p, status := f.begin(t, cluster, pod)
	if !status.IsSuccess() {
		t.Fatal(status)
	}
	return p
}

// dryRun goes on with a copy, as preemption does.
func (p *placing) dryRun() *placing {
	return &placing{p.fixture, p.t, p.cluster.copy(), p.pod, p.state.Clone()}
}

func (p *placing) filter(node int) *fwk.Status {
	return p.plugin.Filter(context.Background(), p.state, p.pod, p.cluster.nodes[node])
}

func (p *placing) add(node int, pod *v1.Pod) {
	p.cluster.addPod(node, pod)
	p.plugin.AddPod(context.Background(), p.state, p.pod, &fakePod{pod: pod}, p.cluster.nodes[node])
}

func (p *placing) remove(node int, pod *v1.Pod) {
	p.cluster.removePod(node, pod)
	p.plugin.RemovePod(context.Background(), p.state, p.pod, &fakePod{pod: pod}, p.cluster.nodes[node])
}

// wants checks the code of a status; nil is a success.
func wants(t *testing.T, what string, status *fwk.Status, want fwk.Code) {
	t.Helper()
	if status.Code() != want {
		t.Errorf("%s: %v (%v); want %v", what, status.Code(), status.Message(), want)
	}
}

func TestAPodIsPlacedWhereTheServiceSays(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a", "b", "c", "d")
	f.service.refused["d"] = &berthv1.WhatIfResponse{Reason: "no GPU is free"}
	p := f.mustBegin(t, cluster, gpuPod("pending", 1))
	for i, want := range []fwk.Code{fwk.Success, fwk.Success, fwk.Success, fwk.Unschedulable} {
		wants(t, cluster.nodes[i].node.Name, p.filter(i), want)
	}
	left := cluster.snapshot()[:3]
	wants(t, "PreScore", f.plugin.PreScore(context.Background(), p.state, p.pod, left), fwk.Success)
	for i, want := range []int64{25, 50, 100} { // the fake ranks the highest number first
		score, status := f.plugin.Score(context.Background(), p.state, p.pod, left[i])
		wants(t, "Score", status, fwk.Success)
		if score != want {
			t.Errorf("%s: %d; want %d", left[i].Node().Name, score, want)
		}
	}
	if len(f.service.whatIfs) != 0 || len(f.service.ranks) != 2 { // the first one asked for everything
		t.Errorf("asked %d times for a rank and %d times what if", len(f.service.ranks), len(f.service.whatIfs))
	}
}

func TestOnlyARefusalForNowLeavesHopeToPreemption(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("now", "never")
	f.service.refused["now"] = &berthv1.WhatIfResponse{Reason: "no GPU is free"}
	f.service.refused["never"] = &berthv1.WhatIfResponse{Reason: "the model is not allowed", Never: true}
	p := f.mustBegin(t, cluster, gpuPod("pending", 1))
	wants(t, "now", p.filter(0), fwk.Unschedulable)
	wants(t, "never", p.filter(1), fwk.UnschedulableAndUnresolvable)
	if reason := p.filter(1).Message(); reason != "the model is not allowed" {
		t.Errorf("says %q", reason)
	}
}

func TestADemandThatIsNotSoundIsRefusedEverywhere(t *testing.T) {
	f := newFixture(t)
	f.service.invalid = "berth.dev/gpu-milli is not a multiple of 10"
	_, status := f.begin(t, newFakeCluster("a"), gpuPod("pending", 1))
	wants(t, "PreFilter", status, fwk.UnschedulableAndUnresolvable)
	if status.Message() != f.service.invalid {
		t.Errorf("says %q", status.Message())
	}
}

func TestAPodWithoutGPUsIsNotAskedAbout(t *testing.T) {
	f := newFixture(t)
	p, status := f.begin(t, newFakeCluster("a"), gpuPod("pending", 0))
	wants(t, "PreFilter", status, fwk.Skip)
	wants(t, "PreScore", f.plugin.PreScore(context.Background(), p.state, p.pod, nil), fwk.Skip)
	if len(f.service.ranks) != 0 {
		t.Error("asked")
	}
}

// fullUnless is a service whose node is full unless a pod has left it.
func (f *fixture) fullUnless(gone string) {
	f.service.refused["a"] = &berthv1.WhatIfResponse{Reason: "no GPU is free"}
	f.service.whatIf = func(request *berthv1.WhatIfRequest) (*berthv1.WhatIfResponse, error) {
		if len(request.Without) == 1 && request.Without[0] == "uid-"+gone && len(request.With) == 0 {
			return &berthv1.WhatIfResponse{}, nil
		}
		return &berthv1.WhatIfResponse{Reason: "no GPU is free"}, nil
	}
}

func TestPreemptionIsAnsweredForTheCopy(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a", "b")
	victim, other := gpuPod("victim", 8), gpuPod("other", 0)
	cluster.addPod(0, victim)
	cluster.addPod(0, other)
	f.fullUnless("victim")
	p := f.mustBegin(t, cluster, gpuPod("pending", 8))
	copied := p.dryRun()

	copied.remove(0, victim)
	copied.remove(0, other)
	wants(t, "without both", copied.filter(0), fwk.Unschedulable) // the fake wants just one gone
	copied.add(0, other)                                          // reprieved
	wants(t, "without the victim", copied.filter(0), fwk.Success)
	if last := f.service.whatIfs[len(f.service.whatIfs)-1]; last.Base != f.service.sequence || last.Pod.Uid != "uid-pending" {
		t.Errorf("asked %v", last)
	}
	wants(t, "the other node", copied.filter(1), fwk.Success)
	wants(t, "the original", p.filter(0), fwk.Unschedulable)
	copied.add(0, victim)
	wants(t, "with all of them again", copied.filter(0), fwk.Unschedulable)
}

func TestWhatWasAddedAndTakenOffAgainWasNeverThere(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a")
	f.service.whatIf = func(*berthv1.WhatIfRequest) (*berthv1.WhatIfResponse, error) {
		return &berthv1.WhatIfResponse{}, nil
	}
	p := f.mustBegin(t, cluster, gpuPod("pending", 1))
	nominated := gpuPod("nominated", 8)
	p.add(0, nominated)
	p.remove(0, nominated)
	wants(t, "Filter", p.filter(0), fwk.Success)
	if asked := f.service.whatIfs[0]; len(asked.With) != 0 || len(asked.Without) != 0 {
		t.Errorf("asked %v; want about the node as it is", asked)
	}
}

// The pods of a group are ranked in turn, those before assumed. Which victims may stay is asked when
// the service has been told of all of them.
func TestTheFirstPodOfAGroupIsAskedAboutAfterTheLastWasRanked(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a")
	f.service.whatIf = func(*berthv1.WhatIfRequest) (*berthv1.WhatIfResponse, error) {
		return &berthv1.WhatIfResponse{Reason: "no GPU is free"}, nil
	}
	first := gpuPod("first", 4)
	p := f.mustBegin(t, cluster, first)
	cluster.addPodKeepingGeneration(0, first)
	f.plugin.Reserve(context.Background(), p.state, first, "a")
	f.mustBegin(t, cluster, gpuPod("last", 4))

	p.add(0, gpuPod("victim", 4))
	wants(t, "with the victim", p.filter(0), fwk.Unschedulable)
	asked := f.service.whatIfs[0]
	if len(asked.With) != 1 || asked.With[0].Uid != "uid-victim" || !slices.Equal(asked.Without, []string{"uid-first"}) {
		t.Errorf("asked %v; want with the victim, and without the pod itself, which was told as assumed", asked)
	}
}

func TestACopyThatIsChangedLeavesWhatItWasCopiedFrom(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a")
	first, second := gpuPod("first", 4), gpuPod("second", 4)
	cluster.addPod(0, first)
	cluster.addPod(0, second)
	f.service.whatIf = func(*berthv1.WhatIfRequest) (*berthv1.WhatIfResponse, error) {
		return &berthv1.WhatIfResponse{}, nil
	}
	p := f.mustBegin(t, cluster, gpuPod("pending", 8))
	p.remove(0, first)
	p.remove(0, second)
	p.dryRun().add(0, first)
	p.filter(0)
	if without := f.service.whatIfs[0].Without; !slices.Equal(without, []string{"uid-first", "uid-second"}) {
		t.Errorf("asked without %q; want without both", without)
	}
}

func TestANominatedPodIsAskedAboutWithItsFacts(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a")
	f.service.whatIf = func(*berthv1.WhatIfRequest) (*berthv1.WhatIfResponse, error) {
		return &berthv1.WhatIfResponse{Reason: "no GPU is free"}, nil
	}
	p := f.mustBegin(t, cluster, gpuPod("pending", 1))
	copied := p.dryRun()
	copied.add(0, gpuPod("nominated", 8))
	wants(t, "with the nominated pod", copied.filter(0), fwk.Unschedulable)
	wants(t, "without it", p.filter(0), fwk.Success)
	if with := f.service.whatIfs[0].With; len(with) != 1 || with[0].Requests["nvidia.com/gpu"] != 8 {
		t.Errorf("asked with %v", with)
	}
}

func TestNoPreemptionIsTriedWhereItIsInVain(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a")
	f.service.refused["a"] = &berthv1.WhatIfResponse{Reason: "the model is not allowed", Never: true}
	victim := gpuPod("victim", 8)
	cluster.addPod(0, victim)
	p := f.mustBegin(t, cluster, gpuPod("pending", 1))
	p.remove(0, victim)
	wants(t, "Filter", p.filter(0), fwk.UnschedulableAndUnresolvable)
	if len(f.service.whatIfs) != 0 {
		t.Error("asked what if")
	}
}

func TestWithoutAnAnswerThePodIsLeftOrWaitsAsConfigured(t *testing.T) {
	for _, lost := range []fault{lostQuestion, lostAnswer, refusedCall} {
		for onUnavailable, want := range map[string]fwk.Code{Ignore: fwk.Skip, Refuse: fwk.Error} {
			f := newFixture(t)
			f.plugin.args.OnUnavailable = onUnavailable
			f.wire.next = always(lost)
			p, status := f.begin(t, newFakeCluster("a"), gpuPod("pending", 1))
			wants(t, fmt.Sprint(onUnavailable, lost), status, want)
			wants(t, "Filter", p.filter(0), fwk.Success)
			wants(t, "PreScore", f.plugin.PreScore(context.Background(), p.state, p.pod, nil), fwk.Skip)
		}
	}
}

func TestWithoutAnAnswerForACopyTheNodeIsLeftOrWaitsAsConfigured(t *testing.T) {
	for onUnavailable, want := range map[string]fwk.Code{Ignore: fwk.Success, Refuse: fwk.Error} {
		f, cluster := newFixture(t), newFakeCluster("a")
		f.plugin.args.OnUnavailable = onUnavailable
		p := f.mustBegin(t, cluster, gpuPod("pending", 1))
		p.add(0, gpuPod("nominated", 8))
		f.wire.next = always(refusedCall)
		wants(t, onUnavailable, p.filter(0), want)
	}
}

func TestAServiceThatHangsIsLeftAloneUntilAProbeIsAnswered(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a")
	f.mustBegin(t, cluster, gpuPod("pending", 1))
	calls := 0
	f.wire.next = func(string) fault { calls++; return lostQuestion }
	for range 10 {
		_, status := f.begin(t, cluster, gpuPod("pending", 1))
		wants(t, "while it hangs", status, fwk.Skip)
	}
	if calls != breakerMisses {
		t.Errorf("%d calls waited for their deadline; want %d", calls, breakerMisses)
	}
	f.clock.advance(breakerPause)
	f.wire.next = nil
	f.mustBegin(t, cluster, gpuPod("pending", 1))
	f.mustBegin(t, cluster, gpuPod("pending", 1))
}

// kube-scheduler gives pods of one signature the placements that the first of them was offered. Two
// equal pods that Berth ranks must not share: the first changes what is best for the second.
func TestOnlyPodsThatAreNotRankedShareASignature(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a", "b")
	if _, status := f.plugin.SignPod(context.Background(), gpuPod("plain", 0)); !status.IsSuccess() {
		t.Errorf("a pod without GPUs: %v", status)
	}
	first, second := gpuPod("first", 8), gpuPod("second", 8)
	for _, pod := range []*v1.Pod{first, second} {
		_, status := f.plugin.SignPod(context.Background(), pod)
		wants(t, pod.Name, status, fwk.Unschedulable)
	}
	best := func(pod *v1.Pod) string { return readCycle(f.mustBegin(t, cluster, pod).state).ranking.first() }
	if got := best(first); got != "b" {
		t.Fatalf("the first goes to %s; want b", got)
	}
	cluster.addPod(1, first)
	f.service.refused["b"] = &berthv1.WhatIfResponse{Reason: "no GPU is free"}
	if got := best(second); got != "a" {
		t.Errorf("the second goes to %s; want a: with the first one's ranking it were b", got)
	}
}
