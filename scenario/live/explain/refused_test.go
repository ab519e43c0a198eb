package explain_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestRefusedPods: where the events say why web-2 cannot be created, what helps is what they are about, and an image is
// never said to help.
func TestRefusedPods(t *testing.T) {
	const (
		edit  = "kubectl -n default edit statefulset/web"
		touch = "kubectl -n default annotate --overwrite statefulset web touched=yes"
	)
	for _, c := range []struct {
		name, event string
		says, never []string
	}{
		{"no event", "", []string{"although pods with the same spec run (most likely a ResourceQuota is full",
			"kubectl -n default describe statefulset web\n", "1. Annotating", touch, "although other pods have run it", edit},
			[]string{"rollout undo"}},
		{"a quota of memory", `pods "web-2" is forbidden: exceeded quota: compute, requested: limits.memory=2Gi, used: limits.memory=7Gi, ` +
			`limited: limits.memory=8Gi`, []string{"kubectl -n default edit resourcequota compute\n", touch, edit}, []string{"rollout undo"}},
		{"a quota of pods", `pods "web-2" is forbidden: exceeded quota: few, requested: pods=1, used: pods=10, limited: pods=10`,
			[]string{"kubectl -n default edit resourcequota few\n", touch}, []string{"rollout undo", edit}},
		{"a quota of pods, in an event of the other group", `pods "web-2" is forbidden: exceeded quota: few, requested: pods=1, used: pods=10, limited: pods=10`,
			[]string{"kubectl -n default edit resourcequota few\n", touch}, []string{"rollout undo", edit}},
		{"a LimitRange", `pods "web-2" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi`,
			[]string{"rollout undo", edit, touch}, nil},
		{"a webhook that denies", `admission webhook "validate.example.com" denied the request: no limits`,
			[]string{"rollout undo", edit, touch}, nil},
		{"a webhook that does not answer", `Internal error occurred: failed calling webhook "mutate.example.com": no endpoints available`,
			[]string{"the webhook mutate.example.com answers again", touch}, []string{"rollout undo", edit}},
		{"a ServiceAccount that is missing", `pods "web-2" is forbidden: error looking up service account default/db: serviceaccount "db" not found`,
			[]string{"kubectl -n default create serviceaccount db\n", edit, touch}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three+"- setImage: {image: \"app:v2\"}\n"), nil, scenario.Options{})
			require.NoError(t, err)
			state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
			state.Pods = slices.DeleteFunc(state.Pods, func(p sim.PodState) bool { return p.Name == "web-2" })
			set := *state.Sets[0]
			set.Status.Replicas, set.Status.Ready, set.Status.Available, set.Status.Updated = 2, 2, 2, 2
			state.Sets = []*model.StatefulSet{&set}
			var printed bytes.Buffer
			epoch := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
			require.NoError(t, printing.Print(&printed, state, epoch))
			if c.event != "" {
				version, says, of := "v1", "message", "involvedObject"
				if strings.Contains(c.name, "group") {
					version, says, of = "events.k8s.io/v1", "note", "regarding"
				}
				fmt.Fprintf(&printed, "---\napiVersion: %s\nkind: Event\nmetadata: {name: e, namespace: default}\nreason: FailedCreate\n"+
					"%s: %q\n%s: {kind: StatefulSet, namespace: default, name: web}\nseries: {count: 9, lastObservedTime: \"2026-01-01T00:50:00.000000Z\"}\n",
					version, says, "create Pod web-2 in StatefulSet web failed error: "+c.event, of)
			}
			d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: printed.Bytes()}}, dump.Options{At: epoch.Add(time.Hour)})
			require.NoError(t, err)
			dumped := explain.Begin(d, labOf(s, d), "").All(nil)
			require.True(t, dumped.Sets[0].Stuck())
			require.Equal(t, "web-2", dumped.Sets[0].StuckOn)
			var text strings.Builder
			require.NoError(t, dumped.Document().Text(&text, render.Style{Width: 1 << 20}))
			fixes, _, _ := strings.Cut(text.String(), "Does not fix it")
			require.Contains(t, fixes, c.event)
			for _, says := range c.says {
				require.Contains(t, fixes, says)
			}
			for _, never := range append(c.never, "IMAGE") {
				require.NotContains(t, fixes, never)
			}
		})
	}
}

// TestAdmission: what a webhook has put into a pod that does not run is named, and a pod of another template gets it
// too. If the same container runs in another pod of the set, the cause lies elsewhere.
func TestAdmission(t *testing.T) {
	const (
		at    = `, lastTransitionTime: "2026-01-01T10:00:02Z"`
		ready = `phase: Running, conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "True"` + at + `}], ` +
			`containerStatuses: [{name: app, ready: true, state: {running: {}}}]`
		waits = `phase: Pending, conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "False"` + at + `}], ` +
			`containerStatuses: [{name: NAME, image: IMAGE, state: {waiting: {reason: ImagePullBackOff, message: "IMAGE: SAYS"}}}]`
		mesh = `, {name: mesh, image: "mesh:1"}`
		web1 = `spec: {nodeName: node-2, containers: [{name: app, image: "app:1"}`
		web2 = `spec: {nodeName: node-3, containers: [{name: app, image: "app:2"}`
		adds = "The template has no container mesh: admission adds it"
	)
	for name, c := range map[string]struct {
		// message is why the image is not pulled.
		container, image, message string
		change                    *strings.Replacer
		says, never               []string
	}{
		"an image of a mirror": {"app", "mirror/app:2", "not found", strings.NewReplacer(web2, strings.Replace(web2, "app:2", "mirror/app:2", 1)),
			[]string{"The template names the image app:2. Admission has replaced it by mirror/app:2", "1. Undoing the rollout and deleting web-2"},
			[]string{"it completes by itself", adds}},
		"the image of the template": {"app", "app:2", "not found", strings.NewReplacer(), []string{"1. Undoing the rollout and deleting web-2"},
			[]string{"dmission"}},
		"a container of a mesh": {"mesh", "mesh:1", "not found", strings.NewReplacer(web2, web2+mesh),
			[]string{adds, "delete web-2: the new pod", "None of the tried fixes works"}, []string{"1. Undoing"}},
		"a container that runs in another pod, and that the registry does not have any more": {"mesh", "mesh:1", "not found",
			strings.NewReplacer(web1, web1+mesh, web2, web2+mesh), []string{adds, "None of the tried fixes works"}, []string{"1. "}},
		"a container that runs in another pod": {"mesh", "mesh:1", "no answer", strings.NewReplacer(web1, web1+mesh, web2, web2+mesh),
			[]string{adds, "1. Deleting web-2"}, []string{"None of the tried fixes works"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.NewReplacer("META", "", "SPEC", "", "WEB-2", strings.NewReplacer("NAME", c.container, "IMAGE", c.image, "SAYS", c.message).Replace(waits),
				"NODE", "nodeName: node-3, ", "CORDONED", "false", "READY", ready, "OWNER", `creationTimestamp: "2026-01-01T10:00:00Z", `+
					`ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]`).Replace(rolling)
			now := time.Date(2026, time.January, 1, 10, 20, 0, 0, time.UTC)
			dumped, printed := explained(t, c.change.Replace(text), now)
			require.True(t, dumped.Sets[0].Stuck())
			for _, says := range c.says {
				require.Contains(t, printed, says)
			}
			for _, never := range c.never {
				require.NotContains(t, printed, never)
			}
		})
	}
}
