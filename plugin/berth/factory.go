package berth

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/plugin/berthv1"
)

// Factory makes the plugin for one profile.
type Factory = func(context.Context, runtime.Object, fwk.Handle) (fwk.Plugin, error)

// NewFactory makes the factory of one scheduler. Profiles with the same arguments share the
// connection and what was told, as they share kube-scheduler's cache.
func NewFactory() Factory {
	var mu sync.Mutex
	feeders := map[string]*feeder{}
	return func(_ context.Context, object runtime.Object, _ fwk.Handle) (fwk.Plugin, error) {
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
			if shared, err = connect(args); err != nil {
				return nil, err
			}
			feeders[string(key)] = shared
		}
		return &Plugin{args: args, feeder: shared}, nil
	}
}

func connect(args *Args) (*feeder, error) {
	connection, err := dial(args)
	if err != nil {
		return nil, fmt.Errorf("BerthArgs: address %q: %w", args.Address, err)
	}
	service := &service{
		client:   berthv1.NewPlacementClient(connection),
		deadline: args.Deadline.Duration,
		breaker:  &breaker{now: time.Now},
	}
	return newFeeder(service, uuid.NewString()), nil
}
