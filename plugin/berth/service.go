package berth

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"iter"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"

	"berth.dev/plugin/berthv1"
)

// How long a full picture may take; it is told once, when the service starts or has lost it.
const syncDeadline = 2 * time.Second

var (
	errPaused   = errors.New("the service is not asked for a second, after three missed deadlines")
	errNotTold  = errors.New("the service does not have the picture that this is about")
	errBaseLost = errors.New("the service lost the picture that it was just told")
)

// service is the way to the service: deadlines and the breaker.
// Thread-safe.
type service struct {
	client   berthv1.PlacementClient
	deadline time.Duration
	breaker  *breaker
	metrics  *pluginMetrics
	log      *stateLog
}

// allows says whether to ask now.
func (s *service) allows() error {
	if !s.breaker.allows() {
		return errPaused
	}
	return nil
}

func (s *service) rank(ctx context.Context, request *berthv1.RankRequest) (*berthv1.RankResponse, error) {
	return ask(ctx, s, "rank", s.deadline, func(ctx context.Context) (*berthv1.RankResponse, error) {
		return s.client.Rank(ctx, request)
	})
}

func (s *service) whatIf(ctx context.Context, request *berthv1.WhatIfRequest) (*berthv1.WhatIfResponse, error) {
	return ask(ctx, s, "what_if", s.deadline, func(ctx context.Context) (*berthv1.WhatIfResponse, error) {
		return s.client.WhatIf(ctx, request)
	})
}

// sync tells a full picture in parts, each made only when it is sent.
func (s *service) sync(ctx context.Context, parts iter.Seq[*berthv1.SyncRequest]) error {
	_, err := ask(ctx, s, "sync", syncDeadline, func(ctx context.Context) (*berthv1.SyncResponse, error) {
		stream, err := s.client.Sync(ctx)
		if err != nil {
			return nil, err
		}
		for part := range parts {
			if stream.Send(part) != nil {
				break // CloseAndRecv says why
			}
		}
		return stream.CloseAndRecv()
	})
	return err
}

func ask[Answer any](
	ctx context.Context, s *service, call string, deadline time.Duration,
	question func(context.Context) (Answer, error),
) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	start := time.Now()
	answer, err := question(ctx)
	s.metrics.observe(call, err, time.Since(start))
	open := s.breaker.note(err)
	s.metrics.setBreaker(open)
	s.log.note(err, open)
	return answer, err
}

// dial prepares the connection; it does not wait for the service. One that was away is found again
// within a second.
func dial(args *Args) (*grpc.ClientConn, error) {
	transport, err := transportCredentials(args.TLS)
	if err != nil {
		return nil, err
	}
	connection, err := grpc.NewClient("passthrough:///"+args.Address,
		grpc.WithTransportCredentials(transport),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: time.Second,
		}),
		// A peer that is gone without a word, such as a node without power, acknowledges nothing; the
		// kernel ends the connection then (gRPC proposal A18), and the next one may lead elsewhere.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 5 * time.Second}))
	if err != nil {
		return nil, fmt.Errorf("address: %q: %w", args.Address, err)
	}
	return connection, nil
}

func transportCredentials(args *TLSArgs) (credentials.TransportCredentials, error) {
	if args == nil {
		return insecure.NewCredentials(), nil
	}
	pem, err := os.ReadFile(args.CAFile)
	if err != nil {
		return nil, fmt.Errorf("tls.caFile: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("tls.caFile: %s holds no certificate in PEM", args.CAFile)
	}
	config := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	if args.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(args.CertFile, args.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("tls.certFile and tls.keyFile: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return credentials.NewTLS(config), nil
}
