package berth

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-base/metrics"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/plugin/berthv1"
)

// Factory makes the plugin for one profile.
type Factory = func(context.Context, runtime.Object, fwk.Handle) (fwk.Plugin, error)

// NewFactory makes the factory of one scheduler, and registers its metrics. Profiles with the same
// arguments share the connection and what was told, as they share kube-scheduler's cache.
func NewFactory(register func(...metrics.Registerable)) Factory {
	var mu sync.Mutex
	feeders := map[string]*feeder{}
	pluginMetrics := newPluginMetrics(register)
	return func(ctx context.Context, object runtime.Object, _ fwk.Handle) (fwk.Plugin, error) {
		args, err := DecodeArgs(object)
		if err != nil {
			return nil, err
		}
		key, err := json.Marshal(args)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		shared, ok := feeders[string(key)]
		if !ok {
			if shared, err = connect(args, pluginMetrics, klog.FromContext(ctx)); err != nil {
				return nil, err
			}
			feeders[string(key)] = shared
		}
		return &Plugin{args: args, feeder: shared}, nil
	}
}

func connect(args *Args, metrics *pluginMetrics, logger klog.Logger) (*feeder, error) {
	connection, err := dial(args)
	if err != nil {
		return nil, fmt.Errorf("BerthArgs: %w", err)
	}
	service := &service{
		client:   berthv1.NewPlacementClient(connection),
		deadline: time.Duration(args.Deadline),
		breaker:  &breaker{now: time.Now},
		metrics:  metrics,
		log:      &stateLog{logger: klog.LoggerWithValues(logger, "address", args.Address)},
	}
	return newFeeder(service, uuid.NewString()), nil
}
