package worlds_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// requireRows holds the rows of the pods in a run's table to the pods as they are at the end, and to what was seen of
// their names before.
func requireRows(t require.TestingT, n *numbers, w *watched, events []timeline.Event) {
	var b bytes.Buffer
	require.NoError(t, report.Table(&b, &report.Run{Name: "world", Events: events}, render.Style{Width: 1000}))
	end := w.sights[len(w.sights)-1].pods
	for _, key := range n.names {
		rows := podRows(b.String(), key)
		created, _ := lives(events, key)
		names := namesOf(events, created)
		for _, uid := range n.owned[key] {
			p, there := end[uid]
			if !there || rows == nil || len(n.owned[key]) > 40 {
				continue
			}
			row := rows[p.key.Name]
			require.NotNil(t, row, "%s has no row in\n%s", p.key, b.String())
			state, _, _ := strings.Cut(row["STATE"], " ")
			require.Contains(t, p.states(), state, "%s: %q", p.key, row)
			require.Equal(t, fmt.Sprint(p.containers.Restarts), orZero(row["RESTARTS"]), "the restarts of %s: %q", p.key, row)
			if created[uid] {
				require.Equal(t, fmt.Sprint(names[p.key.Name]), row["LIVES"], "the lives of %s: %q", p.key, row)
			}
			if first, was := w.firstReady(p); was && row["FIRST READY"] != "never" {
				require.LessOrEqual(t, parseClock(t, row["FIRST READY"]), first, "%s was seen to be Ready: %q", p.key, row)
			}
		}
	}
}

func orZero(restarts string) string {
	if restarts == "" {
		return "0"
	}
	return restarts
}

// namesOf counts the lives of each name.
func namesOf(events []timeline.Event, created map[model.UID]bool) map[string]int {
	counts := map[string]int{}
	for i := range events {
		e := &events[i]
		if e.Kind == timeline.KindPod && e.State == timeline.Pending && !e.Bare && created[e.UID] && e.Why.Code != "" {
			counts[e.Pod]++
		}
	}
	return counts
}

// firstReady returns the first instant at which a pod of that name, of the same owner, was seen Ready.
func (w *watched) firstReady(pod seen) (model.Time, bool) {
	for i := range w.sights {
		for _, p := range w.sights[i].pods {
			if p.key == pod.key && p.owner == pod.owner && p.ready && !p.terminating {
				return w.sights[i].at, true
			}
		}
	}
	return 0, false
}

// parseClock reads an instant as reports print it, 1m03s, and returns it rounded up to what they print.
func parseClock(t require.TestingT, text string) model.Time {
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	return model.Time(d)
}

// podRows reads the table "pods of web", nil where there is none.
func podRows(text string, set model.Key) map[string]map[string]string {
	lines := strings.Split(text, "\n")
	title := regexp.MustCompile(`^pods of (?:` + regexp.QuoteMeta(set.Namespace) + `/)?` + regexp.QuoteMeta(set.Name) + `$`)
	at := slices.IndexFunc(lines, title.MatchString)
	if at < 0 {
		return nil
	}
	rows, header := map[string]map[string]string{}, lines[at+1]
	titles := columnCells(header, header)
	for _, line := range lines[at+2:] {
		if line == "" {
			break
		}
		row := map[string]string{}
		for i, cell := range columnCells(header, line) {
			row[titles[i]] = cell
		}
		rows[row["POD"]] = row
	}
	return rows
}

// requireExplainedThen holds what is explained of an instant in the middle to what was seen of it.
func requireExplainedThen(t require.TestingT, n *numbers, events []timeline.Event, share int) {
	for _, key := range n.names {
		i := len(n.seen[key]) * share / 1001
		for i+1 < len(n.seen[key]) && n.seen[key][i+1].at == n.seen[key][i].at {
			i++
		}
		s := n.seen[key][i]
		at := time.Duration(s.at)
		e, err := explain.Explain(events, explain.Options{At: &at})
		require.NoError(t, err)
		var text strings.Builder
		require.NoError(t, e.Document().Text(&text, render.Style{Width: 1 << 20}))
		lines := strings.Split(text.String(), "\n")
		words := fmt.Sprintf("%s: %d of %d serve", key, s.serving, s.replicas)
		if s.serving > s.replicas {
			words = fmt.Sprintf("%s: %d serve, %d wanted", key, s.serving, s.replicas)
		}
		if s.there {
			require.Contains(t, lines, words, "at %s", render.Clock(s.at))
		} else {
			require.NotContains(t, strings.Join(lines, "\n"), key.String()+": ", "at %s", render.Clock(s.at))
		}
	}
}
