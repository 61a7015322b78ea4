package berth

import (
	"maps"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestAmountsAreInTheUnitsOfTheProtocol(t *testing.T) {
	list := v1.ResourceList{
		"cpu": resource.MustParse("1.5"), "memory": resource.MustParse("1Gi"),
		"nvidia.com/gpu": resource.MustParse("2"), "berth.dev/gpu-milli": resource.MustParse("1k"),
	}
	want := map[string]int64{"cpu": 1500, "memory": 1 << 30, "nvidia.com/gpu": 2, "berth.dev/gpu-milli": 1000}
	if got := amounts(list); !maps.Equal(got, want) {
		t.Errorf("got %v; want %v", got, want)
	}
}

// The service must not see another demand when a pod has found its node.
func TestAPodRequestsTheSamePendingAndPlaced(t *testing.T) {
	pod := gpuPod("p", 2)
	sidecars := v1.ContainerRestartPolicyAlways
	pod.Spec.InitContainers = []v1.Container{{
		RestartPolicy: &sidecars,
		Resources:     v1.ResourceRequirements{Requests: v1.ResourceList{"cpu": resource.MustParse("250m")}},
	}}
	pending, placed := pendingPodFacts(pod).Requests, placedPodFacts(&fakePod{pod: pod}).Requests
	if want := map[string]int64{"cpu": 750, "nvidia.com/gpu": 2}; !maps.Equal(pending, want) || !maps.Equal(placed, want) {
		t.Errorf("pending %v, placed %v; want %v", pending, placed, want)
	}
}

func TestOnlyBerthsAnnotationsArePassedOnAndVerbatim(t *testing.T) {
	pod := gpuPod("p", 1)
	pod.Annotations = map[string]string{"berth.dev/gpu-models": " A | b ", "example.com/x": "y", "berth.device/x": "y"}
	pod.OwnerReferences = []metav1.OwnerReference{{Kind: "Job", Name: "j", Controller: new(bool)}, {Kind: "RS", Name: "r"}}
	*pod.OwnerReferences[0].Controller = true
	facts := pendingPodFacts(pod)
	if !maps.Equal(facts.Annotations, map[string]string{"berth.dev/gpu-models": " A | b "}) || facts.Owner != "Job/j" {
		t.Errorf("got %v", facts)
	}
}

func TestANodeIsReadyUnlessItSaysOtherwise(t *testing.T) {
	for status, notReady := range map[v1.ConditionStatus]bool{"": false, "True": false, "False": true, "Unknown": true} {
		node := gpuNode("a", 1)
		if status != "" {
			node.Status.Conditions = []v1.NodeCondition{{Type: "MemoryPressure", Status: "True"}, {Type: v1.NodeReady, Status: status}}
		}
		if got := nodeFacts(node, nil).NotReady; got != notReady {
			t.Errorf("Ready %q: not ready is %v", status, got)
		}
	}
}
