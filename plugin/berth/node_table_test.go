package berth

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	fwk "k8s.io/kube-scheduler/framework"
)

func newFakeNode(name string, generation int64) fwk.NodeInfo {
	return &fakeNode{node: gpuNode(name, 8), generation: generation}
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
			generations[name] = random.Int64N(3) // of a few, so that old ones come back
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

func TestANumberIsFreeOnlyWhenItsNodeIsConfirmedGone(t *testing.T) {
	cluster, table := newFakeCluster("a", "b"), nodeTable{}
	table.confirm(table.walk(cluster.snapshot()))
	number := table.directory["a"]

	cluster.removeNode(0)
	cluster.addNode("c")
	unconfirmed := table.walk(cluster.snapshot())
	if table.directory["c"] == number {
		t.Fatal("the number of a node whose end is not confirmed went to another")
	}
	if len(unconfirmed.gone) != 1 || unconfirmed.gone[0] != number {
		t.Fatalf("gone: %v; want %d", unconfirmed.gone, number)
	}
	table.confirm(table.walk(cluster.snapshot()))
	cluster.addNode("d")
	table.walk(cluster.snapshot())
	if table.directory["d"] != number {
		t.Fatal("a free number was not used again")
	}
}

func TestADirectoryThatIsHeldNeverChanges(t *testing.T) {
	cluster, table := newFakeCluster("a", "b"), nodeTable{}
	table.confirm(table.walk(cluster.snapshot()))
	held := table.directory
	cluster.removeNode(0)
	cluster.addNode("c")
	table.confirm(table.walk(cluster.snapshot()))
	if _, ok := held["a"]; !ok || len(held) != 2 {
		t.Fatalf("the directory that was held became %v", held)
	}
}

func TestAWalkOfUnchangedNodesAllocatesNothing(t *testing.T) {
	nodes, table := newFakeCluster(nodeNames(100)...).snapshot(), nodeTable{}
	table.confirm(table.walk(nodes))
	if allocations := testing.AllocsPerRun(10, func() { table.walk(nodes) }); allocations != 0 {
		t.Fatalf("%v allocations", allocations)
	}
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
