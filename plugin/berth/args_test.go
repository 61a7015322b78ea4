package berth

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
)

func decode(json string) (*Args, error) {
	return DecodeArgs(&runtime.Unknown{Raw: []byte(json)})
}

func TestWithoutArgsTheDefaultsHold(t *testing.T) {
	for _, object := range []runtime.Object{nil, &runtime.Unknown{}, &runtime.Unknown{Raw: []byte("{}")}} {
		args, err := DecodeArgs(object)
		if err != nil {
			t.Fatal(err)
		}
		if args.Address != "127.0.0.1:8790" || time.Duration(args.Deadline) != 50*time.Millisecond ||
			args.OnUnavailable != Ignore || args.TLS != nil ||
			strings.Join(args.Resources, " ") != "nvidia.com/gpu berth.dev/gpu-milli" {
			t.Errorf("got %+v", args)
		}
	}
}

func TestEveryFieldIsRead(t *testing.T) {
	args, err := decode(`{"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "BerthArgs",
		"address": "berth:1", "deadline": "1s", "onUnavailable": "refuse", "resources": ["example.com/gpu"],
		"tls": {"caFile": "ca.pem", "certFile": "c.pem", "keyFile": "k.pem"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if args.Address != "berth:1" || time.Duration(args.Deadline) != time.Second || args.OnUnavailable != Refuse ||
		len(args.Resources) != 1 || args.Resources[0] != "example.com/gpu" ||
		*args.TLS != (TLSArgs{"ca.pem", "c.pem", "k.pem"}) {
		t.Errorf("got %+v", args)
	}
}

func TestBadArgsNameTheFieldAndWhatWouldBeRight(t *testing.T) {
	for json, says := range map[string][]string{
		`{"adress": "berth:1"}`:                              {"adress", "want address"},
		`{"Address": "berth:1"}`:                             {"Address"},
		`{"address": "a:1", "address": "b:1"}`:               {"address", "duplicate"},
		`{"address": 8790}`:                                  {"address", "string"},
		`{"tls": {"caFile": "a", "caFile": "b"}}`:            {"caFile", "duplicate"},
		`{"address": ""}`:                                    {"address", "host:port"},
		`{"address": "berth"}`:                               {"address", "host:port"},
		`{"address": "http://berth:1"}`:                      {"address", "host:port"},
		`{"deadline": 50}`:                                   {"deadline", "50ms"},
		`{"deadline": "soon"}`:                               {"deadline", "50ms"},
		`{"deadline": "0s"}`:                                 {"deadline", "above zero"},
		`{"deadline": "-50ms"}`:                              {"deadline", "above zero"},
		`{"onUnavailable": "wait"}`:                          {"onUnavailable", "ignore or refuse"},
		`{"resources": []}`:                                  {"resources", "at least one"},
		`{"resources": [""]}`:                                {"resources", "empty name"},
		`{"kind": "OtherArgs"}`:                              {"kind", "BerthArgs"},
		`{"tls": {}}`:                                        {"tls.caFile", "missing"},
		`{"tls": {"caFile": "ca.pem", "certFile": "c.pem"}}`: {"tls", "both or neither"},
		`{"tls": {"caPath": "ca.pem"}}`:                      {"caPath", "caFile"},
		`[]`:                                                 {"BerthArgs"},
	} {
		_, err := decode(json)
		if err == nil {
			t.Errorf("%s was taken", json)
			continue
		}
		for _, text := range append(says, "BerthArgs") {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %q does not say %q", json, err, text)
			}
		}
	}
}
