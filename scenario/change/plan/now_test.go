package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/live/oncall"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

const (
	partition3 = "updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 3}}"
	partition1 = "updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}"
	onDelete   = "updateStrategy: {type: OnDelete}"
)

// dumped is a set with the status that a server has written.
func dumped(set, status string) string {
	set = strings.Replace(set, "{name: web}", "{name: web, uid: 11111111-2222-3333-4444-555555555555}", 1)
	return set + "status: {observedGeneration: 1, " + status + "}\n"
}

const (
	halfWay = "replicas: 5, readyReplicas: 5, updatedReplicas: 2, currentRevision: web-1, updateRevision: web-2"
	done    = "replicas: 5, readyReplicas: 5, updatedReplicas: 5, currentRevision: web-2, updateRevision: web-2"
	stuck   = "replicas: 5, readyReplicas: 4, updatedReplicas: 1, currentRevision: web-1, updateRevision: web-2"
)

// TestUnfinished: a partition that goes down, and RollingUpdate after OnDelete, go on with a rollout that was held
// back.
func TestUnfinished(t *testing.T) {
	cases := []struct {
		name, before, after, headline, note, order string
	}{
		{"a partition goes down", web("5", "a:2", partition3), web("5", "a:2", partition1),
			"continues the rollout: replaces 2 of 5 pods, one at a time (partition 1)",
			"run an older template, which the files do not show", "replaced: web-2, web-1"},
		{"as the dump says", dumped(web("5", "a:2", partition3), halfWay), web("5", "a:2", partition1),
			"continues the rollout: replaces 2 of 5 pods, one at a time (partition 1)", "(2 of 5 updated)",
			"replaced: web-2, web-1"},
		{"nothing is left", dumped(web("5", "a:2", partition3), done), web("5", "a:2", partition1),
			"changes only policy: no pod is touched", "", ""},
		{"a partition goes up", web("5", "a:2", partition1), web("5", "a:2", partition3),
			"changes only policy: no pod is touched", "", ""},
		{"after OnDelete", dumped(web("5", "a:2", onDelete), halfWay), web("5", "a:2", partition1),
			"continues the rollout: replaces 2 of 5 pods, one at a time (partition 1)",
			"3 of 5 pods run an older template", "replaced: web-2, web-1"},
		{"after OnDelete, not known", web("5", "a:2", onDelete), web("5", "a:2", partition1),
			"changes only policy: no pod is touched", "the pods that OnDelete has left", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, probed(c.before), probed(c.after), &Options{})
			require.Equal(t, c.headline, s.Headline)
			require.Contains(t, strings.Join(s.Notes, "\n"), c.note)
			require.Equal(t, c.order, strings.Join(s.Order, "\n"))
			if c.order == "" {
				return
			}
			broken := caseOf(t, s, "broken")
			require.True(t, broken.Trap)
			require.Contains(t, broken.Answer, "web-2 is not Running and Ready")
			require.Contains(t, broken.Answer, "2 of them updated")
			require.Equal(t, []string{"kubectl -n default rollout undo statefulset/web",
				"kubectl -n default delete pod web-2"}, broken.Commands)
		})
	}
}

// TestDump: where the dump shows a set that is not at rest, that is said, and a rollout that has stalled is played.
func TestDump(t *testing.T) {
	s := one(t, dumped(web("5", "a:2"), stuck), web("5", "a:3"), &Options{})
	notes := strings.Join(s.Notes, "\n")
	require.Contains(t, notes, "4 of 5 pods are Ready")
	require.Contains(t, notes, "4 of 5 pods run an older template")
	stalled := caseOf(t, s, "stalled")
	require.True(t, stalled.Trap)
	require.Contains(t, stalled.Answer, "web-4 is not Running and Ready")
	require.Equal(t, []string{"kubectl -n default delete pod web-4"}, stalled.Commands)

	s = one(t, dumped(web("5", "a:2", parallel), stuck), web("5", "a:3", parallel), &Options{})
	require.False(t, caseOf(t, s, "stalled").Trap)

	s = one(t, dumped(web("5", "a:2"), done), web("5", "a:3"), &Options{})
	require.NotContains(t, strings.Join(s.Notes, "\n"), "in the dump")
}

// TestScaledElsewhere: apply takes back what an autoscaler has done, though the file has not changed.
func TestScaledElsewhere(t *testing.T) {
	applied := strings.Replace(web("5", "a:1"), "{name: web}", `{name: web, annotations: `+
		`{kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"replicas":3}}'}}`, 1)
	s := one(t, applied, web("3", "a:1"), &Options{})
	require.Contains(t, strings.Join(s.Notes, "\n"), "spec.replicas is 3 in the file as before, and somebody has scaled the set to 5")
}

