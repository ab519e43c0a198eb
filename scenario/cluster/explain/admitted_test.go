package explain_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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
