package worlds_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search/sweep"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// TestPrintedNumbers plays random worlds and asks them at each fixed point what they hold. Then it reads what the
// reports print of their timelines, as a person would, and holds every number to what was seen. No fold and no tally is
// asked: this is the test of them.
func TestPrintedNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { holdPrinted(t, worlds.Draw(t, "world")) })
}

// misprinted are worlds of which a report printed something else than what they held.
var misprinted = map[string]string{
	"a set without replicas never served with all of them, also in a sweep": `
steps:
- create: {name: web, replicas: 0, image: "app:v1"}
- {after: 0s, create: {name: api, replicas: 1, image: "app:v1"}}
`,
	"a status that is written again as it is changes nothing": `
kubernetes: "1.29"
apiserver: {write: 100ms, watch: 2s}
steps:
- create: {name: web, replicas: 1, image: "app:v2"}
- create: {name: web, replicas: 2, image: "app:v2"}
  namespace: other
`,
	"a trace shows a pod that is named after no set to its end": `
steps:
- create: {name: web, replicas: 1, image: "app:v1"}
- createPod: {name: tool, image: "tool:1"}
- {after: 40s, scale: {statefulset: web, replicas: 2}}
`,
	"a set that goes and leaves nothing but a revision is the last change": `
faults:
- {at: 60s, delete: statefulset/web, cascade: orphan}
steps:
- create: {name: web, replicas: 0, image: "app:v1"}
`,
	"a set goes at the instant at which its pod is created, and leaves it": `
faults:
- {delete: statefulset/web, cascade: orphan, pod: "*=app:v2 *"}
- {write: {}, error: Conflict}
steps:
- create: {name: web, replicas: 1, image: "app:v2"}
`,
	"a set goes at the instant at which it is scaled": `
faults:
- {delete: statefulset/api, pod: "*=app:v2 *"}
steps:
- create: {name: web, replicas: 0, image: "app:v1"}
- create: {name: api, replicas: 0, image: "app:v2"}
- {after: 4s, scale: {statefulset: api, replicas: 1}}
`,
	"a pod without a set is in another namespace than the only set": `
kubelet: {schedule: never}
steps:
- {namespace: other, create: {name: web, replicas: 0, image: "app:v1"}}
- createPod: {name: tool, image: "tool:1", labels: {app: web}}
`,
	"a pod that is unready and released is as unready as before": `
steps:
- create: {name: web, replicas: 2, image: "app:v1"}
- unready: web-1
- {after: 5s, label: {pod: web-1, labels: {app: null}}}
- {after: 10s, scale: {statefulset: web, replicas: 3}}
`,
}

// TestMisprinted plays the worlds of which something wrong was printed once, or seen.
func TestMisprinted(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(misprinted)) {
		t.Run(name, func(t *testing.T) { holdPrinted(t, world{text: []byte(misprinted[name]), question: question{at: 900}}) })
	}
}

// holdPrinted plays a world, and holds what is printed of it to what was seen.
func holdPrinted(t require.TestingT, w world) {
	s := parse(t, w.text)
	n, pods := newNumbers(), &watched{}
	options := w.options()
	var world *sim.World
	look := func(events []timeline.Event) {
		n.look(world, events)
		pods.look(world)
	}
	options.Watch = func(w *sim.World) { world = w; look(w.Events()) }
	o := s.Run(options)
	if o.Result.Verdict == timeline.Livelock {
		// Of the last instant the timeline keeps the beginning only.
		return
	}
	look(o.Timeline)
	requireNumbers(t, n, o.Timeline)
	requirePods(t, pods, o.Timeline)
	requireRows(t, n, pods, o.Timeline)
	requireExplainedThen(t, n, o.Timeline, w.at)
	requireComparison(t, n, pods, o.Timeline)
	requireSwept(t, s, n, w)
}

// watched is what was seen of pods and of objects, at each instant at its last fixed point.
type watched struct {
	sights []podSight
	// changed is when something of the objects that reports speak of was seen to change, created when a pod was first
	// seen.
	changed []model.Time
	created map[model.UID]model.Time
	last    string
}

// podSight is the pods at an instant, by their uids.
type podSight struct {
	at   model.Time
	pods map[model.UID]seen
}

// seen is a pod as the API server holds it.
type seen struct {
	key model.Key
	// owner is the uid of the set that owns it, 0 if none does.
	owner              model.UID
	phase              model.Phase
	ready, terminating bool
	containers         model.Containers
	many               bool
}

