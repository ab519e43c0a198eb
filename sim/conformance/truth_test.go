package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Truth renders the changes of pods in a timeline as the files of recorded cases do: a line an instant, its changes
// sorted. A livelock is one line with its instant, in place of all that happens there.
func Truth(events []timeline.Event) string {
	return render(events, podText)
}

// Record renders all that two controllers must agree in: the changes of pods, claims, revisions and statuses, the
// events and the errors of each instant, and the verdict as far as it does not hang on what a controller says it
// waits for.
func Record(events []timeline.Event) string {
	return render(events, recordText)
}

func recordText(e *timeline.Event) string {
	switch e.Kind {
	case timeline.KindPod:
		return fmt.Sprintf("%s revision %d", podText(e), e.Revision)
	case timeline.KindStatus:
		if e.Status == nil {
			return "status gone"
		}
		return "status " + statusText(e.Status)
	case timeline.KindRevision:
		return revisionText(e.Rev)
	case timeline.KindClaim:
		return claimText(e.Claim)
	case timeline.KindK8sEvent:
		message, _, _ := strings.Cut(e.Message, "failed error: [")
		return "event " + e.Reason + " " + message
	case timeline.KindSync:
		return errorText
	}
	return ""
}

// claimText renders a claim as it is after a change.
func claimText(c *timeline.Claim) string {
	if c.Type == model.Deleted {
		return "claim " + c.Name + " gone"
	}
	return fmt.Sprintf("claim %s %s %v", c.Name, c.Phase, c.Owners)
}

func revisionText(r *timeline.Rev) string {
	return fmt.Sprintf("revision %s #%d @%d %d", r.Name, r.Number, r.Template, r.Type)
}

// errorText stands once for all the failed syncs of an instant: how errors are worded is not compared.
const errorText = "error"

func podText(e *timeline.Event) string {
	if e.Kind != timeline.KindPod {
		return ""
	}
	return fmt.Sprintf("%s=%s:%s", e.Pod, e.Image, e.State)
}

// render renders the events for which text has one.
func render(events []timeline.Event, text func(*timeline.Event) string) string {
	var lines, changes []string
	last := &events[len(events)-1]
	livelock := last.Result.Verdict == timeline.Livelock
	flush := func(at model.Time) {
		if len(changes) > 0 && (!livelock || at != last.T) {
			slices.Sort(changes)
			lines = append(lines, at.Seconds()+" "+strings.Join(changes, " "))
		}
		changes = changes[:0]
	}
	for i := range events {
		e := &events[i]
		if i > 0 && e.T != events[i-1].T {
			flush(events[i-1].T)
		}
		if line := text(e); line != "" && (line != errorText || !slices.Contains(changes, line)) {
			changes = append(changes, line)
		}
	}
	flush(last.T)
	if livelock {
		lines = append(lines, "LIVELOCK "+last.T.Seconds())
	}
	return strings.Join(lines, "\n") + "\n"
}

// Endless says whether a run went round without an end, within an instant or where caches lag in a few of them.
func Endless(events []timeline.Event) bool {
	verdict := events[len(events)-1].Result.Verdict
	return verdict == timeline.Livelock || verdict == timeline.Limit
}
