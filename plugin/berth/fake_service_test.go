package berth

import (
	"context"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"k8s.io/component-base/metrics"
	"k8s.io/klog/v2/textlogger"

	"berth.dev/plugin/berthv1"
)

// fakeService keeps the rules of placement.proto, and remembers what it was told. It ranks nodes by
// number, the highest first, less those that a test has refused.
type fakeService struct {
	berthv1.UnimplementedPlacementServer

	mu       sync.Mutex
	feeder   string
	sequence uint64
	told     map[uint32]*berthv1.NodeState
	ranks    []*berthv1.RankRequest
	syncs    int
	whatIfs  []*berthv1.WhatIfRequest

	refused map[string]*berthv1.WhatIfResponse // by node name
	invalid string
	whatIf  func(*berthv1.WhatIfRequest) (*berthv1.WhatIfResponse, error)
}

func (s *fakeService) Sync(stream grpc.ClientStreamingServer[berthv1.SyncRequest, berthv1.SyncResponse]) error {
	var feeder string
	var sequence uint64
	told := map[uint32]*berthv1.NodeState{}
	for first := true; ; first = false {
		part, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if first {
			feeder, sequence = part.Feeder, part.Sequence
		}
		for _, node := range part.Nodes {
			told[node.Number] = node
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.syncs++
	s.feeder, s.sequence, s.told = feeder, sequence, told
	return stream.SendAndClose(&berthv1.SyncResponse{})
}

func (s *fakeService) Rank(_ context.Context, request *berthv1.RankRequest) (*berthv1.RankResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ranks = append(s.ranks, request)
	if request.Feeder == s.feeder && request.Sequence <= s.sequence {
		return nil, status.Error(codes.Aborted, "a later call came first")
	}
	if request.Feeder != s.feeder || request.Base == 0 || request.Base > s.sequence {
		full := &berthv1.RankResponse_NeedFull{NeedFull: &berthv1.NeedFull{Labels: []string{"model"}}}
		return &berthv1.RankResponse{Outcome: full}, nil
	}
	for _, number := range request.Gone {
		delete(s.told, number)
	}
	for _, node := range request.Changed {
		s.told[node.Number] = node
	}
	s.sequence = request.Sequence
	return &berthv1.RankResponse{Outcome: &berthv1.RankResponse_Ranking{Ranking: s.ranking()}}, nil
}

func (s *fakeService) ranking() *berthv1.Ranking {
	if s.invalid != "" {
		return &berthv1.Ranking{Invalid: s.invalid}
	}
	answer := &berthv1.Ranking{Policy: "fake"}
	for number, node := range s.told {
		if refusal, ok := s.refused[node.Node.Name]; ok {
			answer.Refused = append(answer.Refused,
				&berthv1.Refusal{Reason: refusal.Reason, Never: refusal.Never, Nodes: []uint32{number}})
			continue
		}
		answer.Order = append(answer.Order, number)
	}
	slices.SortFunc(answer.Order, func(a, b uint32) int { return int(b) - int(a) })
	answer.Feasible = uint32(len(answer.Order))
	return answer
}

func (s *fakeService) WhatIf(_ context.Context, request *berthv1.WhatIfRequest) (*berthv1.WhatIfResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whatIfs = append(s.whatIfs, request)
	if request.Feeder != s.feeder || request.Base != s.sequence {
		return nil, status.Error(codes.FailedPrecondition, "base: is another")
	}
	if s.whatIf == nil {
		return nil, status.Error(codes.Unimplemented, "this test expects no such question")
	}
	return s.whatIf(request)
}

// restart forgets everything, as a new process does.
func (s *fakeService) restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.feeder, s.sequence, s.told = "", 0, nil
}

// books are the UIDs of the pods by node name, as they were told.
func (s *fakeService) books() map[string][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	books := map[string][]string{}
	for _, node := range s.told {
		uids := []string{}
		for _, pod := range node.Pods {
			uids = append(uids, pod.Uid)
		}
		books[node.Node.Name] = uids
	}
	return books
}

func (s *fakeService) last() *berthv1.RankRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ranks[len(s.ranks)-1]
}

// fault is what becomes of a call on its way.
type fault int

const (
	noFault      fault = iota
	lostQuestion       // never arrives, and the deadline passes
	lostAnswer         // arrives, is applied, and the deadline passes
	refusedCall        // nobody listens
)

// wire is the connection, with faults.
type wire struct {
	next func(call string) fault
}

func (w *wire) faultOf(method string) fault {
	if w.next == nil {
		return noFault
	}
	return w.next(method[len("/berth.v1.Placement/"):])
}

var errDeadline = status.Error(codes.DeadlineExceeded, "deadline")

func (w *wire) unary(
	ctx context.Context, method string, request, answer any, connection *grpc.ClientConn,
	invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	switch w.faultOf(method) {
	case lostQuestion:
		return errDeadline
	case refusedCall:
		return status.Error(codes.Unavailable, "connection refused")
	case lostAnswer:
		_ = invoke(ctx, method, request, answer, connection, options...)
		return errDeadline
	}
	return invoke(ctx, method, request, answer, connection, options...)
}

type answerlessStream struct{ grpc.ClientStream }

func (s answerlessStream) RecvMsg(message any) error {
	_ = s.ClientStream.RecvMsg(message)
	return errDeadline
}

func (w *wire) stream(
	ctx context.Context, description *grpc.StreamDesc, connection *grpc.ClientConn, method string,
	open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	switch w.faultOf(method) {
	case lostQuestion:
		return nil, errDeadline
	case refusedCall:
		return nil, status.Error(codes.Unavailable, "connection refused")
	case lostAnswer:
		stream, err := open(ctx, description, connection, method, options...)
		return answerlessStream{stream}, err
	}
	return open(ctx, description, connection, method, options...)
}

// fakeClock stands still until it is moved.
type fakeClock struct{ time time.Time }

func (c *fakeClock) now() time.Time           { return c.time }
func (c *fakeClock) advance(by time.Duration) { c.time = c.time.Add(by) }

// fixture is a plugin with a fake service at the other end of a real gRPC connection.
type fixture struct {
	service *fakeService
	wire    *wire
	clock   *fakeClock
	metrics metrics.KubeRegistry
	plugin  *Plugin
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{
		service: &fakeService{refused: map[string]*berthv1.WhatIfResponse{}},
		wire:    &wire{},
		clock:   &fakeClock{time.Unix(1000, 0)},
		metrics: metrics.NewKubeRegistry(),
	}
	listener := bufconn.Listen(1 << 20)
	server := grpc.NewServer()
	berthv1.RegisterPlacementServer(server, f.service)
	go func() { _ = server.Serve(listener) }()
	connection, err := grpc.NewClient("passthrough:///fake",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithUnaryInterceptor(f.wire.unary), grpc.WithStreamInterceptor(f.wire.stream))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = connection.Close()
		server.Stop()
	})
	args, err := DecodeArgs(nil)
	if err != nil {
		t.Fatal(err)
	}
	f.plugin = &Plugin{args: args, feeder: newFeeder(&service{
		client:   berthv1.NewPlacementClient(connection),
		deadline: time.Minute, // faults stand for missed deadlines
		breaker:  &breaker{now: f.clock.now},
		metrics:  newPluginMetrics(f.metrics.MustRegister),
		log:      &stateLog{logger: textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(io.Discard)))},
	}, "feeder-1")}
	return f
}

// always is a wire fault for every call.
func always(f fault) func(string) fault { return func(string) fault { return f } }
