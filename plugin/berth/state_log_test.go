package berth

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/klog/v2/textlogger"
)

// An admin reads one line for each change, however many pods are asked about meanwhile.
func TestOneLineForEachChangeOfState(t *testing.T) {
	var text bytes.Buffer
	log := &stateLog{logger: textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&text)))}
	away := status.Error(codes.Unavailable, "connection refused")
	for _, step := range []struct {
		what  string
		err   error
		open  bool
		lines []string
	}{
		{"as it should be", nil, false, nil},
		{"one pod too many", miss, false, nil},
		{"a question that was wrong", status.Error(codes.InvalidArgument, "pod"), false, nil},
		{"the service ends", away, false, []string{"is away"}},
		{"and one answer is another error", errors.New("broken"), false, nil},
		{"it is back", nil, false, []string{"is back"}},
		{"it hangs", miss, true, []string{"is slow"}},
		{"then ends", away, false, []string{"is away"}},
		{"and hangs when it is started again", miss, true, []string{"is slow"}},
		{"it is back", nil, false, []string{"is back"}},
	} {
		text.Reset()
		for range 100 {
			log.note(step.err, step.open)
		}
		lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
		if text.Len() == 0 {
			lines = nil
		}
		if len(lines) != len(step.lines) || len(lines) > 0 && !strings.Contains(lines[0], step.lines[0]) {
			t.Errorf("%s: logged %q; want %q", step.what, lines, step.lines)
		}
	}
}
