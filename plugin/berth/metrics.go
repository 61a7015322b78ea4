package berth

import (
	"errors"
	"time"

	"google.golang.org/grpc/status"
	"k8s.io/component-base/metrics"
)

// pluginMetrics are what an admin sees of the plugin, in kube-scheduler's own registry.
type pluginMetrics struct {
	calls        *metrics.CounterVec
	duration     *metrics.HistogramVec
	steppedAside *metrics.CounterVec
	breakerOpen  *metrics.Gauge
	fullSyncs    *metrics.Counter
	nodesTold    *metrics.Counter
}

func newPluginMetrics(register func(...metrics.Registerable)) *pluginMetrics {
	m := &pluginMetrics{
		calls: metrics.NewCounterVec(&metrics.CounterOpts{
			Name:           "berth_plugin_calls_total",
			Help:           "Calls of the service (rank: per pod; sync: everything told anew; what_if: preemption and nominated pods) by gRPC code.",
			StabilityLevel: metrics.ALPHA,
		}, []string{"call", "outcome"}),
		duration: metrics.NewHistogramVec(&metrics.HistogramOpts{
			Name:           "berth_plugin_call_duration_seconds",
			Help:           "How long the scheduling loop waited for a call of the service.",
			Buckets:        metrics.ExponentialBuckets(0.0001, 2, 15),
			StabilityLevel: metrics.ALPHA,
		}, []string{"call"}),
		steppedAside: metrics.NewCounterVec(&metrics.CounterOpts{
			Name:           "berth_plugin_stepped_aside_total",
			Help:           "Questions left to kube-scheduler (or refused, as configured) without an answer, by gRPC code; Paused: the breaker was open.",
			StabilityLevel: metrics.ALPHA,
		}, []string{"cause"}),
		breakerOpen: metrics.NewGauge(&metrics.GaugeOpts{
			Name:           "berth_plugin_breaker_open",
			Help:           "1 while the service is only asked once a second, because it missed deadlines.",
			StabilityLevel: metrics.ALPHA,
		}),
		fullSyncs: metrics.NewCounter(&metrics.CounterOpts{
			Name:           "berth_plugin_full_syncs_total",
			Help:           "Full pictures that the service has confirmed.",
			StabilityLevel: metrics.ALPHA,
		}),
		nodesTold: metrics.NewCounter(&metrics.CounterOpts{
			Name:           "berth_plugin_nodes_told_total",
			Help:           "States of nodes told to the service.",
			StabilityLevel: metrics.ALPHA,
		}),
	}
	register(m.calls, m.duration, m.steppedAside, m.breakerOpen, m.fullSyncs, m.nodesTold)
	return m
}

func (m *pluginMetrics) observe(call string, err error, took time.Duration) {
	m.calls.WithLabelValues(call, status.Code(err).String()).Inc()
	m.duration.WithLabelValues(call).Observe(took.Seconds())
}

func (m *pluginMetrics) stepAside(err error) {
	cause := status.Code(err).String()
	if errors.Is(err, errPaused) {
		cause = "Paused"
	}
	m.steppedAside.WithLabelValues(cause).Inc()
}

func (m *pluginMetrics) setBreaker(open bool) {
	if open {
		m.breakerOpen.Set(1)
	} else {
		m.breakerOpen.Set(0)
	}
}
