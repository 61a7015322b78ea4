package berth

import (
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

var miss = status.Error(codes.DeadlineExceeded, "too slow")

func newTestBreaker() (*breaker, *time.Time) {
	now := time.Unix(1000, 0)
	return &breaker{now: func() time.Time { return now }}, &now
}

func open(b *breaker) {
	for range breakerMisses {
		b.note(miss)
	}
}

func TestThreeMissesInARowOpenIt(t *testing.T) {
	b, _ := newTestBreaker()
	for i := 1; i < breakerMisses; i++ {
		if b.note(miss) || !b.allows() {
			t.Fatalf("opened after %d misses", i)
		}
	}
	if !b.note(miss) || b.allows() {
		t.Error("did not open")
	}
}

func TestAnyOtherAnswerStartsTheCountAnew(t *testing.T) {
	for _, answer := range []error{nil, errors.New("broken"), status.Error(codes.Unavailable, "away")} {
		b, _ := newTestBreaker()
		b.note(miss)
		b.note(miss)
		b.note(answer)
		if b.note(miss) {
			t.Errorf("opened although %v came between", answer)
		}
	}
}

func TestAfterAPauseOneProbeIsLetThroughAndClosesIt(t *testing.T) {
	b, now := newTestBreaker()
	open(b)
	*now = now.Add(breakerPause - time.Nanosecond)
	if b.allows() {
		t.Error("let somebody through within the pause")
	}
	*now = now.Add(time.Nanosecond)
	if !b.allows() || b.allows() {
		t.Error("want one probe")
	}
	b.note(nil)
	if !b.allows() || !b.allows() {
		t.Error("did not close")
	}
}

func TestAProbeThatMissesBeginsAnotherPause(t *testing.T) {
	b, now := newTestBreaker()
	open(b)
	*now = now.Add(breakerPause)
	if !b.allows() || !b.note(miss) || b.allows() {
		t.Error("want it open again")
	}
	*now = now.Add(breakerPause)
	if !b.allows() {
		t.Error("want another probe")
	}
}
