package heal_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/sim"
)

// named returns the way of a name, nil if it was not tried.
func named(s *heal.Stuck, what string) *heal.Way {
	all := s.All()
	at := slices.IndexFunc(all, func(w heal.Way) bool { return w.What == what })
	if at < 0 {
		return nil
	}
	return &all[at]
}

// TestTemplateNeeds: what is said of a fix of the template fits what the pod shows. An image is only asked for where
// another image may help.
func TestTemplateNeeds(t *testing.T) {
	const image, edit = "kubectl -n default set image statefulset/web app=IMAGE", "kubectl -n default edit statefulset/web"
	for name, c := range map[string]struct {
		shown, message string
		command, needs string
	}{
		"a pod that shows nothing":     {"", "", image, "IMAGE is an image that works"},
		"a crash":                      {"CrashLoopBackOff", "exit code 1", image, "IMAGE is an image that works"},
		"too little memory":            {"CrashLoopBackOff", "OOMKilled (137)", edit, "the memory limit of app"},
		"too little memory, and shown": {"OOMKilled", "", edit, "the memory limit of app"},
		"a ConfigMap that is missing":  {"CreateContainerConfigError", "configmap \"web\" not found", edit, "what the container refers to"},
		"a command that is missing":    {"CreateContainerError", "no command specified", edit, "what the container refers to"},
		"credentials that are refused": {"ImagePullBackOff", "failed to authorize: 401 Unauthorized", edit, "imagePullSecrets"},
		"credentials or another name": {"ImagePullBackOff", "pull access denied, repository does not exist or may require " +
			"authorization: authorization failed: unauthorized", image, "IMAGE is an image that works"},
	} {
		t.Run(name, func(t *testing.T) {
			s := stuck(t, "rules: [{match: {image: \"app:bad\"}, start: never}]", three+"- setImage: {image: \"app:bad\"}\n")
			s.State = s.Lab.State(nil)
			for _, p := range s.State.Pods {
				// That another pod has its own trouble does not matter.
				p.Containers = &model.Containers{Name: "other", Shown: "CreateContainerError"}
				if p.Name == "web-2" {
					p.Containers = &model.Containers{Name: "app", Shown: c.shown, Message: c.message}
				}
			}
			way := named(s, "fixing the template and deleting web-2")
			require.NotNil(t, way)
			require.True(t, way.Heals)
			require.Equal(t, c.command, way.Commands[0])
			require.Contains(t, way.Needs, c.needs)
		})
	}
}

// TestTemplateNeedsWithoutContainers: what no container shows is read from the pod: a readiness gate that nobody sets,
// containers that are not created in a dump, and a node that does not take it.
func TestTemplateNeedsWithoutContainers(t *testing.T) {
	gated := "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 1, serviceName: web, " +
		"selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {" +
		"readinessGates: [{conditionType: example.com/ready}], containers: [{name: app, image: \"app:v1\"}]}}}}\n"
	for name, c := range map[string]struct {
		stuck *heal.Stuck
		needs string
	}{
		"a readiness gate": {stuck(t, "ready: never", gated), "the edit removes the readiness gate"},
		"a readiness gate of a pod that does not start": {stuck(t, "start: never", gated), "IMAGE is an image"},
		"containers that are not created":               {live(t, "start: never", three), "what the containers wait for"},
		"taints that are not tolerated": {stuckIn(t, "nodes: {count: 3, taints: [\"gpu=yes:NoSchedule\", \"db=yes:NoSchedule\"]}\n", three),
			"the edit corrects what keeps the pods off all nodes"},
		"a node selector that fits no node": {stuckIn(t, "nodes: {count: 3, labels: {disk: hdd}}\n", "- apply: "+
			strings.Replace(withClaim(1), "containers:", "nodeSelector: {disk: ssd}, containers:", 1)), "the edit corrects what keeps the pods"},
	} {
		t.Run(name, func(t *testing.T) {
			way := named(c.stuck, "fixing the template and deleting web-0")
			require.NotNil(t, way)
			require.Contains(t, way.Needs, c.needs)
			require.Equal(t, strings.HasPrefix(c.needs, "IMAGE"), strings.Contains(way.Commands[0], "set image"), way.Commands)
			require.Equal(t, !strings.HasPrefix(name, "a readiness gate") && !strings.HasPrefix(name, "containers"), way.Heals)
		})
	}
}

