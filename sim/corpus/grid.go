package corpus

import (
	"fmt"
	"strings"
)

// The grid: policies, strategies, minReadySeconds, ordinals and claims.
var (
	policies   = []string{"OrderedReady", "Parallel"}
	strategies = []string{
		"", "{type: RollingUpdate}", "{rollingUpdate: {partition: 0}}", "{rollingUpdate: {partition: 1}}",
		"{rollingUpdate: {maxUnavailable: 2}}", `{rollingUpdate: {maxUnavailable: "50%"}}`, "{type: OnDelete}",
	}
)

// claimTemplate is the one of the sets that have claims.
const claimTemplate = "{metadata: {name: data}, " +
	"spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}"

// Grid returns sets of every combination of podManagementPolicy, updateStrategy, minReadySeconds, spec.ordinals and
// claims: each as scenario whose steps create it and change its image.
func Grid() []string {
	var grid []string
	for _, policy := range policies {
		for _, strategy := range strategies {
			for _, minReady := range []int{0, 5} {
				for _, start := range []int{0, 2} {
					for _, claims := range []bool{false, true} {
						grid = append(grid, "steps:\n  - create: "+gridSet(policy, strategy, minReady, start, claims)+
							"\n  - setImage: {image: \"app:v2\"}\n")
					}
				}
			}
		}
	}
	return grid
}

func gridSet(policy, strategy string, minReady, start int, claims bool) string {
	fields := []string{`name: web, replicas: 3, image: "app:v1"`, "podManagementPolicy: " + policy}
	if strategy != "" {
		fields = append(fields, "updateStrategy: "+strategy)
	}
	if minReady > 0 {
		fields = append(fields, fmt.Sprintf("minReadySeconds: %d", minReady))
	}
	if start > 0 {
		fields = append(fields, fmt.Sprintf("ordinals: {start: %d}", start))
	}
	if claims {
		fields = append(fields, "persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}",
			"volumeClaimTemplates: ["+claimTemplate+"]")
	}
	return "{" + strings.Join(fields, ", ") + "}"
}
