package berth

import (
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/klog/v2"
)

// stateLog tells an admin once when the service goes away, becomes slow or is back. Thread-safe.
type stateLog struct {
	logger klog.Logger

	mu    sync.Mutex
	state serviceState
}

type serviceState int

const (
	serviceFine serviceState = iota
	serviceAway
	serviceSlow
)

// note takes what came of a question, and whether the breaker is open after it.
func (l *stateLog) note(err error, breakerOpen bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.state
	l.state = stateAfter(before, err, breakerOpen)
	switch {
	case l.state == before:
		return
	case l.state == serviceAway:
		l.logger.Error(err, "Berth's service is away; the plugin steps aside")
	case l.state == serviceSlow:
		l.logger.Error(err, "Berth's service is slow; the plugin steps aside and asks once a second")
	default:
		l.logger.Info("Berth's service is back")
	}
}

// stateAfter holds on to a state on errors that are about one question alone.
func stateAfter(before serviceState, err error, breakerOpen bool) serviceState {
	if breakerOpen {
		return serviceSlow
	}
	switch status.Code(err) {
	case codes.OK:
		return serviceFine
	case codes.Unavailable, codes.Unimplemented, codes.Unauthenticated, codes.PermissionDenied:
		return serviceAway
	}
	return before
}
