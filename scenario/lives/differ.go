package lives

import (
	"fmt"
	"slices"
	"strings"
)

// deviation is why a run differs from its recording, a pattern of all differences that are for that reason, and how chance
// fell when it was recorded.
type deviation struct {
	why, pattern string
	luck         luck
}

// luck is how chance fell in a recording: what a scenario says of it, and steps that came later than their scenario says.
// It is empty where nothing in the format can say it.
type luck struct {
	lines string
	late  map[string]string
	// rest is a pattern of what differs even so, for another reason.
	rest string
}

// conflicts is the luck of claims whose first write by the controller comes after one of the volume binder, and meets a
// conflict. The slow ones are bound only after the controller has tried again.
func conflicts(claims []string, slow ...string) luck {
	var b strings.Builder
	b.WriteString("faults:\n")
	for _, claim := range claims {
		fmt.Fprintf(&b, "  - {write: {kind: claim, verb: update, name: %s}, error: Conflict}\n", claim)
	}
	b.WriteString("volumes:\n  rules:\n    - {match: {claim: none}}\n")
	for _, claim := range slow {
		fmt.Fprintf(&b, "    - {match: {claim: %s}, bind: 100ms}\n", claim)
	}
	return luck{lines: b.String()}
}

// notReady is the luck of a run in which no node takes pods yet for a tenth of a second. The scheduler looks at its first
// pod after a time.
func notReady(schedule string) luck {
	nodes := []string{"node-1", "node-2", "node-3"}
	var faults []string
	for _, node := range nodes {
		faults = append(faults, "{at: 0s, cordon: "+node+"}", "{at: 100ms, uncordon: "+node+"}")
	}
	slices.Sort(faults)
	return luck{lines: "kubelet: {schedule: " + schedule + "}\nfaults: [" + strings.Join(faults, ", ") + "]"}
}

// Most of what differs is chance.
var (
	race = deviation{
		why: "the volume binder and the controller both write a claim that has just been created: one of the two may meet a " +
			"conflict, and which comes first differs from claim to claim (the controller's first write met one at 12 of 23)",
		pattern: `(?s)^(claim |warnings\n.*Operation cannot be fulfilled on persistentvolumeclaims|` +
			`events that were not recorded\n.*SuccessfulCreate: Create Pod)`,
	}
	collected = deviation{
		why:     "how often the controller makes a revision again that the garbage collector deletes differs from run to run",
		pattern: `^revision `,
	}
	early = deviation{
		why:     "the scheduler has looked before its cache had the new claim, which is chance",
		pattern: `(?s)^warnings\n.*recorded \[FailedScheduling: [^,]*persistentvolumeclaim "[a-z0-9-]*" not found. not found\]`,
	}
	unheard = deviation{
		why:     "the machine was busy, and the recording ended before it had all events of the controller",
		pattern: `(?s)^events that were not recorded\n.*Successful(Create|Delete)`,
	}
	chosen = deviation{
		why: "which of several budgets the disruption controller chooses for a pod is chance; and some events of the " +
			"controller came late",
		pattern: `(?s)^(budgets at the end\n|warnings\n.*MultiplePodDisruptionBudgets|` +
			`events that were not recorded\n.*SuccessfulDelete)`,
	}
	shared = deviation{
		why:     "the nodes of the cluster were shared with other recordings, or not ready yet",
		pattern: `(?s)^warnings\n.*FailedScheduling`,
	}
)

func (d deviation) with(l luck) deviation {
	d.luck = l
	return d
}

