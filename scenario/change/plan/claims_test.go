package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
)

// claiming is a set of three with claim templates, each NAME:SIZE or NAME:SIZE:CLASS, and the volumes of its pods.
func claiming(volumes string, templates ...string) string {
	var list []string
	for _, t := range templates {
		parts := append(strings.Split(t, ":"), "fast")
		list = append(list, fmt.Sprintf("{metadata: {name: %s}, spec: {accessModes: [ReadWriteOnce], storageClassName: %s, "+
			"resources: {requests: {storage: %s}}}}", parts[0], parts[2], parts[1]))
	}
	set := probed(web("3", "a:1", "volumeClaimTemplates: ["+strings.Join(list, ", ")+"]"))
	return strings.Replace(set, "containers:", "volumes: ["+volumes+"], containers:", 1)
}

// TestClaimTemplates: what becomes of the claims, where the templates of a set change and it is created again.
func TestClaimTemplates(t *testing.T) {
	const patch = `kubectl -n default patch pvc %s-web-0 -p '{"spec":{"resources":{"requests":{"storage":"%s"}}}}'`
	for _, c := range []struct{ name, before, after, alarm, way string }{
		{"one goes", claiming("", "data:1Gi"), claiming("{name: data, emptyDir: {}}"),
			"the new files lack the claim template data, so no new pod uses data-web-0, data-web-1, data-web-2, which stay with " +
				"the data",
			"; the claims of data stay, and no new pod uses them"},
		{"one comes", claiming("", "data:1Gi"), claiming("", "data:1Gi", "log:1Gi"),
			"the claim template log is new, so new pods start with new, empty claims of it, unless claims of these names are left " +
				"from before",
			"; existing claims stay as they are; new pods get new, empty claims of log"},
		{"one has another name", claiming("", "data:1Gi"), claiming("", "pgdata:1Gi"),
			"the new files lack the claim template data, so no new pod uses data-web-0, data-web-1, data-web-2, which stay with " +
				"the data; the claim template pgdata is new, so new pods start with new, empty claims of it, unless claims of these " +
				"names are left from before",
			"; the claims of data stay, and no new pod uses them; new pods get new, empty claims of pgdata"},
		{"another class", claiming("", "data:1Gi:fast"), claiming("", "data:1Gi:slow"), "",
			"; existing claims stay as they are: only new claims follow the new template"},
		{"two are larger", claiming("", "data:1Gi", "log:1Gi"), claiming("", "data:2Gi", "log:3Gi"), "",
			"; existing claims stay as they are, and their volumes keep their size: if the storage class allows volume expansion, " +
				"patch each claim: " + fmt.Sprintf(patch, "data", "2Gi") + "; " + fmt.Sprintf(patch, "log", "3Gi")},
		{"one is smaller", claiming("", "data:2Gi"), claiming("", "data:1024Mi"), "",
			"; existing claims stay as they are, and their volumes keep their size, since no volume shrinks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, c.before, c.after, &Options{})
			require.NotNil(t, s.Refusal)
			says := ""
			for _, a := range s.alarms {
				if a.Trap == alarm.TrapClaims {
					says = a.Sentence
				}
			}
			require.Equal(t, c.alarm, says)
			require.True(t, strings.HasSuffix(s.Refusal.Way, c.way), s.Refusal.Way)
		})
	}
}

// TestNothingToWaitFor: kubectl wait finds no number of Ready pods in the status of a set without pods.
func TestNothingToWaitFor(t *testing.T) {
	onDelete := "updateStrategy: {type: OnDelete}"
	r := one(t, web("0", "a:1", onDelete), web("0", "a:1", onDelete, "serviceName: other"), &Options{}).Refusal
	require.True(t, r.Heals)
	require.NotContains(t, strings.Join(r.Commands, "\n"), "wait")
	r = one(t, web("2", "a:1", onDelete), web("2", "a:1", onDelete, "serviceName: other"), &Options{}).Refusal
	require.Contains(t, strings.Join(r.Commands, "\n"), "wait statefulset/web --for='jsonpath={.status.readyReplicas}=2'")
}