// state is what a chart calls the state that a pod is in.
func (s *seen) states() []string {
	switch {
	case s.terminating:
		return []string{"Terminating"}
	case s.ready:
		return []string{"Ready"}
	case s.phase == model.Running:
		return []string{"Running", "Unready"}
	}
	return []string{s.phase.String()}
}

func (w *watched) look(world *sim.World) {
	sight := podSight{at: world.Now(), pods: map[model.UID]seen{}}
	if w.created == nil {
		w.created = map[model.UID]model.Time{}
	}
	for _, p := range world.Pods() {
		s := seen{key: p.Key(), phase: p.Phase, ready: p.Ready, terminating: p.Terminating()}
		if owner := p.Controller(); owner != nil {
			s.owner = owner.UID
		}
		if p.Containers != nil {
			s.containers, s.many = *p.Containers, p.Containers.All > 0
		}
		sight.pods[p.UID] = s
		if _, known := w.created[p.UID]; !known {
			w.created[p.UID] = world.Now()
		}
	}
	if i := len(w.sights) - 1; i >= 0 && w.sights[i].at == sight.at {
		w.sights[i] = sight
	} else {
		w.sights = append(w.sights, sight)
	}
	if now := objects(world); now != w.last {
		w.last = now
		w.changed = append(w.changed, world.Now())
	}
}

// objects is all of the world that, where it changes, somebody would call a change.
func objects(world *sim.World) string {
	var b strings.Builder
	for _, p := range world.Pods() {
		s := seen{phase: p.Phase, ready: p.Ready, terminating: p.Terminating()}
		fmt.Fprintln(&b, p.UID, s.states())
	}
	for _, s := range world.Sets() {
		fmt.Fprintln(&b, s.UID, s.Status)
	}
	for _, c := range world.Claims() {
		fmt.Fprintln(&b, c.UID, c.Phase, c.Terminating(), c.Owners)
	}
	return b.String()
}

// stays yields each pod with each span of time in which it was seen in one state at its beginning: it stays in that
// state until the next instant at which anything happens.
func (w *watched) stays(end model.Time, yield func(p *seen, from, to model.Time)) {
	for i := range w.sights {
		to := end
		if i+1 < len(w.sights) {
			to = w.sights[i+1].at
		}
		for _, uid := range slices.Sorted(maps.Keys(w.sights[i].pods)) {
			p := w.sights[i].pods[uid]
			yield(&p, w.sights[i].at, to)
		}
	}
}

// requirePods holds what charts and kubectl's table say of pods to what was seen.
func requirePods(t require.TestingT, w *watched, events []timeline.Event) {
	run := &report.Run{Name: "world", Events: events}
	end := events[len(events)-1].T
	traced, drawn := readTrace(t, run), readGantt(t, run)
	w.stays(end, func(p *seen, from, to model.Time) {
		traced.require(t, p, from, to)
		drawn.require(t, p, from, to)
	})
	requireWatch(t, run, w.sights[len(w.sights)-1])
	requireAll(t, traced, w)
}

// requireComparison holds the table of a comparison, as text and as Markdown, to what was seen.
func requireComparison(t require.TestingT, n *numbers, w *watched, events []timeline.Event) {
	run := &report.Run{Name: "world", Events: events}
	c := &report.Comparison{Name: "world", Versions: []report.VersionRun{{Version: "A", Run: run}}, Groups: [][]int{{0}}}
	var text, markdown bytes.Buffer
	require.NoError(t, report.VariantsText(&text, c, render.Style{Width: 1000}))
	require.NoError(t, report.VariantsMarkdown(&markdown, c))
	result := events[len(events)-1].Result
	ending := string(result.Verdict) + " at " + render.Clock(events[len(events)-1].T)
	var fewest []string
	all := 0
	for _, key := range n.names {
		words := "never all at once"
		if least, complete := n.fewest(key); complete {
			words = fmt.Sprintf("min %d", least.serving)
		}
		fewest = append(fewest, words)
	}
	for _, key := range named(events) {
		_, deleted := lives(events, key)
		all += len(deleted)
	}
	for name, cells := range map[string][]string{
		"text": tableRow(text.String(), "RUN"), "markdown": tableRow(markdown.String(), "run"),
	} {
		require.Len(t, cells, 6, "%s: %q", name, cells)
		require.Equal(t, "A", cells[0])
		if result.Verdict == timeline.Settled {
			require.Equal(t, ending, cells[1], name)
		}
		var printed []string
		for _, of := range strings.Split(cells[3], ", ") {
			printed = append(printed, of[max(0, strings.Index(of, "min "), strings.Index(of, "never ")):])
		}
		if len(named(events)) <= len(n.names) && !fleeting(events, n) {
			require.ElementsMatch(t, fewest, slices.DeleteFunc(printed, func(s string) bool { return s == "" }), name)
		}
		require.Equal(t, fmt.Sprint(all), cells[4], name)
		requireLastStep(t, w, events, cells[2])
	}
}

