package berth

import "sync/atomic"

// labelKeys are the node labels that the service reads, as it last said. Thread-safe: queueing hints
// ask from other goroutines.
type labelKeys struct {
	keys atomic.Pointer[[]string]
}

func (l *labelKeys) set(keys []string) { l.keys.Store(&keys) }

// get gives none until the service has said.
func (l *labelKeys) get() []string {
	if keys := l.keys.Load(); keys != nil {
		return *keys
	}
	return nil
}