// Differ are the recordings from which a run differs. docs/design.md has them as a table.
var Differ = map[string]deviation{
	"life/claims-04-whendeleted-background": race.with(
		conflicts([]string{"data-web-0", "data-web-1"}, "data-web-0")),
	"life/claims-06-whendeleted-orphan-recreate-retain": race.with(
		conflicts([]string{"data-web-0", "data-web-1"}, "data-web-0")),
	"life/claims-07-scale-0-then-delete-whendeleted": race.with(
		conflicts([]string{"data-web-0", "data-web-1"}, "data-web-0")),
	"life/claims-14-foreground-in-a-scale-down": collected.with(luck{
		lines: "collector: {delay: 1ms}\nkubelet: {rules: [{match: {pod: web-0}, stop: 3005ms}]}",
	}),
	"life/claims-18-both-delete-scale-down-then-delete": race.with(
		conflicts([]string{"data-web-1", "data-web-2"}, "data-web-1", "data-web-2")),
	"life/claims-19-claim-terminating-rolling-update": early,
	"life/claims-35-two-sets-one-claim":               early,
	"life/claims-37-whendeleted-delete-retain-while-deleting": race.with(
		conflicts([]string{"data-web-0", "data-web-1"}, "data-web-1")),
	"life/deletion-06-foreground-stuck-pod-forced": collected.with(luck{
		lines: "apiserver: {watch: {uniform: [0s, 10ms]}}\ncollector: {delay: {uniform: [0s, 20ms]}}\nseed: 1",
	}),
	"life/nodes-11-cordon-all":                        shared,
	"life/restart-03-set-deleted-while-away":          race.with(conflicts([]string{"data-web-1"})),
	"life/shipped-claims-of-another-set":              shared.with(notReady("1ms")),
	"life/shipped-claims-scale-up-overtakes-parallel": shared,
	"life/shipped-claims-terminating-blocks-its-pod":  shared.with(notReady("0s")),
	"life-1.37/claims-18-both-delete-scale-down-then-delete": race.with(
		conflicts([]string{"data-web-1", "data-web-2"}, "data-web-1", "data-web-2")),
	"life-1.37/deletion-08-foreground-mid-rollout": collected.with(luck{
		lines: "kubelet: {rules: [{match: {pod: web-2}, stop: 2005ms}]}",
	}),
	"life-1.37.2/owners-30-foreign-pod-not-ready-blocks":        unheard,
	"life-1.37.2/ready-05-minready-long-lowered-to-zero":        unheard,
	"life-1.37.2/services-13-selector-moved":                    unheard,
	"life-1.37.2/nodes-32-drain-timeout-blocked-by-two-budgets": chosen,
	"life-1.37.2/shared-05-two-budgets-one-added-in-a-rollout":  chosen,
	"life-1.37.2/max-04-ordered-3-broken-then-undo": {
		why:     "kubectl reports that the pod does not exist, and the step of a scenario has no effect then",
		pattern: `^refused steps\n.*web-3. not found`,
	},
	"life-1.37.2/mix-14-claim-resized-and-refused": {
		why:     "the storage class of the recordings lets no claim grow",
		pattern: `^refused steps\n.*only dynamically provisioned pvc can be resized`,
	},
	"life/claims-32-scaled-delete-back-again": {
		why:     "the garbage collector was faster than the controller when the pod was gone, as in 2 of 10 times",
		pattern: `.`,
		luck:    luck{lines: "apiserver: {watch: 1ms}", rest: early.pattern},
	},
	"life/nodes-08-drain-in-rollout": {
		why:     "the machine was slow, so that another try of the drain, which goes by the pod's name, met the new pod",
		pattern: `^pod web-0`,
		luck:    luck{late: map[string]string{"after: 1s\n    drain": "after: 4s\n    drain"}},
	},
	"life/nodes-25-down-foreground-delete-back": {
		why:     race.why + "; and the order of what is less than a second apart is chance",
		pattern: race.pattern + `|^web-1 Running 1 comes before web-0 Ready 1`,
	},
	"life/owners-09-hand-made-without-its-volume": {
		why:     "the API server adds a diff of the two pods to its message, as its own types print them",
		pattern: `(?s)^warnings\n.*pod updates may not change fields other than`,
	},
	"life/shipped-claims-missing-of-a-pending-pod": {
		why:     "the storage of the recordings binds a claim of a name never or always, and not the second one alone",
		pattern: `.`,
		luck:    luck{lines: "volumes: {rules: [{match: {claim: data-web-0}, bind: never}]}", rest: `^warnings\n`},
	},
	"life/shipped-statefulset-life-pod-deleted-by-force": {
		why:     "the step came before all was settled: the scheduler took 3s for the new pod",
		pattern: `^(pod web-1|web-1 Running 2 comes)`,
		luck: luck{
			lines: "kubelet: {stop: 1m, rules: [{match: {pod: web-1, nth: 2}, schedule: 3s}]}",
			late:  map[string]string{"- name: by-force\n": "- name: by-force\n    at: 69500ms\n"},
		},
	},
}