// requireLastStep holds how long the last step took: from it to the last instant at which the world was seen to change.
func requireLastStep(t require.TestingT, w *watched, events []timeline.Event, printed string) {
	step, last := model.Time(-1), model.Time(0)
	var unseen []model.Time
	for i := range events {
		switch e := &events[i]; e.Kind {
		case timeline.KindStep:
			step = e.T
		case timeline.KindRevision, timeline.KindPod:
			unseen = append(unseen, e.T)
		}
	}
	if events[len(events)-1].Result.Verdict != timeline.Settled || step < 0 {
		require.Equal(t, "-", printed)
		return
	}
	for _, at := range w.changed {
		last = max(last, at)
	}
	// A pod that comes and goes, or is unready and Ready again, within an instant is seen at no fixed point, and revisions
	// cannot be asked for: of these the record is believed.
	for _, at := range unseen {
		last = max(last, at)
	}
	require.Equal(t, render.Clock(max(last, step).Sub(step)), printed, "how long the last step took")
}

// tableRow returns the cells of the only row of the table that begins with a header.
func tableRow(text, header string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimLeft(line, "| "), header+" ") {
			if strings.HasPrefix(line, "|") {
				return markdownCells(lines[i+2])
			}
			return columnCells(line, lines[i+1])
		}
	}
	return nil
}

func markdownCells(line string) (cells []string) {
	for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
		cells = append(cells, strings.TrimSpace(cell))
	}
	return cells
}

// columnCells cuts a line where the columns of a header begin.
func columnCells(header, line string) (cells []string) {
	var starts []int
	for i := range header {
		if header[i] != ' ' && (i == 0 || i > 1 && header[i-1] == ' ' && header[i-2] == ' ') {
			starts = append(starts, i)
		}
	}
	for i, from := range starts {
		to := len(line)
		if i+1 < len(starts) {
			to = min(to, starts[i+1])
		}
		cells = append(cells, strings.TrimSpace(line[min(from, to):to]))
	}
	return cells
}

// requireSwept holds the report of a sweep over one seed to what was seen.
func requireSwept(t require.TestingT, s *scenario.Scenario, n *numbers, drawn world) {
	seed := s.Seed
	played := sweep.Play(s, seed, drawn.options())
	sum := &sweep.Sum{File: "world.yaml", Kubernetes: "x", First: seed}
	sum.Add([]sweep.Run{played})
	var text bytes.Buffer
	require.NoError(t, sweep.Text(&text, &sweep.Report{Sweeps: []*sweep.Sum{sum}}, render.Style{Width: 1000}, "sim run"))
	for _, key := range n.names {
		least, complete := n.fewest(key)
		line := fmt.Sprintf("  serving   %s: at least %d in 1 run\n", key, least.serving)
		line = strings.Replace(line, "at least 0", "at times none", 1)
		if complete {
			require.Contains(t, text.String(), line)
		} else {
			require.NotContains(t, text.String(), "  serving   "+key.String()+": ")
		}
	}
}

// requireAll looks for pods in a chart that nobody has seen.
func requireAll(t require.TestingT, c *chart, w *watched) {
	for key, bars := range c.bars {
		for _, b := range bars {
			if b.to > b.from && !w.saw(key, b.from) {
				require.Fail(t, "a chart shows a pod that was not there", "%s from %s: %s", key, b.from, b.state)
			}
		}
	}
}

// saw says whether there was a pod of a name at an instant.
func (w *watched) saw(key model.Key, at model.Time) bool {
	i, found := slices.BinarySearchFunc(w.sights, at, func(s podSight, at model.Time) int { return cmp.Compare(s.at, at) })
	if !found {
		return false
	}
	for _, p := range w.sights[i].pods {
		if p.key == key {
			return true
		}
	}
	return false
}
