package explain_test

import (
	"bytes"
	"fmt"
	"github.com/statefulsim/statefulsim/sim/output/render"
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
			require.NoError(t, dump.Print(&printed, state, epoch))
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
