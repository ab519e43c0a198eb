package conformance

import (
	"regexp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Whole renders all that two controllers must agree in who decide themselves when they sync: what becomes of pods,
// claims, revisions and statuses, each sync with its instant and whether it failed, and each write with its answer.
// Kubernetes' events are left out: the real controller sends them past the simulated API server, and not all of them.
func Whole(events []timeline.Event, notes []note) string {
	states := render(events, func(e *timeline.Event) string {
		switch e.Kind {
		case timeline.KindPod, timeline.KindStatus, timeline.KindRevision, timeline.KindClaim:
			return recordText(e)
		}
		return ""
	})
	lines := []string{strings.TrimSuffix(states, "\n")}
	for first := 0; first < len(notes); {
		last, at := first, notes[first].at
		var texts []string
		for ; last < len(notes) && notes[last].at == at; last++ {
			texts = append(texts, notes[last].text)
		}
		slices.Sort(texts)
		lines = append(lines, at.Seconds()+" "+strings.Join(texts, "\n  "))
		first = last
	}
	return uids.ReplaceAllString(strings.Join(lines, "\n"), "uid")
}

// uids are left out: they hang on the order in which the pods of a batch are created.
var uids = regexp.MustCompile(`uid-\d+`)

// note is something that is not in the timeline.
type note struct {
	at   model.Time
	text string
}
