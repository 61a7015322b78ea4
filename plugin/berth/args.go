package berth

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
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

// Args configures the plugin: pluginConfig.args in KubeSchedulerConfiguration.
type Args struct {
	metav1.TypeMeta `json:",inline"`
	// Address of the service, host:port.
	Address string `json:"address,omitempty"`
	// TLS to the service; plain text without it.
	TLS *TLSArgs `json:"tls,omitempty"`
	// Deadline of one question.
	Deadline metav1.Duration `json:"deadline,omitempty"`
	// OnUnavailable is Ignore or Refuse.
	OnUnavailable string `json:"onUnavailable,omitempty"`
	// Resources that mean GPU: a pod that requests none of them is not Berth's.
	Resources []string `json:"resources,omitempty"`
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
		Deadline:      metav1.Duration{Duration: 50 * time.Millisecond},
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
	return errors.Join(append([]error{err}, doubts...)...)
}

func (a *Args) check() error {
	switch {
	case a.Kind != "" && a.Kind != "BerthArgs":
		return fmt.Errorf("kind: is %q; want BerthArgs, or leave it out", a.Kind)
	case a.Deadline.Duration <= 0:
		return fmt.Errorf("deadline: is %v; want a duration above zero, for example 50ms", a.Deadline.Duration)
	case a.OnUnavailable != Ignore && a.OnUnavailable != Refuse:
		return fmt.Errorf("onUnavailable: is %q; want %s or %s", a.OnUnavailable, Ignore, Refuse)
	case len(a.Resources) == 0:
		return errors.New("resources: is empty; want at least one resource name, for example nvidia.com/gpu")
	case slices.Contains(a.Resources, ""):
		return errors.New("resources: has an empty name; want resource names, for example nvidia.com/gpu")
	}
	return a.TLS.check()
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
