package plan

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/gate"
)

// TestAlarmsNameTheField: an alarm names the field of NEW that causes it, and what to write instead.
func TestAlarmsNameTheField(t *testing.T) {
	const rolling = "updateStrategy: {type: RollingUpdate, rollingUpdate: {%s}}"
	unavailable := func(n string) string { return fmt.Sprintf(rolling, "maxUnavailable: "+n) }
	claims := claimTemplates
	for _, c := range []struct {
		name, before, after string
		says                []string
	}{
		{"fewer than a majority", probed(web("5", "a:1")), probed(web("5", "a:2", unavailable("3"))), []string{
			"unavailable: NEW sets maxUnavailable: 3 (it was 1): at least 2 of 5 serve, fewer than a majority; write maxUnavailable: 1"}},
		{"a majority", probed(web("5", "a:1")), probed(web("5", "a:2", unavailable("2"))), nil},
		{"as before", probed(web("5", "a:1", unavailable("3"))), probed(web("5", "a:2", unavailable("3"))), nil},
		{"below a budget", probed(web("5", "a:1")) + fmt.Sprintf(pdb, "4"), probed(web("5", "a:2", unavailable("60%"))) + fmt.Sprintf(pdb, "4"),
			[]string{"budget: NEW sets maxUnavailable: 60% (it was 1): the rollout goes below PodDisruptionBudget all, which asks for 4 " +
				"healthy pods of 5 and gets 2; write maxUnavailable: 1"}},
		{"none serves", probed(web("3", "a:1")), probed(web("3", "a:2", unavailable("3"))), []string{
			"unavailable: NEW sets maxUnavailable: 3 (it was 1): at times none of its pods serves; write maxUnavailable: 1"}},
		{"a partition", probed(web("3", "a:1", partition3)), probed(web("3", "a:2", partition3)), []string{
			"partition: the new template reaches no pod: partition 3 keeps it from all 3 pods; set partition: 2 for the first pod, " +
				"partition: 0 for all (before)"}},
		{"a new partition", probed(web("1", "a:1")), probed(web("1", "a:2", fmt.Sprintf(rolling, "partition: 10"))), []string{
			"partition: the new template reaches no pod: partition 10 keeps it from the only pod; set partition: 0"}},
		{"a canary", probed(web("3", "a:1")), probed(web("3", "a:2", fmt.Sprintf(rolling, "partition: 2"))), nil},
		{"to one", web("3", "a:1"), web("1", "a:1"), []string{
			"scale-down: scales down from 3 to 1, fewer than a majority of the 3: if its pods form a quorum, they lose it; remove the " +
				"members first, or write replicas: 3"}},
		{"to three of five", web("5", "a:1"), web("3", "a:1"), nil},
		{"up", web("1", "a:1"), web("3", "a:1"), nil},
		{"minReadySeconds", probed(web("3", "a:1")), probed(web("3", "a:2", "minReadySeconds: 900")), []string{
			"timeout: NEW sets minReadySeconds: 900 (it was 0): it takes at least 45m00s, and deploy tools give up before, after 5m00s " +
				"(helm-3, helm-4, helm-4-legacy), after 10m00s (pulumi, terraform), after 15m00s (kapp) and after 30m00s " +
				"(spinnaker); give the tool a longer timeout"}},
		{"the probe", probed(web("3", "a:1")), web("3", "a:2"), []string{
			"no-readiness-probe: NEW removes the readiness probe, so the pods have no readiness probe: nothing waits for the application, " +
				"and a pod that runs counts as serving. If the new revision crashes, the rollout continues, and at times none of 3 " +
				"serves. Put the probe back"}},
		{"whenScaled", web("3", "a:1", claims), web("2", "a:1", claims, deleteScaled), []string{
			"volumes: deletes data-web-2 permanently, with its volume (NEW sets whenScaled: Delete); to keep the claims, write " +
				"whenScaled: Retain"}},
		{"refused", web("3", "a:1", "serviceName: a"), web("3", "a:1", "serviceName: b"), []string{
			"refused: the API server refuses the change: spec.serviceName cannot be changed; leave the field as it was"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := plans(t, c.before, c.after, &Options{Gates: gate.All()})
			var says []string
			for _, a := range plan.Alarms {
				text := a.Trap + ": " + a.Sentence
				if a.Before {
					text += " (before)"
				}
				if a.Trap != "scale-down-taken-back" && a.Trap != "claims-lost" && a.Trap != "dns" {
					says = append(says, text)
				}
			}
			require.Equal(t, c.says, says)
		})
	}
}
