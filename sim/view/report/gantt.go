package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// maxGanttPods is the greatest number of pods in a gantt chart that people can still read.
const maxGanttPods = 15

// Gantt writes the run as a gantt chart in Mermaid's language, which pull requests draw: a lane for each pod with
// its states, the user's steps as milestones above, and below what each set waits for, how the run ends, and the
// commands that fix it. For more than 15 pods the chart only says that they are too many.
func Gantt(w io.Writer, run *Run) error {
	out := bufio.NewWriter(w)
	ganttOf(run).write(out, run)
	return out.Flush()
}

// ganttOf reads a run for its chart.
func ganttOf(run *Run) *gantt {
	g := &gantt{cast: castOf(run.Events), end: run.end(), bars: map[ganttPod][]string{}, stuck: stuckOn(run)}
	for i := range run.Events {
		g.event(&run.Events[i])
	}
	return g
}

// write writes the chart of a run that was read. It closes what is open, and so can be called once only.
func (g *gantt) write(out *bufio.Writer, run *Run) {
	// Compact puts the states of a pod side by side; without it each has a row of its own.
	fmt.Fprintf(out, "---\ndisplayMode: compact\n---\ngantt\n    title %s\n", mermaid(run.Name))
	fmt.Fprintf(out, "    dateFormat YYYY-MM-DDTHH:mm:ss.SSS\n    axisFormat %s\n    todayMarker off\n", g.axis())
	if len(g.pods) > maxGanttPods {
		note := fmt.Sprintf("%d pods are more than a gantt chart can show, which is %d", len(g.pods), maxGanttPods)
		fmt.Fprintf(out, "    section %s\n    see -o table or -o html :milestone, %s, 0s\n", note, instant(0))
		return
	}
	g.close()
	// A section of its own for each step keeps their titles from lying on top of each other.
	for i, step := range g.steps {
		g.section(out, "step "+strconv.Itoa(i+1), []string{step})
	}
	for _, pod := range g.pods {
		g.section(out, g.cast.of(pod.set, pod.name), g.bars[pod])
	}
	g.waits(out, run)
	g.section(out, "verdict", ganttEnd(run, g.cast))
	g.section(out, "fix", ganttFix(run))
}

// ganttEnd returns the final milestone of the chart: the verdict, in red if it is not settled, and what sets are
// stuck on.
func ganttEnd(run *Run, c *cast) []string {
	last := run.result()
	if last == nil {
		return nil
	}
	text, tag := string(last.Result.Verdict), ""
	if last.Result.Verdict != timeline.Settled {
		text, tag = strings.ToUpper(text), "crit, "
	}
	for i := range last.Result.Stuck {
		s := &last.Result.Stuck[i]
		text += strings.TrimRight(fmt.Sprintf(", %s: %s %s", c.set(s.Set), s.Why.Code, s.Why.Object), " ")
	}
	return []string{fmt.Sprintf("%s :%smilestone, %s, 0s", mermaid(text), tag, instant(last.T))}
}

// ganttPod is a lane: all pods that have had the name.
type ganttPod struct {
	set  model.Key
	name string
}

// gantt is the chart of one run: it is fed the events in their order, closed once, and then written.
type gantt struct {
	cast *cast
	// end is the instant when the run ends; until is where bars end that are still open then.
	end, until model.Time
	// fold is the state before the current event.
	fold timeline.Fold
	// pods are the lanes in the order of the pods' creation; bars has the bars of each so far, one for each state
	// that it has left. A pod is in pods if and only if it is in bars.
	pods []ganttPod
	bars map[ganttPod][]string
	// steps are the milestones of the steps.
	steps []string
	// stuck are the pods that sets are stuck on when the run ends.
	stuck map[ganttPod]bool
}

// stuckOn returns the pods, or other objects, that sets are stuck on at the end; empty for a run that is cut off.
func stuckOn(run *Run) map[ganttPod]bool {
	pods := map[ganttPod]bool{}
	if last := run.result(); last != nil {
		for i := range last.Result.Stuck {
			s := &last.Result.Stuck[i]
			pods[ganttPod{s.Set, s.Why.Object}] = true
		}
	}
	return pods
}

// event takes the next event. A bar is written when the pod leaves the state, because a bar needs both of its ends.
func (g *gantt) event(event *timeline.Event) {
	switch event.Kind {
	case timeline.KindStep:
		_, title, _ := strings.Cut(mermaid(StepTitle(event.Step)), "STEP "+strconv.Itoa(event.Step.Number))
		title = strings.TrimLeft(title, ",\u2236 ")
		g.steps = append(g.steps, fmt.Sprintf("%s :milestone, %s, 0s", title, instant(event.T)))
	case timeline.KindPod:
		pod := ganttPod{event.Set, event.Pod}
		if _, known := g.bars[pod]; !known {
			g.pods = append(g.pods, pod)
			g.bars[pod] = nil
		}
		if before := g.fold.Pod(pod.set, pod.name); before != nil && before.State != event.State {
			g.bar(pod, before, event.T, ganttTags[before.State])
		}
	}
	g.fold.Apply(event)
}

// bar adds the bar of the state that a pod leaves. A state that takes no time has none.
func (g *gantt) bar(pod ganttPod, was *timeline.Pod, until model.Time, tags string) {
	if until == was.Since {
		return
	}
	g.bars[pod] = append(g.bars[pod], fmt.Sprintf("%s :%s%s, %s",
		g.label(was, until.Sub(was.Since)), tags, instant(was.Since), instant(until)))
}

