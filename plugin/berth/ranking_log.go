package berth

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
)

// logRanking says what was ranked. In a file of its own, so that --vmodule=ranking_log=4 turns on
// this line alone.
func logRanking(ctx context.Context, pod *v1.Pod, ranking *ranking) {
	logger := klog.FromContext(ctx).V(4)
	if !logger.Enabled() {
		return
	}
	logger.Info("Berth ranked pod", "pod", klog.KObj(pod), "uid", pod.UID, "first", ranking.first(),
		"feasible", ranking.feasible, "refused", ranking.refused(), "policy", ranking.policy,
		"sequence", ranking.sequence)
}
