package berth

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	"berth.dev/plugin/berthv1"
)

// Bytes of a part of a full picture; a message may have 16 MiB.
const partBytes = 1 << 20

var (
	errPaused   = errors.New("is not asked for a second, after three missed deadlines")
	errBaseLost = errors.New("lost the picture that it was just told")
)

// service is the way to the service: deadlines and the breaker.
// Thread-safe.
type service struct {
	client   berthv1.PlacementClient
	deadline time.Duration
	breaker  *breaker
}

func (s *service) rank(ctx context.Context, request *berthv1.RankRequest) (*berthv1.RankResponse, error) {
	return ask(ctx, s, s.deadline, func(ctx context.Context) (*berthv1.RankResponse, error) {
		return s.client.Rank(ctx, request)
	})
}

func (s *service) whatIf(ctx context.Context, request *berthv1.WhatIfRequest) (*berthv1.WhatIfResponse, error) {
	return ask(ctx, s, s.deadline, func(ctx context.Context) (*berthv1.WhatIfResponse, error) {
		return s.client.WhatIf(ctx, request)
	})
}

// sync tells a full picture in parts, each made only when it is sent.
func (s *service) sync(
	ctx context.Context, feeder string, sequence uint64, nodes []changedNode,
	state func(changedNode) *berthv1.NodeState,
) error {
	_, err := ask(ctx, s, syncDeadline, func(ctx context.Context) (*berthv1.SyncResponse, error) {
		stream, err := s.client.Sync(ctx)
		if err != nil {
			return nil, err
		}
		part, bytes := &berthv1.SyncRequest{Feeder: feeder, Sequence: sequence}, 0
		for _, node := range nodes {
			told := state(node)
			part.Nodes = append(part.Nodes, told)
			bytes += proto.Size(told)
			if bytes < partBytes {
				continue
			}
			if err := stream.Send(part); err != nil {
				return stream.CloseAndRecv() // says why
			}
			part, bytes = &berthv1.SyncRequest{}, 0
		}
		if err := stream.Send(part); err != nil {
			return stream.CloseAndRecv()
		}
		return stream.CloseAndRecv()
	})
	return err
}

func ask[Answer any](
	ctx context.Context, s *service, deadline time.Duration,
	question func(context.Context) (Answer, error),
) (Answer, error) {
	if !s.breaker.allows() {
		var none Answer
		return none, errPaused
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	answer, err := question(ctx)
	s.breaker.note(err)
	return answer, err
}

// dial prepares the connection; it does not wait for the service. One that was away is found again
// within a second.
func dial(args *Args) (*grpc.ClientConn, error) {
	transport, err := transportCredentials(args.TLS)
	if err != nil {
		return nil, err
	}
	return grpc.NewClient("passthrough:///"+args.Address,
		grpc.WithTransportCredentials(transport),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: time.Second,
		}))
}

func transportCredentials(args *TLSArgs) (credentials.TransportCredentials, error) {
	if args == nil {
		return insecure.NewCredentials(), nil
	}
	pem, err := os.ReadFile(args.CAFile)
	if err != nil {
		return nil, fmt.Errorf("BerthArgs: tls.caFile: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("BerthArgs: tls.caFile: %s holds no certificate in PEM", args.CAFile)
	}
	config := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	if args.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(args.CertFile, args.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("BerthArgs: tls.certFile and tls.keyFile: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return credentials.NewTLS(config), nil
}
