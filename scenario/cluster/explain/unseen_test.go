package explain_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestNodesThatTheDumpDoesNotShow: a pod that terminates goes on only if its node answers, which nobody promises of a
// node that the dump does not show. Where the pod shows that its node is silent, that is what is taken.
func TestNodesThatTheDumpDoesNotShow(t *testing.T) {
	const nodes = "nodes: {count: 3}\nsteps:\n" + three
	cases := []struct {
		name, text string
		until      string
		stuck      bool
		provided   string
	}{
		{"a pod that is on its way", nodes + "- delete: pod/web-1\n", "10s", false,
			"provided that node-2 answers, which the dump does not show (kubectl get nodes node-2)"},
		{"a node that is silent", nodes + "- nodeDown: node-2\n", "1h", true, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte("until: "+c.until+"\n"+c.text), nil, scenario.Options{})
			require.NoError(t, err)
			state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
			state.Nodes = nil
			d := dumpedAfter(t, state, 0)
			dumped := explain.Begin(d, labOf(s, d), "").All(nil)
			require.Equal(t, c.stuck, dumped.Sets[0].Stuck(), "%+v", dumped.Sets[0])
			if c.stuck {
				require.Equal(t, "web-1", dumped.Sets[0].StuckOn)
				require.Contains(t, dumped.Sets[0].Waits[0].Release, "node-2 is down")
			}
			require.Contains(t, dumped.Sets[0].Provided, c.provided)
		})
	}
}

// labOf plays worlds that begin with a dump.
func labOf(s *scenario.Scenario, d *dump.Dump) *play.Lab {
	return &play.Lab{Profile: s.Profile, World: d.Begin(sim.Config{
		Controller: statefulset.New(s.Profile), API: s.Profile.API(),
	})}
}

// TestStorageClassesThatTheDumpDoesNotShow: a PVC that waits for a volume of a class gets one only if there is the
// class, which nobody promises if the dump has no volume of it. What the dump shows of the wait is said.
func TestStorageClassesThatTheDumpDoesNotShow(t *testing.T) {
	const (
		waits = "volumes: {rules: [{match: {claim: data-web-0}, bind: never}]}\nsteps:\n"
		long  = "Its PVC data-web-0 has been Pending for 5m: "
		unset = "no PVC in the dump has a volume of its storage class fast, which may not exist (kubectl get storageclass fast)"
		other = "recreating the StatefulSet with another storage class, the PVC and the pod"
	)
	classless := strings.Replace(claimed, ", storageClassName: fast", "", 1)
	require.NotEqual(t, claimed, classless)
	for _, c := range []struct {
		name, text, event string
		later             time.Duration
		provided, fact    string
		heals             string
	}{
		{"a class of which nothing is known", waits + claimed, "", 20 * time.Second,
			"the storage class fast gives the PVC data-web-0 a volume, which the dump does not show (kubectl get storageclass fast)",
			"", ""},
		{"the same for a long time", waits + claimed, "", 5 * time.Minute, "", long + unset, other},
		{"an event says more", waits + claimed, "ProvisioningFailed: storageclass.storage.k8s.io \"fast\" not found",
			20 * time.Second, "", "its last event says: storageclass.storage.k8s.io \"fast\" not found", other},
		{"a conflict is tried again", waits + claimed, "ProvisioningFailed: Error saving claim: the object has been modified",
			20 * time.Second, "gives the PVC data-web-0 a volume", "", ""},
		{"a class that gives volumes", strings.ReplaceAll(waits, "web-0", "web-1") + claimed, "", 20 * time.Second, "", "", ""},
		{"no class", waits + classless, "", 5 * time.Minute, "", long + "it names no storage class, and the cluster has no default one",
			"recreating the StatefulSet with a storage class, the PVC and the pod"},
		{"somebody has to create the volume", waits + strings.Replace(claimed, "fast", `""`, 1), "", 5 * time.Minute, "",
			long + "it asks for a PersistentVolume without a storage class", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
			require.NoError(t, err)
			var printed bytes.Buffer
			state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
			epoch := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
			require.NoError(t, dump.Print(&printed, state, epoch))
			if reason, message, is := strings.Cut(c.event, ": "); is {
				fmt.Fprintf(&printed, "---\napiVersion: v1\nkind: Event\nmetadata: {name: e, namespace: default}\nreason: %s\nmessage: %q\n"+
					"involvedObject: {kind: PersistentVolumeClaim, namespace: default, name: data-web-0}\n", reason, message)
			}
			d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: printed.Bytes()}}, dump.Options{At: epoch.Add(c.later)})
			require.NoError(t, err)
			dumped := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0]
			require.Equal(t, c.fact != "", dumped.Stuck(), "%+v", dumped)
			require.Contains(t, dumped.Provided, c.provided)
			require.Equal(t, c.provided == "", dumped.Provided == "", dumped.Provided)
			require.Contains(t, strings.Join(dumped.Facts, "\n"), c.fact)
			healing := slices.IndexFunc(dumped.WaysOut, func(way explain.WayOut) bool { return way.Heals && way.What == c.heals })
			require.Equal(t, c.heals != "", healing >= 0, "%+v", dumped.WaysOut)
		})
	}
}

