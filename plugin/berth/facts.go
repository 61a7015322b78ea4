package berth

import (
	"strings"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	resourcehelper "k8s.io/component-helpers/resource"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/plugin/berthv1"
)

// Annotations under this prefix are facts; what they mean only the service knows.
const annotationPrefix = "berth.dev/"

// nodeFacts states a node as kube-scheduler counts it.
func nodeFacts(node *v1.Node, labels []string) *berthv1.NodeFacts {
	return &berthv1.NodeFacts{
		Name:          node.Name,
		Allocatable:   amounts(node.Status.Allocatable),
		Labels:        onlyKeys(node.Labels, labels),
		Annotations:   berthAnnotations(node.Annotations),
		NotReady:      notReady(node),
		Unschedulable: node.Spec.Unschedulable,
	}
}

// nodePods states the pods on a node, assumed ones included.
func nodePods(pods []fwk.PodInfo) []*berthv1.PodFacts {
	facts := make([]*berthv1.PodFacts, len(pods))
	for i, info := range pods {
		facts[i] = placedPodFacts(info)
	}
	return facts
}

// placedPodFacts states a pod on a node, with the requests that kube-scheduler counts for it there.
func placedPodFacts(info fwk.PodInfo) *berthv1.PodFacts {
	return podFacts(info.GetPod(), counted(info.CalculateResource().Resource))
}

// pendingPodFacts states a pod that has no node yet.
func pendingPodFacts(pod *v1.Pod) *berthv1.PodFacts {
	return podFacts(pod, amounts(podRequests(pod)))
}

// podRequests sums up a pending pod's requests, as NodeResourcesFit does.
func podRequests(pod *v1.Pod) v1.ResourceList {
	return resourcehelper.PodRequests(pod, resourcehelper.PodResourcesOptions{})
}

func podFacts(pod *v1.Pod, requests map[string]int64) *berthv1.PodFacts {
	facts := &berthv1.PodFacts{
		Uid:         string(pod.UID),
		Namespace:   pod.Namespace,
		Name:        pod.Name,
		Requests:    requests,
		Annotations: berthAnnotations(pod.Annotations),
		NodeName:    pod.Spec.NodeName,
	}
	if pod.Spec.Priority != nil {
		facts.Priority = *pod.Spec.Priority
	}
	if owner := metav1.GetControllerOfNoCopy(pod); owner != nil {
		facts.Owner = owner.Kind + "/" + owner.Name
	}
	return facts
}

// amounts is a resource list in the units of the protocol.
func amounts(list v1.ResourceList) map[string]int64 {
	amounts := make(map[string]int64, len(list))
	for name, quantity := range list {
		if name == v1.ResourceCPU {
			amounts[string(name)] = quantity.MilliValue()
		} else {
			amounts[string(name)] = quantity.Value()
		}
	}
	return amounts
}

// counted is what kube-scheduler has summed up, in the units of the protocol.
func counted(resource fwk.Resource) map[string]int64 {
	scalars := resource.GetScalarResources()
	amounts := make(map[string]int64, len(scalars)+3)
	for name, amount := range scalars {
		amounts[string(name)] = amount
	}
	for name, amount := range map[v1.ResourceName]int64{
		v1.ResourceCPU:              resource.GetMilliCPU(),
		v1.ResourceMemory:           resource.GetMemory(),
		v1.ResourceEphemeralStorage: resource.GetEphemeralStorage(),
	} {
		if amount != 0 {
			amounts[string(name)] = amount
		}
	}
	return amounts
}

func berthAnnotations(annotations map[string]string) map[string]string {
	var found map[string]string
	for key, value := range annotations {
		if strings.HasPrefix(key, annotationPrefix) {
			if found == nil {
				found = make(map[string]string)
			}
			found[key] = value
		}
	}
	return found
}

func onlyKeys(labels map[string]string, keys []string) map[string]string {
	found := make(map[string]string, len(keys))
	for _, key := range keys {
		if value, ok := labels[key]; ok {
			found[key] = value
		}
	}
	return found
}

// notReady as the service's facts define it; a node that never reported is ready.
func notReady(node *v1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == v1.NodeReady {
			return condition.Status == v1.ConditionFalse || condition.Status == v1.ConditionUnknown
		}
	}
	return false
}
