package berth

import (
	"maps"

	fwk "k8s.io/kube-scheduler/framework"
)

// nodeTable remembers which state of which node the service has confirmed, and calls nodes by
// number. Not thread-safe.
type nodeTable struct {
	nodes []toldNode // by number
	free  []uint32   // numbers that no node has
	// Names to numbers. Never changed, only replaced, so that whoever holds one may read it for as
	// long as it likes.
	directory map[string]uint32
	replaced  bool     // in this walk, so that nobody else holds the directory yet
	order     []uint32 // numbers in the order of the last walk
	walks     uint64
}

type toldNode struct {
	name       string   // empty: the number is free
	generation int64    // of the state that is confirmed
	pods       []string // of that state, their UIDs
	// The service may have another state than the confirmed one, or none.
	unsure bool
	seen   uint64 // the last walk that met it
}

// difference is what a walk found: the nodes that have to be told, and those that are gone.
type difference struct {
	changed []changedNode
	gone    []uint32
}

type changedNode struct {
	number uint32
	info   fwk.NodeInfo
}

// walk compares a snapshot with what is confirmed. The nodes of the difference are unsure from here
// on until it is confirmed.
func (t *nodeTable) walk(nodes []fwk.NodeInfo) difference {
	var found difference
	t.walks++
	t.replaced = false
	for i, info := range nodes {
		number := t.find(i, info.Node().Name)
		node := &t.nodes[number]
		node.seen = t.walks
		if node.unsure || node.generation != info.GetGeneration() {
			node.unsure = true
			found.changed = append(found.changed, changedNode{number, info})
		}
	}
	t.order = t.order[:len(nodes)]
	if len(nodes) != len(t.directory) {
		found.gone = t.missing()
	}
	return found
}

// find gives the number of the node at a place of the snapshot. Most often it is where it was.
func (t *nodeTable) find(place int, name string) uint32 {
	if place < len(t.order) && t.nodes[t.order[place]].name == name {
		return t.order[place]
	}
	number, ok := t.directory[name]
	if !ok {
		number = t.add(name)
	}
	if place < len(t.order) {
		t.order[place] = number
	} else {
		t.order = append(t.order, number)
	}
	return number
}

func (t *nodeTable) add(name string) uint32 {
	number := uint32(len(t.nodes))
	if last := len(t.free) - 1; last >= 0 {
		number = t.free[last]
		t.free = t.free[:last]
	} else {
		t.nodes = append(t.nodes, toldNode{})
	}
	t.nodes[number] = toldNode{name: name, unsure: true}
	t.replaceDirectory()
	t.directory[name] = number
	return number
}

// replaceDirectory makes the directory one that may be changed until the walk is over.
func (t *nodeTable) replaceDirectory() {
	if t.replaced {
		return
	}
	directory := make(map[string]uint32, len(t.directory)+1)
	maps.Copy(directory, t.directory)
	t.directory, t.replaced = directory, true
}

// missing gives the numbers of the nodes that the last walk did not meet.
func (t *nodeTable) missing() []uint32 {
	var missing []uint32
	for number := range t.nodes {
		node := &t.nodes[number]
		if node.name != "" && node.seen != t.walks {
			node.unsure = true
			missing = append(missing, uint32(number))
		}
	}
	return missing
}

// confirm notes that the service has the state that a walk found. Only now are the numbers of nodes
// that are gone free for others.
func (t *nodeTable) confirm(told difference) {
	for _, changed := range told.changed {
		node := &t.nodes[changed.number]
		node.generation, node.pods, node.unsure = changed.info.GetGeneration(), podUIDs(changed.info), false
	}
	if len(told.gone) == 0 {
		return
	}
	t.replaceDirectory()
	for _, number := range told.gone {
		delete(t.directory, t.nodes[number].name)
		t.nodes[number] = toldNode{}
	}
	t.free = append(t.free, told.gone...)
}

// doubt notes that a node may have changed though its generation did not.
func (t *nodeTable) doubt(name string) {
	if number, ok := t.directory[name]; ok {
		t.nodes[number].unsure = true
	}
}

func podUIDs(node fwk.NodeInfo) []string {
	pods := node.GetPods()
	uids := make([]string, len(pods))
	for i, pod := range pods {
		uids[i] = string(pod.GetPod().UID)
	}
	return uids
}