// TestRefusedPods: where no pod is admitted, what refuses them is changed first, and the annotation makes the
// controller try at once.
func TestRefusedPods(t *testing.T) {
	const touch = "kubectl -n default annotate --overwrite statefulset web touched=yes"
	for name, c := range map[string]struct {
		message, what, needs string
		commands             []string
		template             bool
	}{
		"a quota of pods": {"exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2",
			"raising the ResourceQuota small", "other pods of the namespace",
			[]string{"kubectl -n default edit resourcequota small", touch}, false},
		"a quota of what pods request": {"exceeded quota: small, requested: requests.cpu=2, used: requests.cpu=2, " +
			"limited: requests.cpu=3", "raising the ResourceQuota small", "other pods of the namespace",
			[]string{"kubectl -n default edit resourcequota small", touch}, true},
		"a ServiceAccount": {`error looking up service account default/web: serviceaccount "web" not found`,
			"creating the ServiceAccount web", "nothing else", []string{"kubectl -n default create serviceaccount web", touch}, true},
		"a webhook": {`Internal error occurred: failed calling webhook "pods.example.com": connection refused`,
			"annotating the StatefulSet once its pods are admitted", "pods.example.com answers again", []string{touch}, false},
		"a policy": {"violates PodSecurity", "annotating the StatefulSet once its pods are admitted",
			"whatever refuses the pods is changed first", []string{touch}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := stuck(t, "", three)
			s.Lab.World.Admit = func(*model.Pod) *model.APIError {
				return &model.APIError{Reason: model.Forbidden, Message: c.message}
			}
			s.Events = s.Lab.Run(nil)
			way := named(s, c.what)
			require.NotNil(t, way)
			require.True(t, way.Heals)
			require.Contains(t, way.Needs, c.needs)
			require.Equal(t, c.commands, way.Commands)
			fix := named(s, "fixing the template")
			require.Equal(t, c.template, fix != nil, "a template helps only where it is the template that is refused")
			if fix != nil {
				require.True(t, fix.Heals)
				require.Equal(t, "kubectl -n default edit statefulset/web", fix.Commands[0])
				require.Contains(t, fix.Needs, "the reason why the pods are refused")
			}
		})
	}
}

// TestVolumeOfANodeThatIsGone: a pod whose volume is in the zone of a node that is gone needs a new one, with nothing
// in it; not as long as that node may only be cordoned.
func TestVolumeOfANodeThatIsGone(t *testing.T) {
	const cluster = "volumes: {mode: WaitForFirstConsumer}\nnodes: {count: 3, zones: [a, b, c]}\n"
	const renew = "deleting data-web-1 and web-1"
	gone := stuckIn(t, cluster, "- apply: "+withClaim(3)+"- delete: node/node-2\n")
	way := named(gone, renew)
	require.NotNil(t, way)
	require.True(t, way.Heals)
	require.Equal(t, []string{"data-web-1"}, way.Loses)
	require.Contains(t, way.Danger, "data-web-1")
	require.Equal(t, []string{"kubectl -n default delete pvc data-web-1 --wait=false", "kubectl -n default delete pod web-1"},
		way.Commands)

	cordoned := stuckIn(t, cluster, "- apply: "+withClaim(3)+"- cordon: node-2\n- delete: pod/web-1\n")
	require.Nil(t, named(cordoned, renew))
	require.True(t, named(cordoned, "uncordoning node-2").Heals)

	anywhere := stuckIn(t, "nodes: {count: 1}\n", "- apply: "+withClaim(1)+"- delete: node/node-1\n")
	require.Nil(t, named(anywhere, "deleting data-web-0 and web-0"), "a volume that can be used everywhere is kept")
}

// TestAHistoryThatIsAssumed: where the revisions are not in the dump, nobody knows to which one an undo leads.
func TestAHistoryThatIsAssumed(t *testing.T) {
	s := stuckIn(t, "kubelet: {rules: [{match: {image: \"app:bad\"}, start: never}]}\n", three+"- setImage: {image: \"app:bad\"}\n")
	undo := "undoing the rollout and deleting web-2"
	require.Empty(t, named(s, undo).Needs)
	s.Shown = &dump.Dump{State: &sim.State{}, Sets: map[model.Key]dump.SetFacts{key: {Historyless: true}}}
	require.Contains(t, named(s, undo).Needs, "the revision before the newest one is that of the old pods (kubectl -n default "+
		"rollout history statefulset/web)")
	require.Empty(t, named(s, "pausing the rollout with a partition and deleting web-2").Needs)
}

