package berth

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"testing"

	v1 "k8s.io/api/core/v1"
)

func (f *fixture) rank(t *testing.T, cluster *fakeCluster) *ranking {
	t.Helper()
	ranking, err := f.plugin.feeder.Rank(context.Background(), gpuPod("pending", 1), cluster.snapshot())
	if err != nil {
		t.Fatal(err)
	}
	f.knows(t, cluster)
	return ranking
}

func (f *fixture) knows(t *testing.T, cluster *fakeCluster) {
	t.Helper()
	if there, told := cluster.books(), f.service.books(); !reflect.DeepEqual(there, told) {
		t.Fatalf("the service knows %v; the snapshot is %v", told, there)
	}
	if told, there := len(f.service.told), len(cluster.nodes); told != there {
		t.Fatalf("the service knows %d numbers for %d nodes", told, there)
	}
}

func TestTellsEverythingAtFirstAndOnlyChangesThen(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a", "b", "c")
	f.rank(t, cluster)
	if f.service.syncs != 1 {
		t.Fatalf("%d full pictures; want 1", f.service.syncs)
	}
	cluster.addPod(1, gpuPod("p", 1))
	f.rank(t, cluster)
	changed := f.service.last().Changed
	if len(changed) != 1 || changed[0].Node.Name != "b" || len(changed[0].Pods) != 1 {
		t.Fatalf("told %v; want b with its pod", changed)
	}
	f.rank(t, cluster)
	if last := f.service.last(); len(last.Changed) != 0 || f.service.syncs != 1 {
		t.Fatalf("told %v, %d full pictures; want no news", last.Changed, f.service.syncs)
	}
}

func TestSendsOnlyLabelsThatAreRead(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a")
	f.rank(t, cluster)
	for _, node := range f.service.told {
		if !maps.Equal(node.Node.Labels, map[string]string{"model": "A"}) {
			t.Fatalf("told %v; want the model alone", node.Node.Labels)
		}
	}
}

func TestAPodGroupsMembersAreToldThoughTheGenerationIsKept(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a", "b")
	f.rank(t, cluster)
	cluster.addPodKeepingGeneration(0, gpuPod("member", 1))
	f.plugin.Reserve(context.Background(), newFakeState(), gpuPod("member", 1), "a")
	f.rank(t, cluster)
	cluster.nodes[0].pods = nil // taken back
	f.plugin.Unreserve(context.Background(), newFakeState(), gpuPod("member", 1), "a")
	f.rank(t, cluster)
}

func TestALostAnswerIsToldAgain(t *testing.T) {
	for _, fault := range []fault{lostQuestion, lostAnswer} {
		f, cluster := newFixture(t), newFakeCluster("a", "b", "c")
		f.rank(t, cluster)
		cluster.addPod(0, gpuPod("p", 1))
		cluster.addNode("d")
		cluster.removeNode(1)
		f.wire.next = always(fault)
		if _, err := f.plugin.feeder.Rank(context.Background(), gpuPod("pending", 1), cluster.snapshot()); err == nil {
			t.Fatal("answered in spite of the fault")
		}
		f.wire.next = nil
		cluster.removePods(0) // and the lost news is old by now
		cluster.removeNode(2) // never confirmed, and gone already
		f.rank(t, cluster)
		if f.service.syncs != 1 {
			t.Fatalf("%d full pictures; want 1", f.service.syncs)
		}
	}
}

func TestARestartedServiceIsToldEverything(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster("a", "b")
	f.rank(t, cluster)
	f.service.restart()
	f.rank(t, cluster)
	if f.service.syncs != 2 {
		t.Fatalf("%d full pictures; want 2", f.service.syncs)
	}
}

func TestWhileTheServiceIsAwayNothingIsWalkedOrBuilt(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster(nodeNames(50)...)
	f.rank(t, cluster)
	f.wire.next = always(refusedCall)
	ask := func() { _, _ = f.plugin.feeder.Rank(context.Background(), gpuPod("pending", 1), cluster.snapshot()) }
	ask()
	walks := f.plugin.feeder.table.walks
	ask()
	if now := f.plugin.feeder.table.walks; now != walks {
		t.Fatalf("walked %d times for a service that is away", now-walks)
	}
	f.wire.next = nil
	f.rank(t, cluster)
}

func TestALargeChangeIsToldInParts(t *testing.T) {
	f, cluster := newFixture(t), newFakeCluster(nodeNames(mostChanged+1)...)
	f.rank(t, cluster)
	for i := range cluster.nodes {
		cluster.addPod(i, gpuPod(fmt.Sprint("p", i), 1))
	}
	f.rank(t, cluster)
	if f.service.syncs != 2 {
		t.Fatalf("%d full pictures; want 2", f.service.syncs)
	}
}

// Whatever happens to the cluster, the calls and the service: each answer is for exactly the
// snapshot that was asked about.
func TestEveryAnswerIsForTheSnapshot(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 1))
		f, cluster := newFixture(t), newFakeCluster("first")
		f.wire.next = func(string) fault {
			if random.IntN(4) == 0 {
				return fault(random.IntN(4))
			}
			return noFault
		}
		answered := 0
		for step := range 150 {
			change(random, f, cluster, step)
			f.clock.advance(breakerPause) // the breaker has tests of its own
			ranking, err := f.plugin.feeder.Rank(context.Background(), gpuPod("pending", 1), cluster.snapshot())
			if err != nil {
				continue
			}
			answered++
			f.knows(t, cluster)
			for _, node := range cluster.nodes {
				if ranking.place(node.node.Name) == unranked {
					t.Fatalf("seed %d, step %d: %s is not in the ranking", seed, step, node.node.Name)
				}
			}
		}
		if answered < 50 {
			t.Fatalf("seed %d: only %d answers", seed, answered)
		}
	}
}

func change(random *rand.Rand, f *fixture, cluster *fakeCluster, step int) {
	some := func() int { return random.IntN(len(cluster.nodes)) }
	pod := func() *v1.Pod { return gpuPod(fmt.Sprint("p", step), 1) }
	switch random.IntN(8) {
	case 0:
		// Of a few names, so that some come back.
		if name := fmt.Sprint("node-", random.IntN(12)); !cluster.has(name) {
			cluster.addNode(name)
		}
	case 1:
		if len(cluster.nodes) > 1 {
			cluster.removeNode(some())
		}
	case 2, 3:
		cluster.addPod(some(), pod())
	case 4:
		cluster.removePods(some())
	case 5:
		i := some()
		cluster.addPodKeepingGeneration(i, pod())
		f.plugin.feeder.Doubt(cluster.nodes[i].node.Name)
	case 6:
		random.Shuffle(len(cluster.nodes), func(i, j int) {
			cluster.nodes[i], cluster.nodes[j] = cluster.nodes[j], cluster.nodes[i]
		})
	case 7:
		if random.IntN(10) == 0 {
			f.service.restart()
		}
	}
}