// label is as much of a bar's name as its share of the chart has room for: Mermaid would write the rest over its
// neighbours. On the pages of GitHub and GitLab, which are some 750 pixels wide, a fortieth has room for a revision. A
// name must have something, if only a dot.
func (g *gantt) label(was *timeline.Pod, lasted time.Duration) string {
	share := float64(lasted) / float64(max(g.end, 1))
	switch template := "@" + strconv.Itoa(was.Template); {
	case share > 0.12:
		return template + " " + was.State.String()
	case share > 0.025:
		return template
	}
	return "\u00b7"
}

// ganttTags are the tags that make Mermaid colour a bar: done is grey, active light, crit red, both have a red
// edge.
var ganttTags = map[timeline.State]string{
	timeline.Pending: "done, ", timeline.Terminating: "crit, done, ", timeline.Running: "active, ",
	timeline.Unready: "crit, ", timeline.Failed: "crit, ",
}

// close ends what is still open when the run ends, at the same instant. If something starts at the end, all get a
// little room after it. The wait that a set is stuck on is red.
func (g *gantt) close() {
	g.until = max(g.end, 1)
	for _, pod := range g.pods {
		if p := g.fold.Pod(pod.set, pod.name); p != nil && p.Since == g.end {
			g.until = g.end.Add(max(time.Duration(g.end)/50, time.Second))
		}
	}
	for _, pod := range g.pods {
		p := g.fold.Pod(pod.set, pod.name)
		if p == nil {
			continue
		}
		tags := ganttTags[p.State]
		if g.stuck[pod] {
			tags = "crit, "
		}
		g.bar(pod, p, g.until, tags)
	}
}

// section writes a lane; one without bars is left out.
func (g *gantt) section(out *bufio.Writer, name string, bars []string) {
	if len(bars) == 0 {
		return
	}
	fmt.Fprintf(out, "    section %s\n", mermaid(name))
	for _, bar := range bars {
		fmt.Fprintf(out, "    %s\n", bar)
	}
}

// axis returns the format of the axis, in the units that the run needs.
func (g *gantt) axis() string {
	switch d := time.Duration(g.end); {
	case d < time.Hour:
		return "%M:%S"
	case d < 24*time.Hour:
		return "%H:%M"
	}
	return "day %j %H:%M"
}

// instant returns a virtual instant as a date, which is what Mermaid counts in: the run starts in a year that
// cannot be mistaken for a real one. A gantt has milliseconds.
func instant(t model.Time) string {
	return time.Unix(0, int64(t)).UTC().AddDate(31, 0, 0).Format("2006-01-02T15:04:05.000")
}

// mermaid escapes text so that nothing in it ends or has a meaning in a gantt chart. Mermaid has no escapes there,
// so similar-looking characters replace the special ones.
func mermaid(text string) string { return lookAlikes.Replace(render.Visible(text)) }

// lookAlikes are the signs that Mermaid would read, each with one that looks like it.
var lookAlikes = strings.NewReplacer(
	":", "\u2236", ";", ",", "#", "\uff03", "%", "\uff05", "<", "\u2039", ">", "\u203a")

// waits writes a lane for each set with the waits of the controller. The wait that a set is stuck on is red. The
// lanes of the pods must be closed.
func (g *gantt) waits(out *bufio.Writer, run *Run) {
	all := waitsIn(run.Events)
	for _, set := range g.cast.sets {
		var bars []string
		for _, w := range all {
			until, tags := w.from.Add(w.d), "active, "
			if w.open {
				until = g.until
			}
			if w.open && g.stuck[ganttPod{set, w.why.Object}] {
				tags = "crit, "
			}
			if w.set == set && until > w.from {
				bars = append(bars, fmt.Sprintf("%s :%s%s, %s", g.waitLabel(w), tags, instant(w.from), instant(until)))
			}
		}
		name := "waits"
		if len(g.cast.sets) > 1 {
			name += " of " + g.cast.set(set)
		}
		g.section(out, name, bars)
	}
}

// waitLabel is as much of a wait's name as its share of the chart has room for, as label is.
func (g *gantt) waitLabel(w *waitSummary) string {
	share := float64(w.d) / float64(max(time.Duration(g.end), 1))
	whole := strings.TrimSpace(string(w.why.Code) + " " + w.why.Object)
	for _, text := range []string{whole, w.why.Object} {
		// A letter is about a hundredth of the chart wide.
		if text != "" && share > float64(len(text))/100 {
			return mermaid(text)
		}
	}
	return "\u00b7"
}

// ganttFix returns a milestone for each command that fixes a run that is stuck. A fix that can lose something is not
// shown without its warning, nor a command that Mermaid would change.
func ganttFix(run *Run) []string {
	var list []string
	for i := range run.Cures {
		cure := &run.Cures[i]
		commands := cure.Commands
		changed := func(command string) bool { return mermaid(command) != command }
		if cure.Danger != "" || slices.ContainsFunc(commands, changed) {
			commands = []string{"see -o text or -o html"}
		}
		for _, command := range commands {
			list = append(list, fmt.Sprintf("%s :milestone, %s, 0s", command, instant(run.end())))
		}
	}
	return list
}