// TestSlowIsReplaced: the slow pod is one that is replaced, and not one that is removed.
func TestSlowIsReplaced(t *testing.T) {
	s := one(t, web("5", "a:1", parallel), web("3", "a:2", parallel), &Options{})
	require.Equal(t, "web-2 takes an hour longer to start", caseOf(t, s, "slow").Asks)
}

// TestAroundRefusal: the way around a refusal is played.
func TestAroundRefusal(t *testing.T) {
	const commands = "kubectl -n default delete statefulset web --cascade=orphan\nkubectl -n default apply -f new.yaml"
	const done = "\nkubectl -n default rollout status statefulset/web"
	const label = "kubectl -n default delete statefulset web --cascade=orphan\n" +
		"kubectl -n default label --overwrite pod web-0 web-1 web-2 tier=db\nkubectl -n default apply -f new.yaml" + done
	remove := ""
	for i := range 3 {
		remove += fmt.Sprintf("\nkubectl -n default delete pod web-%d\nkubectl -n default wait statefulset/web "+
			"--for='jsonpath={.status.readyReplicas}=3' --timeout=-1s", i)
	}
	selector := strings.Replace(web("3", "a:1"), "matchLabels: {app: web}", "matchLabels: {app: web, tier: db}", 1)
	selector = strings.Replace(selector, "labels: {app: web}", "labels: {app: web, tier: db}", 1)
	claims := web("3", "a:1", "serviceName: web", "volumeClaimTemplates: [{metadata: {name: data}, spec: "+
		"{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]")
	cases := []struct{ name, after, way, commands string }{
		{"nothing else", web("3", "a:1", "serviceName: other"),
			"the pods stay, none is touched, and the new set adopts them", commands + done},
		{"an image too", web("3", "a:2", "serviceName: other"),
			"the new set adopts the pods and replaces them: web-2, web-1, web-0: one at a time; at least 2 of 3 serve", commands + done},
		{"not its pods", selector, "give the pods the labels by which the new set finds them", label},
		{"a volume", claims, "delete the pods one after the other: replaced: web-0, web-1, web-2: one at a time; at least 2 of " +
			"3 serve; it takes about 1m33s (stop at most 30s; start 1s, assumed)", commands + remove},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			plan := plans(t, web("3", "a:1", "serviceName: web"), c.after, &Options{})
			r := plan.Sets[0].Refusal
			require.NotNil(t, r)
			require.Contains(t, r.Way, c.way)
			require.Equal(t, c.commands, strings.Join(r.Commands, "\n"))
			require.True(t, r.Heals)
			require.GreaterOrEqual(t, r.FewestServing, 2)
			require.Len(t, plan.Show(Instead), 1)
		})
	}
}

// TestAroundPodsThatCannotBeAdopted: no label that could be added lets the new set find the pods. They keep their
// names, so each is deleted before the new set can create its own, and the set is touched for the controller to try
// again at once.
func TestAroundPodsThatCannotBeAdopted(t *testing.T) {
	tiered := strings.Replace(web("2", "a:1"), "labels: {app: web}", "labels: {app: web, tier: db}", 1)
	without := strings.Replace(web("2", "a:1"), "matchLabels: {app: web}",
		"matchLabels: {app: web}, matchExpressions: [{key: tier, operator: DoesNotExist}]", 1)
	r := plans(t, tiered, without, &Options{}).Sets[0].Refusal
	require.Contains(t, r.Way, "delete the set without its pods, apply, and delete the pods one after the other: ")
	want := []string{"kubectl -n default delete statefulset web --cascade=orphan", "kubectl -n default apply -f new.yaml"}
	for i := range 2 {
		want = append(want, fmt.Sprintf("kubectl -n default delete pod web-%d", i),
			fmt.Sprintf("kubectl -n default annotate --overwrite statefulset web touched=%d", i+1),
			fmt.Sprintf("kubectl -n default wait statefulset/web --for='jsonpath={.status.readyReplicas}=%d' --timeout=-1s", i+1))
	}
	require.Equal(t, want, r.Commands)
	require.True(t, r.Heals)
	require.Equal(t, 1, r.FewestServing)
}

