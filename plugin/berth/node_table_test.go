package berth

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// fakeNode is a node of a snapshot, as far as a walk looks at it.
type fakeNode struct {
	fwk.NodeInfo
	node       *v1.Node
	generation int64
}

func (n *fakeNode) Node() *v1.Node       { return n.node }
func (n *fakeNode) GetGeneration() int64 { return n.generation }

func newFakeNode(name string, generation int64) fwk.NodeInfo {
	return &fakeNode{node: &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}, generation: generation}
}

// A service that keeps what it is told, by number.
type told map[uint32]string

func (s told) apply(d difference) {
	for _, number := range d.gone {
		delete(s, number)
	}
	for _, changed := range d.changed {
		s[changed.number] = state(changed.info)
	}
}

func state(info fwk.NodeInfo) string {
	return fmt.Sprint(info.Node().Name, "@", info.GetGeneration())
}

func TestAnUnchangedSnapshotIsNotToldAgain(t *testing.T) {
	var table nodeTable
	snapshot := []fwk.NodeInfo{newFakeNode("a", 1), newFakeNode("b", 2)}
	table.confirm(table.walk(snapshot))
	if again := table.walk(snapshot); len(again.changed)+len(again.gone) != 0 {
		t.Errorf("told again: %v", again)
	}
}

func TestAGenerationThatWentBackIsAChangeToo(t *testing.T) {
	var table nodeTable
	table.confirm(table.walk([]fwk.NodeInfo{newFakeNode("a", 7)}))
	if again := table.walk([]fwk.NodeInfo{newFakeNode("a", 3)}); len(again.changed) != 1 {
		t.Error("not told")
	}
}

func TestADoubtfulNodeIsToldThoughItsGenerationIsTheSame(t *testing.T) {
	var table nodeTable
	snapshot := []fwk.NodeInfo{newFakeNode("a", 1), newFakeNode("b", 2)}
	table.confirm(table.walk(snapshot))
	table.doubt("b")
	table.doubt("nobody")
	again := table.walk(snapshot)
	if len(again.changed) != 1 || again.changed[0].info.Node().Name != "b" {
		t.Errorf("told %v", again)
	}
}

// Whatever happens to the nodes and to the answers, once an answer has come the service has just the
// snapshot: also what it was told in vain, and what it took without our hearing of it.
func TestAfterEachConfirmedWalkTheServiceHasTheSnapshot(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		var table nodeTable
		service, generations := told{}, map[string]int64{}
		for step := range 2000 {
			changeAny(random, generations)
			snapshot := snapshotOf(random, generations)
			difference := table.walk(snapshot)
			answered, taken := random.IntN(4) > 0, random.IntN(2) > 0
			if answered || taken {
				service.apply(difference)
			}
			if !answered {
				continue
			}
			table.confirm(difference)
			if err := service.sameAs(snapshot, table.directory); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
		}
	}
}

func changeAny(random *rand.Rand, generations map[string]int64) {
	for range random.IntN(4) {
		name := fmt.Sprint("node-", random.IntN(12))
		if random.IntN(4) == 0 {
			delete(generations, name)
		} else {
			generations[name] = random.Int64N(1 << 40)
		}
	}
}

func snapshotOf(random *rand.Rand, generations map[string]int64) []fwk.NodeInfo {
	var snapshot []fwk.NodeInfo
	for name, generation := range generations {
		snapshot = append(snapshot, newFakeNode(name, generation))
	}
	random.Shuffle(len(snapshot), func(i, j int) { snapshot[i], snapshot[j] = snapshot[j], snapshot[i] })
	return snapshot
}

func (s told) sameAs(snapshot []fwk.NodeInfo, directory map[string]uint32) error {
	want := told{}
	for _, info := range snapshot {
		number, ok := directory[info.Node().Name]
		if !ok {
			return fmt.Errorf("%s has no number", info.Node().Name)
		}
		want[number] = state(info)
	}
	if !maps.Equal(s, want) {
		return fmt.Errorf("the service has %v, want %v", s, want)
	}
	return nil
}

func BenchmarkWalkOf5000UnchangedNodes(b *testing.B) {
	var snapshot []fwk.NodeInfo
	for i := range 5000 {
		snapshot = append(snapshot, newFakeNode(fmt.Sprint("node-", i), int64(i)))
	}
	var table nodeTable
	table.confirm(table.walk(snapshot))
	b.ReportAllocs()
	for b.Loop() {
		table.walk(snapshot)
	}
}
