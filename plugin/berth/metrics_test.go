package berth

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"berth.dev/plugin/berthv1"
)

// series are all values in a registry, by name and label values; of a histogram its count.
func (f *fixture) series(t *testing.T) map[string]float64 {
	t.Helper()
	families, err := f.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]float64{}
	for _, family := range families {
		for _, one := range family.GetMetric() {
			key := family.GetName()
			for _, label := range one.GetLabel() {
				key += " " + label.GetValue()
			}
			found[key] = one.GetCounter().GetValue() + one.GetGauge().GetValue() +
				float64(one.GetHistogram().GetSampleCount())
		}
	}
	return found
}

func (f *fixture) wantsSeries(t *testing.T, want map[string]float64) {
	t.Helper()
	found := f.series(t)
	for key, value := range want {
		if found[key] != value {
			t.Errorf("%s is %v; want %v", key, found[key], value)
		}
	}
}

func TestCallsAndWhatWasToldAreCounted(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a", "b", "c")
	f.service.whatIf = func(*berthv1.WhatIfRequest) (*berthv1.WhatIfResponse, error) {
		return nil, status.Error(codes.InvalidArgument, "pod: has no UID")
	}
	f.rank(t, cluster)
	cluster.addPod(1, gpuPod("p", 1))
	p := f.mustBegin(t, cluster, gpuPod("pending", 1))
	p.add(0, gpuPod("nominated", 1))
	p.filter(0)
	f.wantsSeries(t, map[string]float64{
		"berth_plugin_calls_total rank OK":                  3, // the first one was asked for everything
		"berth_plugin_calls_total sync OK":                  1,
		"berth_plugin_calls_total what_if InvalidArgument":  1,
		"berth_plugin_call_duration_seconds rank":           3,
		"berth_plugin_stepped_aside_total InvalidArgument":  1,
		"berth_plugin_stepped_aside_total DeadlineExceeded": 0,
		"berth_plugin_full_syncs_total":                     1,
		"berth_plugin_nodes_told_total":                     4,
		"berth_plugin_breaker_open":                         0,
	})
}

func TestSteppingAsideIsCountedByCause(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a")
	ask := func() {
		_, _ = f.plugin.PreFilter(context.Background(), newFakeState(), gpuPod("pending", 1), cluster.snapshot())
	}
	f.wire.next = always(refusedCall)
	ask()
	f.wire.next = always(lostQuestion)
	for range breakerMisses + 2 {
		ask()
	}
	f.wantsSeries(t, map[string]float64{
		"berth_plugin_stepped_aside_total Unavailable":      1,
		"berth_plugin_stepped_aside_total DeadlineExceeded": breakerMisses,
		"berth_plugin_stepped_aside_total Paused":           2,
		"berth_plugin_breaker_open":                         1,
	})
	f.clock.advance(breakerPause)
	f.wire.next = nil
	ask()
	f.wantsSeries(t, map[string]float64{"berth_plugin_breaker_open": 0})
}

func TestHowLongACallTookIsMeasuredInSeconds(t *testing.T) {
	f := newFixture(t)
	f.plugin.feeder.service.metrics.observe("rank", nil, 250*time.Millisecond)
	families, err := f.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "berth_plugin_call_duration_seconds" {
			if sum := family.GetMetric()[0].GetHistogram().GetSampleSum(); sum != 0.25 {
				t.Errorf("%v seconds; want 0.25", sum)
			}
			return
		}
	}
	t.Error("not measured")
}
