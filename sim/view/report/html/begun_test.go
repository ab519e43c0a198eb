package html

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// TestBegunWithARunningCluster: what a run begins with is as old as it is, has not changed at 0, and counts from the
// beginning; and what is only assumed is drawn as such.
func TestBegunWithARunningCluster(t *testing.T) {
	run := rolled(2, 1)
	key := model.Key{Namespace: "default", Name: "web"}
	run.Begun = &report.Begun{
		Created: map[model.Key]model.Time{{Namespace: "default", Name: "web-0"}: -model.Time(840e9)},
		Assumed: map[model.Key]string{key: "web-1 <starts>"},
	}
	data := gather([]*report.Run{run})
	set := data.Runs[0].Sets[0]
	require.True(t, data.Runs[0].Begun)
	require.Equal(t, "web-1 <starts>", set.Assumed)
	require.Equal(t, []json.Number{"840", ""}, []json.Number{set.Pods[0].Age, set.Pods[1].Age})
	require.Equal(t, 0, set.Fewest, "the set was never complete before, and counts all the same")
	require.Zero(t, *set.FewestAt)

	run.Begun = nil
	data = gather([]*report.Run{run})
	require.False(t, data.Runs[0].Begun)
	require.Equal(t, 1, data.Runs[0].Sets[0].Fewest, "a set that is created counts from when it was complete")
}

// TestPageOfARunningCluster holds what the page itself says of such a run.
func TestPageOfARunningCluster(t *testing.T) {
	b := newBrowser(t)
	run := rolled(2, 1)
	run.Begun = &report.Begun{
		Created: map[model.Key]model.Time{{Namespace: "default", Name: "web-0"}: -model.Time(840e9)},
		Assumed: map[model.Key]string{{Namespace: "default", Name: "web"}: "web-1 starts"},
	}
	page := write(t, run)
	require.Equal(t, "14m", b.ask(t, page, "#t=0", `age(-bornAt(data.runs[0], data.runs[0].sets[0], { born: [0, 0] }, 0))`))
	require.Equal(t, "since before 0s", b.ask(t, page, "#t=0", `since(data.runs[0], 0)`))
	require.Equal(t, "assumed: web-1 starts", b.ask(t, page, "", `document.querySelector("figcaption .waiting").textContent`))
}
