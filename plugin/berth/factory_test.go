package berth

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-base/metrics"
)

func TestProfilesWithTheSameArgumentsShareWhatWasTold(t *testing.T) {
	factory := NewFactory(metrics.NewKubeRegistry().MustRegister)
	feederOf := func(json string) *feeder {
		plugin, err := factory(context.Background(), &runtime.Unknown{Raw: []byte(json)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return plugin.(*Plugin).feeder
	}
	first := feederOf(`{}`)
	if feederOf(`{"address": "127.0.0.1:8790"}`) != first {
		t.Error("the same arguments gave another connection")
	}
	for _, other := range []string{`{"address": "127.0.0.1:8791"}`, `{"deadline": "51ms"}`} {
		if second := feederOf(other); second == first || second.name == first.name {
			t.Errorf("%s shares the connection of the defaults", other)
		}
	}
}

func TestATLSFileThatCannotBeUsedIsNamedWithItsField(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "garbage.pem")
	if err := os.WriteFile(garbage, []byte("no PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{garbage, "/does/not/exist.pem"} {
		factory := NewFactory(metrics.NewKubeRegistry().MustRegister)
		_, err := factory(context.Background(), &runtime.Unknown{Raw: []byte(`{"tls": {"caFile": "` + file + `"}}`)}, nil)
		if err == nil || !strings.Contains(err.Error(), "tls.caFile") || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
