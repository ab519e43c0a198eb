package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"time"
)

// waits writes a lane for each set with what the controller waits for. What a set is stuck on is red. The lanes of the
// pods must be closed.
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