// TestRenamed: a set under another name, or in another namespace, is another set.
func TestRenamed(t *testing.T) {
	before := strings.Replace(web("3", "a:1"), "{name: web}", "{name: web, namespace: one}", 1)
	for _, name := range []string{"{name: other, namespace: one}", "{name: web, namespace: other}"} {
		plan := plans(t, before, strings.Replace(web("3", "a:1"), "{name: web}", name, 1), &Options{})
		require.Equal(t, Summary{Sets: 2, Creates: 1, Removes: 1, Together: []string{}, Alarms: plan.Alarms}, plan.Summary)
		require.Equal(t, Removes, plan.Sets[0].Does, "what may be lost comes first")
		require.Contains(t, strings.Join(plan.Sets[1].Notes, "\n"), "one/web is gone from the files")
	}
}

// TestBudgetOfACase: what goes wrong is held against the budgets too, with the pods of all sets that share them.
func TestBudgetOfACase(t *testing.T) {
	const budget = "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: all}\n" +
		"spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}\n"
	both := web("3", "a:1") + "---\n" + strings.Replace(web("2", "a:1"), "{name: web}", "{name: other}", 1) + budget
	s := one(t, both, strings.Replace(both, "a:1", "a:2", 1), &Options{})
	require.True(t, s.Budgets[0].Kept())
	restart := caseOf(t, s, "restart")
	require.Equal(t, []*run.Budget{{Name: "all", Needs: 4, Pods: 5, Fewest: 3, Before: 5, After: 5}}, restart.Budgets)
	require.Contains(t, restart.Answer, "below PodDisruptionBudget all, which asks for 4 healthy pods of 5 and gets 3")
	require.Empty(t, caseOf(t, s, "slow").Budgets)

	created := one(t, "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n", web("3", "a:1")+budget, &Options{})
	require.Empty(t, created.Budgets)
}

// TestOwned: a set that an operator writes is not changed by hand for long.
func TestOwned(t *testing.T) {
	owned := strings.Replace(web("3", "a:1"), "{name: web}", "{name: web, ownerReferences: "+
		"[{apiVersion: example.com/v1, kind: Kafka, name: mq, uid: u, controller: true}]}", 1)
	s := one(t, owned, web("3", "a:2"), &Options{})
	require.Contains(t, strings.Join(s.Notes, "\n"), "the set belongs to Kafka mq: its operator writes it")
}

// TestNamespace: a file that names no namespace is for that of the set that runs.
func TestNamespace(t *testing.T) {
	budget := "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: all}\n" +
		"spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}\n"
	live := strings.Replace(web("3", "a:1"), "{name: web}", "{name: web, namespace: prod}", 1)
	plan := plans(t, live, web("3", "a:2")+budget, &Options{})
	require.Empty(t, plan.Missing)
	require.Equal(t, "prod", plan.Sets[0].Namespace)
	require.Len(t, plan.Sets[0].Budgets, 1)
	require.Contains(t, plan.Sets[0].Cases[0].Commands[0], "kubectl -n prod ")
	require.Equal(t, []string{"new.yaml names no namespace. Assumed: prod, as in the other file."}, plan.Notes)

	twice := live + "---\n" + strings.Replace(live, "prod", "test", 1)
	plan = plans(t, twice, web("3", "a:2"), &Options{})
	require.Equal(t, []string{"prod/web", "test/web"}, plan.Missing, "which of the two is not known")

	in, err := Read(Stream{Name: "old.yaml", Data: []byte(twice), Namespace: "test"},
		Stream{Name: "new.yaml", Data: []byte(web("3", "a:2")), Namespace: "test"}, strict.Limits{})
	require.NoError(t, err)
	require.NotNil(t, in.Pairs[1].New)

	secret := "---\napiVersion: v1\nkind: Secret\nmetadata: {name: tls}\n"
	for name, c := range map[string]struct{ after, in, note string }{
		"with its set":                    {live + secret, "prod", "new.yaml has objects that name no namespace. Assumed: prod, as its StatefulSets have."},
		"alone":                           {secret, "prod", "new.yaml has objects that name no namespace. Assumed: prod, as in the other file."},
		"with a set that names none":      {web("3", "a:2") + secret, "prod", "new.yaml names no namespace. Assumed: prod, as in the other file."},
		"with sets of several namespaces": {twice + secret, "default", ""},
		"with another set":                {named("api", "3", "a:2") + secret, "default", ""},
		"a role, which no pod lacks":      {live + strings.Replace(secret, "Secret", "ClusterRole", 1), "prod", ""},
	} {
		in, err := Read(Stream{Name: "old.yaml", Data: []byte(live)}, Stream{Name: "new.yaml", Data: []byte(c.after)}, strict.Limits{})
		require.NoError(t, err)
		require.Equal(t, c.in, in.Differs[0].Namespace, name)
		require.Equal(t, c.note, strings.Join(in.Notes, "\n"), name)
	}
}