// TestAPodOfAnEarlierSet: a pod whose owner was an earlier set of the name is garbage, which keeps the set from
// creating its own until it is collected; that is said.
func TestAPodOfAnEarlierSet(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
	require.NoError(t, err)
	state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
	at := slices.IndexFunc(state.Pods, func(p sim.PodState) bool { return p.Name == "web-1" })
	earlier := *state.Pods[at].Pod
	earlier.Owners = slices.Clone(earlier.Owners)
	earlier.Owners[0].UID += 1000
	state.Pods[at].Pod = &earlier
	d := dumpedAfter(t, state, 0)
	dumped := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0]
	require.True(t, dumped.GoesOn, "%+v", dumped)
	require.Equal(t, []string{"web-1 exists, but does not belong to the StatefulSet: when it is gone, the StatefulSet creates its own."},
		dumped.Facts)
}

// TestNoNodeTakesThePod: an image does not bring a pod on a node. Where the scheduler finds none and the dump does not
// show the nodes, what is to be changed is what keeps the pod from them; that nodes are cordoned is what the scheduler
// says.
func TestNoNodeTakesThePod(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("nodes: {count: 1}\nsteps:\n"+three+"- cordon: node-1\n- delete: pod/web-1\n"), nil,
		scenario.Options{})
	require.NoError(t, err)
	state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
	state.Nodes = nil
	var printed bytes.Buffer
	require.NoError(t, dump.Print(&printed, state, time.Unix(1e9, 0)))
	explained := func(message string) *explain.DumpedSet {
		text := regexp.MustCompile(`(\n *)(status: "False"\n *type: PodScheduled)`).ReplaceAllString(printed.String(),
			"${1}message: '0/1 nodes are available: 1 node(s) "+message+"'${1}$2")
		require.NotEqual(t, printed.String(), text)
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{})
		require.NoError(t, err)
		dumped := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0]
		require.True(t, dumped.Stuck())
		return dumped
	}
	dumped := explained("were unschedulable.")
	require.Contains(t, strings.Join(dumped.Facts, "\n"), "kubectl uncordon NODE")
	for _, way := range dumped.WaysOut {
		require.NotContains(t, strings.Join(way.Commands, "\n"), "IMAGE")
	}
	for _, closed := range []string{"were unschedulable.", "had untolerated taint {node.kubernetes.io/not-ready: }. preemption: no.",
		"had taint {node.kubernetes.io/unreachable: }, that the pod didn''t tolerate."} {
		dumped = explained(closed)
		require.False(t, dumped.WaysOut[0].Heals, "no template brings a pod on nodes that take none: %s", closed)
		require.Equal(t, strings.Contains(closed, "taint"), strings.Contains(strings.Join(dumped.Facts, "\n"),
			"Nodes are not Ready; the dump does not show which. Dump them too (kubectl get nodes)"), closed)
	}
	for _, asks := range []string{"didn''t match Pod''s node affinity/selector.", "were unschedulable, 1 Insufficient cpu."} {
		require.Contains(t, explained(asks).WaysOut[0].Needs, "what keeps the pods off all nodes", asks)
	}
	const given = "kubectl taint nodes NODE KEY-"
	require.Contains(t, strings.Join(explained("had untolerated taint {dedicated: db}.").Facts, "\n"), given)
	dumped = explained("had untolerated taint {node.kubernetes.io/disk-pressure: }.")
	require.NotContains(t, strings.Join(dumped.Facts, "\n"), given, "a taint that a node gets from its condition")
}

// TestAPodThatHasSucceeded: an old version leaves it for ever, which is said; a new one replaces it.
func TestAPodThatHasSucceeded(t *testing.T) {
	const leaves = "This version of Kubernetes never replaces a pod that has Succeeded: 1.27.9, 1.28.5, 1.29 and later do."
	for version, stuck := range map[string]bool{"1.26": true, "1.36": false} {
		s, err := scenario.Parse("s.yaml", []byte("kubernetes: \""+version+"\"\nkubelet: {start: 1s}\nsteps:\n"+three), nil,
			scenario.Options{})
		require.NoError(t, err)
		state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
		at := slices.IndexFunc(state.Pods, func(p sim.PodState) bool { return p.Name == "web-1" })
		ended := *state.Pods[at].Pod
		ended.Phase, ended.Ready = model.Succeeded, false
		state.Pods[at].Pod = &ended
		dumped := explain.Begin(dumpedAfter(t, state, 0), labOf(s, dumpedAfter(t, state, 0)), "").All(nil).Sets[0]
		require.Equal(t, stuck, dumped.Stuck(), "%s: %+v", version, dumped)
		require.Equal(t, stuck, slices.Contains(dumped.Facts, leaves), "%v", dumped.Facts)
	}
}
