package berth

import (
	"context"
	"slices"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/plugin/berthv1"
)

// WhatIf asks whether a node could take a pod as the node is in a copy. What differs there from the
// node that the service knows is found by comparing the two: since the pod was ranked the service may
// have been told of others, as when the pods of a group are placed.
func (f *feeder) WhatIf(ctx context.Context, pod *v1.Pod, node fwk.NodeInfo) (*berthv1.WhatIfResponse, error) {
	if err := f.service.allows(); err != nil {
		return nil, err
	}
	request, err := f.whatIfRequest(pod, node)
	if err != nil {
		return nil, err
	}
	return f.service.whatIf(ctx, request)
}

func (f *feeder) whatIfRequest(pod *v1.Pod, node fwk.NodeInfo) (*berthv1.WhatIfRequest, error) {
	f.asking.Lock()
	defer f.asking.Unlock()
	number, known := f.table.directory[node.Node().Name]
	if f.base == 0 || !known {
		return nil, errNotTold
	}
	var with []fwk.PodInfo
	without := slices.Clone(f.table.nodes[number].pods)
	for _, info := range node.GetPods() {
		if i := slices.Index(without, string(info.GetPod().UID)); i >= 0 {
			without = slices.Delete(without, i, i+1)
		} else {
			with = append(with, info)
		}
	}
	return &berthv1.WhatIfRequest{
		Feeder:  f.name,
		Base:    f.base,
		Node:    number,
		Pod:     pendingPodFacts(pod),
		Without: without,
		With:    nodePods(with),
	}, nil
}