// TestPartitionCountsFromTheStart: a partition counts pods, whatever ordinals.start is. A set whose lower pods it keeps
// at the old template is at rest, with its pods in the dump and without.
func TestPartitionCountsFromTheStart(t *testing.T) {
	set := probed(web("3", "a:1", "ordinals: {start: 3}", "updateStrategy: {rollingUpdate: {partition: 2}}"))
	before := cluster(t, "", applies(set)+"- setImage: {statefulset: web, image: \"a:2\"}\n")
	require.Empty(t, plans(t, before, changed(t, []byte(before), "", ""), &Options{}).NotAtRest)
	live := strings.Replace(strings.Replace(set, "a:1", "a:2", 1), "{name: web}", `{name: web, uid: u, generation: 2}`, 1)
	status := "status: {observedGeneration: 2, replicas: 3, readyReplicas: 3, updatedReplicas: 1, currentRevision: a, updateRevision: b}\n"
	require.Empty(t, plans(t, live+status, live, &Options{}).Untrusted)
}

// TestUnknown: a plan says of a pod in phase Unknown that its kubelet is silent, and waits for it as the controller
// does.
func TestUnknown(t *testing.T) {
	for file, completes := range map[string]bool{
		"a-pod-of-phase-unknown": false, "a-pod-of-phase-unknown-on-a-node-that-answers": true,
	} {
		data := oncall.Of(file)
		s := plans(t, string(data), strings.ReplaceAll(changed(t, data, "", ""), "image: app:v1", "image: app:v3"), &Options{}).find("web")
		require.Equal(t, "2 of 3 serve; web-2 is Unknown (its kubelet does not report it)", s.Shows, file)
		require.Equal(t, completes, s.Completes, file)
	}
}

// TestFixKeepsTheChange: of two fixes that both help, the one comes first with which the change goes on, even if fewer
// pods serve while it does. Undoing the rollout would keep all serving, and give up what is planned.
func TestFixKeepsTheChange(t *testing.T) {
	before := cluster(t, "", applies(probed(web("5", "a:1")))+"- unready: web-3\n- unready: web-4\n")
	after := strings.ReplaceAll(strings.ReplaceAll(before, "replicas: 5", "replicas: 3"), "a:1", "a:2")
	s := one(t, before, changed(t, []byte(after), "", ""), &Options{})
	require.Contains(t, s.Ends, "the change gets stuck: web-4 is not Running and Ready")
	require.Equal(t, "changes the template and scales from 5 to 3, and the rollout does not start: no pod is replaced", s.Headline)
	require.Equal(t, []string{"kubectl -n default delete pod web-3 web-4"}, s.Fix.Commands)
	require.False(t, s.Fix.Reverts)

	two := probed(web("5", "a:1", "updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 2}}"))
	c := caseOf(t, one(t, two, strings.Replace(two, "a:1", "a:2", 1), &Options{}), "unready")
	require.Equal(t, []string{"kubectl -n default delete pod web-0"}, c.Commands)
	require.Contains(t, c.Answer, "Deleting web-0 fixes it if the new pod becomes Ready")
}

// TestOnDeleteKeepsTheBlock: kubectl apply keeps the rollingUpdate block that the API server has filled in, and that is
// all that is refused. Nobody has to delete the set for it: one line in the manifest is enough, or a patch.
func TestOnDeleteKeepsTheBlock(t *testing.T) {
	onDelete := "updateStrategy: {type: OnDelete}"
	for _, image := range []string{"a:1", "a:2"} {
		s := one(t, web("2", "a:1"), web("2", image, onDelete), &Options{})
		require.Equal(t, Refused, s.Does)
		require.Contains(t, s.Refusal.Way, `write "rollingUpdate: null" below updateStrategy in the manifest`)
		require.Contains(t, s.Refusal.Way, "apply: no pod is touched")
		require.True(t, s.Refusal.Heals)
		require.Equal(t, []string{
			`kubectl -n default patch statefulset web --type merge ` +
				`-p '{"spec":{"updateStrategy":{"type":"OnDelete","rollingUpdate":null}}}'`,
			"kubectl -n default apply -f new.yaml",
		}, s.Refusal.Commands)
		s = one(t, web("2", "a:1"), web("2", image, strings.Replace(onDelete, "}", ", rollingUpdate: null}", 1)), &Options{})
		require.Nil(t, s.Refusal, "the line is enough")
		require.Empty(t, s.Moves)
	}
	s := one(t, web("2", "a:1"), web("2", "a:1", onDelete, "serviceName: other"), &Options{})
	require.Contains(t, s.Refusal.Commands[0], "delete statefulset web --cascade=orphan", "no patch changes serviceName")
}
