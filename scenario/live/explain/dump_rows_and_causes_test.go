package explain

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
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

// stuckFor is a set of the namespace a that is stuck for a cause.
func stuckFor(name, cause string) *DumpedSet {
	return &DumpedSet{Namespace: "a", Name: name, Judgement: judge.Judgement{
		State: judge.Stuck, Causes: []judge.Cause{{Name: "x", Sentence: cause}},
	}}
}

// TestSharedCausesInOrder: the cause of the most sets comes first, its sets in the order of the explanation, and a set
// that is not stuck has none.
func TestSharedCausesInOrder(t *testing.T) {
	var sets []*DumpedSet
	for i, cause := range []string{"x", "y", "y", "z", "x", "y"} {
		sets = append(sets, stuckFor(cause+strconv.Itoa(i), cause))
	}
	sets[5].State = judge.Continues
	sets = append(sets, stuckFor("web", "x"))
	require.Equal(t, []Cause{
		{What: "x", Sets: []string{"a/x0", "a/x4", "a/web"}},
		{What: "y", Sets: []string{"a/y1", "a/y2"}},
	}, shared(sets))
}

// TestSharedCausesComeFirst: the text names what helps several sets before it comes to the sets.
func TestSharedCausesComeFirst(t *testing.T) {
	dumped := &Dumped{Causes: []Cause{{What: "no", Sets: []string{"a/b", "c/d"}}}, Sets: []*DumpedSet{{AtRest: true, Judgement: judge.Judgement{State: judge.AtRest}}}}
	var text strings.Builder
	require.NoError(t, dumped.Document().Text(&text, render.Style{}))
	require.Equal(t, "  - 2 sets are stuck for one reason: no (a/b, c/d).", strings.Split(text.String(), "\n")[1])
}

// TestUntried: whoever reads an explanation without fixes, or with some, is told what was not tried, and why.
func TestUntried(t *testing.T) {
	for _, c := range []struct {
		tried bool
		says  string
	}{{false, "No fix was tried: it takes too long."}, {true, "Not all fixes were tried: it takes too long."}} {
		says := told(&Explanation{Sets: []*Set{{Name: "web", Untried: "it takes too long", Tried: c.tried}}})
		require.Contains(t, says, c.says)
	}
}

// TestForeverOnlyAtTheEnd: that nothing ends a wait is only said at the end of a run that is stuck. At an instant of
// the same run the containers may stop yet.
func TestForeverOnlyAtTheEnd(t *testing.T) {
	const never = "its containers do not stop"
	played := lab(t, "kubelet: {stop: never}\nsteps:\n- create: {name: web, replicas: 1, image: \"app:v1\"}\n- delete: pod/web-0\n- {after: 9s, cordon: node-3}\n")
	events := played.Run(nil)
	e, err := Explain(events, Options{})
	require.NoError(t, err)
	require.Contains(t, told(e), never)

	at := 5 * time.Second
	e, err = Explain(events, Options{At: &at})
	require.NoError(t, err)
	require.NotContains(t, told(e), never)
}