// TestWhatTheSchedulerNames: a cordon that the scheduler does not name keeps no pod from a node.
func TestWhatTheSchedulerNames(t *testing.T) {
	s := stuckIn(t, "nodes: {count: 1}\n", three+"- cordon: node-1\n- delete: pod/web-1\n")
	for says, uncordons := range map[string]bool{"": true, "0/1 nodes are available: 1 node(s) were unschedulable.": true,
		"0/1 nodes are available: 1 node(s) had untolerated taint(s).": true, "0/1 nodes are available: 1 Insufficient cpu.": false,
		"0/1 nodes are available: 1 node(s) had volume node affinity conflict.": true} {
		s.Shown = &dump.Dump{State: s.Lab.State(nil), Facts: map[model.Key]*dump.Facts{
			{Namespace: key.Namespace, Name: "web-1"}: {Unschedulable: says}}}
		require.Equal(t, uncordons, named(s, "uncordoning node-1") != nil, says)
	}
}

// TestTwoBudgets: the Eviction API refuses every eviction of a pod that has two budgets, and the drain ends with that
// error. So all budgets but one have to go, the one that stays has to allow an eviction, and the node is drained again.
func TestTwoBudgets(t *testing.T) {
	budget := func(name, may string) string {
		return "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: " + name + "}, " +
			"spec: {maxUnavailable: " + may + ", selector: {matchLabels: {app: web}}}}\n"
	}
	const (
		strictGone = "deleting the budget strict, so that only loose selects web-0"
		looseGone  = "deleting the budget loose, so that only strict selects web-0"
		loosened   = ", letting that one allow one disruption"
		again      = ", and draining again"
	)
	s := stuckIn(t, "", budget("strict", "0")+budget("loose", "1")+three+"- drain: node-1\n")
	way := named(s, strictGone+again)
	require.NotNil(t, way)
	require.True(t, way.Heals)
	require.Equal(t, []string{"kubectl -n default delete pdb strict",
		"kubectl -n default annotate --overwrite pdb loose touched=yes",
		"kubectl drain node-1 --ignore-daemonsets --delete-emptydir-data"}, way.Commands)
	require.Contains(t, way.Later, "Delete it in Git too")
	require.False(t, named(s, "letting the budget strict allow one disruption").Heals)
	require.False(t, named(s, looseGone+again).Heals)
	require.True(t, named(s, looseGone+loosened+again).Heals)

	// kubectl drains a node with a pod that has no controller only with --force, which deletes that pod.
	s = stuckIn(t, "nodes: 1\n", budget("strict", "0")+budget("loose", "1")+three+
		"- createPod: {name: tool, image: \"tool:1\", labels: {app: web}}\n"+
		"- drain: node-1\n  refused: default/tool\n- drain: {node: node-1, force: true}\n")
	way = named(s, strictGone+again)
	require.Equal(t, "kubectl drain node-1 --ignore-daemonsets --delete-emptydir-data --force", way.Commands[2])
	require.Equal(t, "only if nobody needs default/tool. --force deletes it too, and no controller creates it again", way.Danger)

	s = stuckIn(t, "", budget("strict", "0")+three+"- drain: node-1\n")
	require.True(t, named(s, "letting the budget strict allow one disruption").Heals)
	require.False(t, slices.ContainsFunc(s.All(), func(w heal.Way) bool { return strings.HasPrefix(w.What, "deleting the budget") }))
}

// TestSetWithFinalizers: a set that is deleted and has finalizers of its own is let go by removing these. Those that
// only say what becomes of the pods are the garbage collector's.
func TestSetWithFinalizers(t *testing.T) {
	const free = "removing the finalizers of web"
	for finalizer, want := range map[string]bool{"example.com/backup": true, "orphan": false, "foregroundDeletion": false} {
		s := stuck(t, "rules: [{match: {pod: web-2}, stop: never}]", three+"- delete: statefulset/web\n  cascade: foreground\n")
		s.State = s.Lab.State(nil)
		s.State.Sets[0].Finalizers = []string{finalizer}
		s.Shown = &dump.Dump{State: &sim.State{}, Sets: map[model.Key]dump.SetFacts{key: {Tool: "Helm"}}}
		way := named(s, free)
		require.Equal(t, want, way != nil, finalizer)
		if want {
			require.Contains(t, way.Danger, finalizer)
			require.Empty(t, way.Besides, "no tool gives a set that is gone its finalizer back")
		}
	}
}

