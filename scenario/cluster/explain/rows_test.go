package explain

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestRowsOfADump: for each way in which a set can stand, what its row on the page says, its colour, and what its part
// says of fixes.
func TestRowsOfADump(t *testing.T) {
	wait := func(since time.Duration) []*Wait {
		return []*Wait{{Code: "WaitingForReady", Object: "web-0", Since: Instant(since)}}
	}
	way := func(what string, heals bool, danger string) WayOut {
		return WayOut{Way: reasons.Way{What: what, Heals: heals, Danger: danger}}
	}
	heals, useless := way("delete web-0", true, ""), way("undo", false, "")
	heals.Events = make([]timeline.Event, 1)
	danger, forced := way("force it", false, "off"), way("force it", true, "off")
	state := func(s judge.State) judge.Judgement { return judge.Judgement{State: s} }
	const stuck, unknown, plain = `<tr class="look wrong"><td>`, `<tr class="look waiting"><td>`, `<tr><td>`
	for _, c := range []struct {
		name      string
		set       DumpedSet
		row, says string
	}{
		{"at rest", DumpedSet{Judgement: state(judge.AtRest), AtRest: true}, plain + "default/web</td><td>AT REST</td><td>1 of 2</td></tr>",
			"AT REST default/web (1 of 2)"},
		{"it goes on", DumpedSet{Judgement: state(judge.Continues), GoesOn: true, Waits: wait(-time.Minute)}, plain +
			`<a class="instant" href="#section-1">default/web</a></td><td>CONTINUES</td><td>1 of 2</td><td>until web-0 is Ready</td><td>60s ago</td>`,
			"it completes by itself"},
		{"nobody knows", DumpedSet{Judgement: state(judge.Unknown), Unknown: "1 of 2 is Ready"}, unknown, "1 of 2 is Ready"},
		{"stuck", DumpedSet{Judgement: state(judge.Stuck), WaysOut: []WayOut{useless, danger}}, stuck,
			"None of the tried fixes works: the cause itself has to be fixed."},
		{"stuck, and there is a fix", DumpedSet{Judgement: state(judge.Stuck), WaysOut: []WayOut{useless, heals, danger}},
			"<td>Delete web-0</td>", "Fixes, the safest first (each simulated from this state, as printed):"},
		{"stuck, and the fix is dangerous", DumpedSet{Judgement: state(judge.Stuck), WaysOut: []WayOut{useless, forced}},
			"<td>Force it</td>", "Fixes, each with a DANGER (each simulated from this state, as printed):"},
		{"data is at risk", DumpedSet{Judgement: state(judge.AtRest), AtRest: true,
			AtRisk: []*Risk{{Claim: "data-web-0", Pod: "web-0"}}}, stuck, "DATA AT RISK: PVC data-web-0 is being deleted."},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.set.Namespace, c.set.Name, c.set.Serving, c.set.Replicas = "default", "web", 1, 2
			var page strings.Builder
			require.NoError(t, (&Dumped{Sets: []*DumpedSet{&c.set}}).Document().Write(&page, "html", render.Style{},
				func() doc.Page { return doc.Page{} }))
			require.Contains(t, page.String(), c.row)
			require.Contains(t, page.String(), c.says)
		})
	}
}
