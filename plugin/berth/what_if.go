package berth

import (
	"context"

	v1 "k8s.io/api/core/v1"

	"berth.dev/plugin/berthv1"
)

// WhatIf asks whether a node could take a pod after an edit. The state that the ranking was made for
// must still be the last that was told, which holds while the same pod is being placed.
func (f *feeder) WhatIf(ctx context.Context, ranking *ranking, node uint32, pod *v1.Pod, edit edit) (
	*berthv1.WhatIfResponse, error,
) {
	if err := f.service.allows(); err != nil {
		return nil, err
	}
	request := &berthv1.WhatIfRequest{
		Feeder: f.name,
		Base:   ranking.sequence,
		Node:   node,
		Pod:    pendingPodFacts(pod),
		With:   nodePods(edit.with),
	}
	for _, uid := range edit.without {
		request.Without = append(request.Without, string(uid))
	}
	return f.service.whatIf(ctx, request)
}