// TestBlock: where the controller deletes the same pod again and again, the missing rollingUpdate block is offered if
// it ends that; not to a set that has it, and not to one that has come to rest.
func TestBlock(t *testing.T) {
	looping := func(block string) *heal.Stuck {
		s := stuck(t, "", "- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel, "+
			"updateStrategy: {type: RollingUpdate"+block+"}}\n- unready: {pod: web-0}\n- after: 0s\n  setImage: {image: \"app:v2\"}\n")
		s.State = s.Lab.State(nil)
		return s
	}
	ways := looping("").Block()
	require.Len(t, ways, 1)
	require.True(t, ways[0].Heals)
	require.Equal(t, "adding the missing rollingUpdate block", ways[0].What)
	require.Empty(t, looping(", rollingUpdate: {partition: 0}").Block())
	rests := stuck(t, "", three)
	rests.State = rests.Lab.State(nil)
	require.Empty(t, rests.Block())
}

// TestAsked: a claim goes by the wish of its owner where the retention policy says so: with the set, or with a replica
// that is scaled away.
func TestAsked(t *testing.T) {
	gone := &model.Deletion{}
	for name, c := range map[string]struct {
		policy  *model.Retention
		deleted *model.Deletion
		want    []string
	}{
		"no policy":                       {nil, gone, nil},
		"with the set, which stays":       {&model.Retention{DeleteWithSet: true}, nil, nil},
		"with the set, which goes":        {&model.Retention{DeleteWithSet: true}, gone, []string{"data-web-1", "data-web-2", "data-web-3", "data-web-4"}},
		"beyond the replicas":             {&model.Retention{DeleteWhenScaled: true}, nil, []string{"data-web-1", "data-web-4"}},
		"beyond the replicas of one gone": {&model.Retention{DeleteWhenScaled: true}, gone, []string{"data-web-1", "data-web-4"}},
	} {
		set := &model.StatefulSet{Meta: model.Meta{Name: "web", Namespace: "default", Deletion: c.deleted}}
		set.Spec.Replicas, set.Spec.Retention = 2, c.policy
		set.Spec.ClaimTemplates = []model.ClaimTemplate{{Name: "data"}}
		set.Spec.Ordinals = &model.Ordinals{Start: 2}
		var asked []string
		for _, claim := range []string{"data-web-1", "data-web-2", "data-web-3", "data-web-4", "logs-web-4", "data-db-4", "data-web"} {
			if heal.Asked(set, claim) {
				asked = append(asked, claim)
			}
		}
		require.Equal(t, c.want, asked, name)
	}
}

// TestUnblocks: a way that lets a drain go on, and leaves the set without a pod that serves, does not heal but says so.
func TestUnblocks(t *testing.T) {
	s := stuckIn(t, "kubelet: {rules: [{match: {pod: web-0, nth: 2}, ready: never}]}\n", "- apply: {apiVersion: policy/v1, "+
		"kind: PodDisruptionBudget, metadata: {name: web}, spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}}\n"+
		three+"- drain: node-1\n")
	remove := named(s, "deleting web-0 instead of evicting it")
	require.False(t, remove.Heals)
	require.True(t, remove.Unblocks)
	require.False(t, named(s, "adding a replica").Unblocks)
}

// TestNobodyHasRunIt: a first pod that was deleted and created again is no proof of its template if its containers have
// never run.
func TestNobodyHasRunIt(t *testing.T) {
	const again = "- create: {name: web, replicas: 1, image: \"app:v1\"}\n- {at: 1m, delete: pod/web-0}\n"
	for kubelet, proven := range map[string]bool{"start: never": false, "ready: never": true} {
		s := stuck(t, kubelet, again)
		s.State = s.Lab.State(nil)
		way := named(s, "fixing the template and deleting web-0")
		require.NotNil(t, way)
		require.Equal(t, proven, strings.Contains(way.Needs, "although earlier pods may have run it"), kubelet)
	}
}
