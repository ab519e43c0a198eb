package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLostNode: what a rollout does while a node is lost, by the policy of the set, and what ends that.
func TestLostNode(t *testing.T) {
	const (
		evicted = "within a minute web-0 counts as not Ready, 5m00s later it is deleted, and it stays Terminating as long as " +
			"NODE does not answer. "
		replaced = "within a minute web-0 counts as not Ready. The rollout deletes it, and it stays Terminating as long as NODE " +
			"does not answer. "
		waits = "Meanwhile the rollout waits, with 0 of 3 pods at the new revision. "
		back  = "At least 1 of 3 serve. When NODE is back, the change completes. "
		taint = "Confirming with a taint that NODE is off ends the wait before that; do it only if its machine is certainly off"
	)
	tolerates := func(set string) string {
		return strings.Replace(set, "spec: {containers", "spec: {tolerations: [{operator: Exists}], containers", 1)
	}
	for _, c := range []struct {
		name, version, set, answer string
		usual                      bool
	}{
		{"OrderedReady waits", "1.37", probed(web("3", "a:1")), evicted + waits + back + taint, true},
		{"Parallel does not", "1.34", probed(web("3", "a:1", parallel)),
			replaced + "Meanwhile the rollout replaces the other pods. " + back + taint, true},
		{"no taint before 1.26", "1.25", probed(web("3", "a:1")), evicted + waits + back +
			"Deleting the node NODE ends the wait before that; do it only if its machine is certainly off", true},
		{"a pod that nobody deletes", "1.37", tolerates(probed(web("3", "a:1"))),
			"within a minute web-0 counts as not Ready as long as NODE does not answer. " + waits + back + taint, true},
		{"all at once", "1.37", probed(web("3", "a:1", parallel, "updateStrategy: {rollingUpdate: {maxUnavailable: 3}}")),
			"the rollout deletes web-0, and it stays Terminating as long as NODE does not answer. At times none of 3 serves. " +
				"When NODE is back, the change completes. " + taint, true},
		{"a livelock", "1.37", probed(web("5", "a:1", parallel, typeAlone)), replaced +
			"Meanwhile the rollout waits, with 1 of 5 pods at the new revision. At least 3 of 5 serve. When NODE is back, the " +
			"controller keeps writing and never converges. The set has no rollingUpdate block; with one written out before the " +
			"change, the change completes", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, c.set, strings.Replace(c.set, "a:1", "a:2", 1), &Options{Profiles: profiles(t, c.version)})
			got := caseOf(t, s, "node")
			require.Equal(t, c.answer, got.Answer)
			require.Equal(t, c.usual, got.Usual)
			require.True(t, got.Trap)
		})
	}
}

// TestLostNodeOfADump: all pods that the node has are lost, and that is worth an alarm. Where it is worth none, the
// commands are in the JSON only.
func TestLostNodeOfADump(t *testing.T) {
	before := cluster(t, "", applies(probed(web("3", "a:1"))))
	require.Contains(t, before, "nodeName: node-2")
	apart := plans(t, before, strings.ReplaceAll(before, "a:1", "a:2"), &Options{})
	const taint = "kubectl taint nodes NODE node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
	require.Equal(t, []string{taint}, caseOf(t, apart.Sets[0], "node").Commands)
	require.NotContains(t, textOf(t, apart)+markdownOf(t, apart), taint)

	before = strings.ReplaceAll(before, "nodeName: node-2", "nodeName: node-1")
	together := plans(t, before, strings.ReplaceAll(before, "a:1", "a:2"), &Options{})
	text := textOf(t, together)
	require.Contains(t, text, "web-0 and web-1 count as not Ready")
	require.Contains(t, text, taint)
	require.Equal(t, 1, len(together.Sets[0].alarms))
}

// TestNoReleaseToPrevent: the end of a canary that drops the block is a trap, and writing partition 0 before it would
// be the end of the canary: so no command says so, and the manifest is what has to be changed.
func TestNoReleaseToPrevent(t *testing.T) {
	set := probed(web("5", "a:1", parallel, "updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 4}}"))
	s := one(t, set, strings.Replace(set, ", rollingUpdate: {partition: 4}", "", 1), &Options{Profiles: profiles(t, "1.37")})
	got := caseOf(t, s, "unready")
	require.Contains(t, got.Answer, "The change removes the rollingUpdate block; to prevent it, write partition: 0 into the manifest")
	require.Empty(t, got.Commands)
}