// TestAssumedClaims: a claim that a pod template names and neither stream has is assumed to be there, which is said
// once; of one that is known nothing is said.
func TestAssumedClaims(t *testing.T) {
	naming := func(set, claim string) string {
		return strings.Replace(set, "spec: {containers:", "spec: {volumes: [{name: v, persistentVolumeClaim: {claimName: "+
			claim+"}}], containers:", 1)
	}
	const home = "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: home}\n" +
		"spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n"
	other := "---\n" + called(naming(web("1", "a:2"), "shared"), "other")
	used := cluster(t, "", applies(home[len("---\n"):])+applies(naming(web("1", "a:1"), "home")))
	for _, c := range []struct{ name, before, after, says string }{
		{"in neither", naming(web("1", "a:1"), "home"), naming(web("1", "a:2"), "home"),
			"Neither OLD nor NEW has the PersistentVolumeClaim home of default/web. Assumed: it exists and is Bound."},
		{"of two sets", naming(web("1", "a:1"), "home"), naming(web("1", "a:2"), "home") + other, "Neither OLD nor NEW has " +
			"the PersistentVolumeClaims shared of default/other, home of default/web. Assumed: they exist and are Bound."},
		{"in the old file", naming(web("1", "a:1"), "home") + home, naming(web("1", "a:2"), "home"), ""},
		{"in the new file", web("1", "a:1"), naming(web("1", "a:2"), "home") + home, ""},
		{"in a dump", used, naming(web("1", "a:2"), "home"), ""},
		{"not in a dump", used, naming(web("1", "a:2"), "house"), "has the PersistentVolumeClaim house of default/web"},
		{"of a claim template", web("1", "a:1", claimTemplates), naming(web("1", "a:2", claimTemplates), "data-web-0"), ""},
		{"replaced by a claim template", web("1", "a:1", strings.Replace(claimTemplates, "name: data", "name: v", 1)),
			naming(web("1", "a:2", strings.Replace(claimTemplates, "name: data", "name: v", 1)), "home"), ""},
		{"of a set that does not change", naming(web("1", "a:1"), "home"), naming(web("1", "a:1"), "home"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			notes := strings.Join(plans(t, c.before, c.after, &Options{}).Notes, "\n")
			if c.says == "" {
				require.NotContains(t, notes, "PersistentVolumeClaim")
				return
			}
			require.Contains(t, notes, c.says)
			require.Equal(t, 1, strings.Count(notes, "PersistentVolumeClaim"))
		})
	}
}

// TestGrowingClaims: what a plan says of claims that are to grow follows their StorageClass, where it is known.
func TestGrowingClaims(t *testing.T) {
	const patch = `kubectl -n default patch pvc data-web-0 -p '{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}'`
	class := func(allows string) string {
		return "---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fast}\nprovisioner: x/y\n" + allows
	}
	claim := func(size, class string) string {
		return "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: own}\nspec: {accessModes: [ReadWriteOnce], " +
			"storageClassName: " + class + ", resources: {requests: {storage: " + size + "}}}\n"
	}
	const yes, no = "allowVolumeExpansion: true\n", "allowVolumeExpansion: false\n"
	for _, c := range []struct{ old, now, way, note string }{
		{"", "", "; existing claims stay as they are, and their volumes keep their size: if the storage class allows volume " +
			"expansion, patch each claim: " + patch, "own grows from 1Gi to 2Gi. Assumed: its StorageClass has allowVolumeExpansion: true."},
		{class(yes), "", "their volumes keep their size: the StorageClass fast allows volume expansion, so patch each claim: " + patch,
			"own grows from 1Gi to 2Gi, which its StorageClass fast allows."},
		{class(no), "", "their volumes keep their size, since the StorageClass fast does not have allowVolumeExpansion: true",
			"own: the API server refuses that it grows from 1Gi to 2Gi, since its StorageClass fast does not have"},
		{"", class(""), "since the StorageClass fast does not have allowVolumeExpansion: true", "own: the API server refuses that it grows from 1Gi to 2Gi"},
		{class(no), class(yes), "the StorageClass fast allows volume expansion, so patch", "own grows from 1Gi to 2Gi, which its StorageClass fast allows."},
	} {
		plan := plans(t, claiming("", "data:1Gi")+c.old+claim("1Gi", "fast"), claiming("", "data:2Gi")+c.now+claim("2Gi", "fast"), &Options{})
		require.Contains(t, plan.Sets[0].Refusal.Way, c.way)
		require.Contains(t, strings.Join(plan.Notes, " "), "PersistentVolumeClaim "+c.note)
		require.NotContains(t, plan.Ignored, "StorageClass")
	}
	for now, says := range map[string]string{
		claim("1Gi", "fast"):   "",
		claim("500Mi", "fast"): "own: the API server refuses the change: spec.resources.requests.storage: Forbidden: field can not be less",
		claim("1Gi", "slow"):   "own: the API server refuses the change: spec: Forbidden: spec is immutable after creation",
	} {
		plan := plans(t, web("2", "a:1")+claim("1Gi", "fast"), web("2", "a:1")+now, &Options{})
		said := strings.Join(plan.Notes, " ")
		require.Contains(t, said, says)
		require.Equal(t, says == "", !strings.Contains(said, "PersistentVolumeClaim own"), said)
	}
}
