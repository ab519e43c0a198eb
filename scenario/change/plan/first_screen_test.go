package plan

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestFirstScreen: of many sets the new alarm comes first, an old one is brief, ordinary changes of images are a line
// each, and nothing to look at has a green tick.
func TestFirstScreen(t *testing.T) {
	var before, after string
	named := func(name, set string) string {
		return strings.ReplaceAll(set, "web", name) + "---\n"
	}
	for i := range 6 {
		name := fmt.Sprintf("s%d", i)
		before += named(name, probed(web("3", "example.com/app:v1")))
		after += named(name, probed(web("3", "example.com/app:v2")))
	}
	before += named("kafka", probed(web("5", "a:1"))) + named("old", web("2", "a:1")) + named("slow", probed(web("3", "a:1")))
	after += named("kafka", probed(web("5", "a:2", "updateStrategy: {rollingUpdate: {maxUnavailable: 3}}"))) +
		named("old", web("2", "a:2")) + named("slow", probed(web("3", "a:2", "minReadySeconds: 30")))
	plan := plans(t, before, after, &Options{Gates: gate.All()})
	require.True(t, strings.HasPrefix(textOf(t, plan), `Plan on Kubernetes 1.37
9 sets roll.
  ALARM default/kafka: NEW sets maxUnavailable: 3 (it was 1): at least 2 of 5 serve, fewer than a majority;
        write maxUnavailable: 1.
  ALARM default/old: the pods have no readiness probe. OLD has this already.
  - 9 sets change at the same time: default/kafka (at least 2 of 5 serve), default/old (at least 1 of 2
      serve), default/s0 (at least 2 of 3 serve) and 6 more.

default/kafka: replaces all 5 pods, up to 3 at a time
`), textOf(t, plan))
	require.Contains(t, textOf(t, plan), `
6 sets, each: replaces all 3 pods, one at a time
  changes   default/s0: app v1 → v2
            default/s1: app v1 → v2
`)
	var markdown, page bytes.Buffer
	require.NoError(t, plan.Document().Markdown(&markdown))
	require.Contains(t, markdown.String(), "### ⚠️ default/slow: replaces all 3 pods, one at a time\n")
	require.Contains(t, markdown.String(), "### ✅ 6 sets, each")
	require.NoError(t, plan.Document().Write(&page, "html", render.Style{}, func() doc.Page { return doc.Page{} }))
	require.Contains(t, page.String(), `<strong>ALARM</strong> <a class="instant" href="#section-1">default/kafka</a>: NEW sets`)
	require.Contains(t, page.String(), "<td>1m30s to 3m09s</td>")
}

// TestAddedRollingUpdate: what the API server fills in is not told as a change of NEW.
func TestAddedRollingUpdate(t *testing.T) {
	before := web("5", "a:1", "updateStrategy: {type: RollingUpdate}")
	s := one(t, before, web("5", "a:1", "updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 3}}"), &Options{})
	require.Equal(t, `spec.updateStrategy.rollingUpdate: added, {"maxUnavailable":3}`, s.Changes[0].String())
	s = one(t, before, web("5", "a:1", "updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}"), &Options{})
	require.Contains(t, s.Changes[0].String(), `"partition":2`)
}
