package berth

import (
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	breakerMisses = 3
	breakerPause  = time.Second
)

// breaker keeps a service that hangs from costing every pod a whole deadline: after breakerMisses
// missed deadlines in a row nobody asks for breakerPause, then one question is let through to see
// (the probe), and so on until one is answered in time. Anything but a missed deadline is an answer:
// an error comes at once and costs nobody time. (M. Nygard, "Release It!", circuit breaker.)
// Thread-safe; never blocks.
type breaker struct {
	now func() time.Time

	mu        sync.Mutex
	misses    int // in a row; open from breakerMisses on
	nextProbe time.Time
}

// allows says whether to ask now. Whoever is let through says with note what came of it.
func (b *breaker) allows() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.misses < breakerMisses {
		return true
	}
	now := b.now()
	if now.Before(b.nextProbe) {
		return false
	}
	b.nextProbe = now.Add(breakerPause) // also if this probe never comes back
	return true
}

// note takes what came of a question, and says whether the breaker is open now.
func (b *breaker) note(err error) (open bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if status.Code(err) != codes.DeadlineExceeded {
		b.misses = 0
		return false
	}
	b.nextProbe = b.now().Add(breakerPause)
	b.misses++
	return b.misses >= breakerMisses
}
