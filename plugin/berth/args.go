package berth

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	strictjson "sigs.k8s.io/json"
)

// What becomes of a pod while the service does not answer.
const (
	Ignore = "ignore" // kube-scheduler places it without Berth
	Refuse = "refuse" // it waits, and is tried again with backoff
)

const fields = "address, tls (caFile, certFile, keyFile), deadline, onUnavailable or resources, each once"

// Args configures the plugin: pluginConfig.args in KubeSchedulerConfiguration.
type Args struct {
	metav1.TypeMeta `json:",inline"`
	// Address of the service, host:port.
	Address string `json:"address,omitempty"`
	// TLS to the service; plain text without it.
	TLS *TLSArgs `json:"tls,omitempty"`
	// Deadline of one question.
	Deadline Duration `json:"deadline,omitempty"`
	// OnUnavailable is Ignore or Refuse.
	OnUnavailable string `json:"onUnavailable,omitempty"`
	// Resources that mean GPU: a pod that requests none of them is not Berth's.
	Resources []string `json:"resources,omitempty"`
}

// Duration is written as in Go, for example 50ms.
type Duration time.Duration

// UnmarshalJSON implements json.Unmarshaler.
func (d *Duration) UnmarshalJSON(text []byte) error {
	value, err := time.ParseDuration(strings.Trim(string(text), `"`))
	if err != nil || value <= 0 {
		return fmt.Errorf("deadline: is %s; want a duration above zero, for example 50ms", text)
	}
	*d = Duration(value)
	return nil
}

// TLSArgs names PEM files. A certificate with its key is shown to a service that asks for one.
type TLSArgs struct {
	CAFile   string `json:"caFile,omitempty"`
	CertFile string `json:"certFile,omitempty"`
	KeyFile  string `json:"keyFile,omitempty"`
}

// DecodeArgs reads what the configuration says, strictly, over the defaults.
func DecodeArgs(object runtime.Object) (*Args, error) {
	args := &Args{
		Address:       "127.0.0.1:8790",
		Deadline:      Duration(50 * time.Millisecond),
		OnUnavailable: Ignore,
		Resources:     []string{"nvidia.com/gpu", "berth.dev/gpu-milli"},
	}
	if err := decodeOver(args, object); err != nil {
		return nil, fmt.Errorf("BerthArgs: %w", err)
	}
	if err := args.check(); err != nil {
		return nil, fmt.Errorf("BerthArgs: %w", err)
	}
	return args, nil
}

func decodeOver(args *Args, object runtime.Object) error {
	if object == nil {
		return nil
	}
	unknown, ok := object.(*runtime.Unknown)
	if !ok {
		return fmt.Errorf("is a %T; want args in JSON or YAML", object)
	}
	if len(bytes.TrimSpace(unknown.Raw)) == 0 {
		return nil
	}
	doubts, err := strictjson.UnmarshalStrict(unknown.Raw, args)
	if err == nil && len(doubts) > 0 {
		err = fmt.Errorf("%w; want %s", errors.Join(doubts...), fields)
	}
	return err
}

func (a *Args) check() error {
	switch {
	case !isHostPort(a.Address):
		return fmt.Errorf("address: is %q; want the service's host:port, for example 127.0.0.1:8790", a.Address)
	case a.Kind != "" && a.Kind != "BerthArgs":
		return fmt.Errorf("kind: is %q; want BerthArgs, or leave it out", a.Kind)
	case a.OnUnavailable != Ignore && a.OnUnavailable != Refuse:
		return fmt.Errorf("onUnavailable: is %q; want %s or %s", a.OnUnavailable, Ignore, Refuse)
	case len(a.Resources) == 0:
		return errors.New("resources: is empty; want at least one resource name, for example nvidia.com/gpu")
	case slices.Contains(a.Resources, ""):
		return errors.New("resources: has an empty name; want resource names, for example nvidia.com/gpu")
	}
	return a.TLS.check()
}

func isHostPort(address string) bool {
	host, port, err := net.SplitHostPort(address)
	return err == nil && host != "" && port != ""
}

func (t *TLSArgs) check() error {
	switch {
	case t == nil:
		return nil
	case t.CAFile == "":
		return errors.New("tls.caFile: is missing; want the PEM file with the CA that signed the service's certificate")
	case (t.CertFile == "") != (t.KeyFile == ""):
		return errors.New("tls: has one of certFile and keyFile; want both or neither")
	}
	return nil
}
