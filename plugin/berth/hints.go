package berth

import (
	"context"
	"maps"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
)

// EventsToRegister names the events that can help a pod that Berth refused. Taints, cordons and
// readiness are not among them: Berth refuses nothing for them, so the in-tree plugins that do wake
// the pod.
func (p *Plugin) EventsToRegister(context.Context) ([]fwk.ClusterEventWithHint, error) {
	// Annotations have no event of their own, only the general Update tells of them; and Kubernetes
	// 1.36 has no narrower resource than Pod.
	podChanges := fwk.Delete | fwk.Update
	nodeChanges := fwk.Add | fwk.UpdateNodeAllocatable | fwk.UpdateNodeLabel | fwk.UpdateNodeAnnotation
	return []fwk.ClusterEventWithHint{
		{Event: fwk.ClusterEvent{Resource: fwk.Pod, ActionType: podChanges}, QueueingHintFn: p.afterPodChange},
		{Event: fwk.ClusterEvent{Resource: fwk.Node, ActionType: nodeChanges}, QueueingHintFn: p.afterNodeChange},
	}, nil
}

func (p *Plugin) afterPodChange(_ klog.Logger, pod *v1.Pod, before, after any) (fwk.QueueingHint, error) {
	was, ok := before.(*v1.Pod)
	if !ok {
		return fwk.Queue, nil
	}
	now, updated := after.(*v1.Pod)
	switch {
	case !updated:
		// Also without a node name: it was assumed or nominated, else it would make no event.
		return queueIf(requestsAny(was, p.args.Resources)), nil
	case now.UID != pod.UID: // what a pod holds does not change while it runs
		return fwk.QueueSkip, nil
	}
	return queueIf(asksOtherwise(was, now)), nil
}

func (p *Plugin) afterNodeChange(_ klog.Logger, _ *v1.Pod, before, after any) (fwk.QueueingHint, error) {
	now, ok := after.(*v1.Node)
	if !ok {
		return fwk.Queue, nil
	}
	was, ok := before.(*v1.Node)
	if !ok { // added
		was = &v1.Node{}
	}
	return queueIf(p.hasMore(was, now) || p.hasAny(now) && p.readsOtherwise(was, now)), nil
}

// hasMore says whether a node has more of a resource that means GPU than it had.
func (p *Plugin) hasMore(was, now *v1.Node) bool {
	for _, resource := range p.args.Resources {
		name := v1.ResourceName(resource)
		amount := now.Status.Allocatable[name]
		if amount.Cmp(was.Status.Allocatable[name]) > 0 {
			return true
		}
	}
	return false
}

func (p *Plugin) hasAny(node *v1.Node) bool { return p.hasMore(&v1.Node{}, node) }

// readsOtherwise says whether something changed that the service reads.
func (p *Plugin) readsOtherwise(was, now *v1.Node) bool {
	labels := p.feeder.labels.get()
	return !maps.Equal(onlyKeys(was.Labels, labels), onlyKeys(now.Labels, labels)) ||
		!maps.Equal(berthAnnotations(was.Annotations), berthAnnotations(now.Annotations))
}

// asksOtherwise says whether something changed in a waiting pod that the service reads.
func asksOtherwise(was, now *v1.Pod) bool {
	return !maps.Equal(berthAnnotations(was.Annotations), berthAnnotations(now.Annotations)) ||
		!equality.Semantic.DeepEqual(podRequests(was), podRequests(now))
}

func queueIf(helps bool) fwk.QueueingHint {
	if helps {
		return fwk.Queue
	}
	return fwk.QueueSkip
}
