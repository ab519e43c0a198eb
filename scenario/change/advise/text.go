package advise

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Marker is the comment by which a bot finds the comment that it wrote before.
const Marker = "<!-- statefulsim:advise -->"

// Document is the advice as people read it.
func (a *Advice) Document() *doc.Document {
	d := &doc.Document{
		Marker: Marker, Title: doc.Of("Advice for Kubernetes " + model.VersionTitle(a.Kubernetes.Played, a.Kubernetes.Proven)),
		Headline: doc.Of(render.Capital(a.headline()) + "."), Tone: render.Good,
		Table: doc.Table{
			Header: []string{"#", "Setting", "Takes (p50, p95)", "Fewest serving", "Pod time lost", "A bad version takes",
				"You give up"},
			Everywhere: true,
		},
	}
	if doubt := a.Kubernetes.Doubt(); doubt != "" {
		d.First = []doc.Text{doc.Of(doubt)}
	}
	if a.FindsBetter() {
		d.Tone = render.Warn
	}
	for _, s := range a.All() {
		several := len(a.Sets) > 0
		for _, c := range s.Front {
			row := s.row(c, len(d.Parts)+1, several)
			row.Cells = append([]doc.Text{doc.Of(strconv.Itoa(len(d.Table.Rows) + 1))}, row.Cells...)
			d.Table.Rows = append(d.Table.Rows, row)
		}
		d.Parts = append(d.Parts, s.parts()...)
	}
	for _, r := range a.Refused {
		d.Notes = append(d.Notes, doc.Of(fmt.Sprintf("No advice for %s: %s.", r.Set, r.Because)))
	}
	for _, name := range a.Unplayed {
		d.Notes = append(d.Notes, doc.Of(fmt.Sprintf("No advice for %s: not all of its settings were played.", name)))
	}
	return d
}

// headline is the verdict in a sentence, without a full stop.
func (a *Advice) headline() string {
	sets := a.All()
	if len(sets) == 0 {
		return "no StatefulSet to advise on"
	}
	if len(sets) > 1 {
		better := slices.DeleteFunc(slices.Clone(sets), func(s *Set) bool { return !s.Better })
		return fmt.Sprintf("%d of %d StatefulSets can roll better than with the settings they have", len(better), len(sets))
	}
	s := sets[0]
	if !s.Better {
		return "nothing is better in every way than today's settings of " + s.Set
	}
	return "better settings than today's were found for " + s.Set
}

// row is a setting in the table.
func (s *Set) row(c *Choice, part int, several bool) doc.Row {
	name := c.name()
	if several {
		name = s.Set + ": " + name
	}
	row := doc.Row{Part: part, Run: s.Set + ": " + c.name(), Cells: []doc.Text{
		doc.Of(name), doc.Of(c.takes()), doc.Of(s.serving(c.FewestServing)), doc.Of(c.lost()),
		doc.Of(c.BadVersion.short(s.Replicas)), doc.Of(strings.Join(c.Gives, "; ")),
	}}
	if len(c.Fails) > 0 {
		row.Tone = render.Bad
	}
	return row
}

// serving is how many pods serve, with a mark if that is too few.
func (s *Set) serving(n int) string {
	text := fmt.Sprintf("%d of %d", n, s.Replicas)
	if n < s.Keep {
		text += fmt.Sprintf(" (asked: %d)", s.Keep)
	}
	return text
}

// lost is how long pods do not serve in a rollout, all of them together.
func (c *Choice) lost() string {
	if c.trial != nil && !c.trial.ends {
		return "-"
	}
	return render.Brief(time.Duration(c.PodTime))
}

// name is the setting, with a mark if it is today's.
func (c *Choice) name() string {
	if c.Today {
		return "today: " + c.Setting
	}
	return c.Setting
}

// takes is how long a rollout takes.
func (c *Choice) takes() string {
	switch {
	case c.trial != nil && !c.trial.ends:
		return "does not complete"
	case c.Duration.P50 == c.Duration.P95:
		return render.Brief(time.Duration(c.Duration.P95))
	}
	return render.Brief(time.Duration(c.Duration.P50)) + ", " + render.Brief(time.Duration(c.Duration.P95))
}

// short says how many pods each kind of bad version takes, and how many are down where that are more. A kind that does
// not apply has a dash.
func (p *Price) short(replicas int) string {
	if len(p.Cases) == 0 {
		return "-"
	}
	var lost, down []string
	if len(p.Cases) < len(bads) {
		lost, down = append(lost, "-"), append(down, "-")
	}
	for i := range p.Cases {
		lost, down = append(lost, fmt.Sprint(p.Cases[i].Lost)), append(down, fmt.Sprint(p.Cases[i].Down))
	}
	text := strings.Join(lost, " / ") + fmt.Sprintf(" of %d", replicas)
	if !slices.Equal(lost, down) {
		text += "; down: " + strings.Join(down, " / ")
	}
	return text
}

// parts are what is to be said about a set: what was asked for and tried, and how to get each setting.
func (s *Set) parts() []doc.Part {
	about := doc.Part{Title: doc.Of(s.Set)}
	if s.Keep > 0 {
		about.Items = append(about.Items, doc.Fact("Asked", fmt.Sprintf("%d of %d pods serve all the time (%s)", s.Keep,
			s.Replicas, s.Why)))
	}
	for _, text := range s.Alarms {
		about.Items = append(about.Items, doc.Fact("ALARM", text))
	}
	about.Items = append(about.Items, doc.Fact("Bad", "a version that "+kinds()))
	for _, t := range s.Timings {
		about.Items = append(about.Items, doc.Fact("Times", t.String()))
	}
	about.Items = append(about.Items, doc.Fact("Tried", fmt.Sprintf("%d settings in %d runs", s.Searched.Candidates,
		s.Searched.Runs)))
	for _, r := range s.Rejected {
		about.Items = append(about.Items, doc.Fact("Rejected", r.Setting+": "+strings.Join(r.Because, "; ")))
	}
	if s.More > 0 {
		about.Items = append(about.Items, doc.Fact("More", s.hidden()))
	}
	about.Items = append(about.Items, doc.Facts("Note", s.Notes...)...)
	parts := []doc.Part{about}
	for _, c := range s.Front {
		parts = append(parts, c.part(s))
	}
	return parts
}

// hidden says how to see more of the front.
func (s *Set) hidden() string {
	text := fmt.Sprintf("%d more %s: --within TIME shows others", s.More,
		render.Agree(s.More, "setting that nothing beats is not shown", "settings that nothing beats are not shown"))
	var longest, gap render.Seconds
	for i := 1; i < len(s.Front); i++ {
		a, b := s.Front[i-1].Duration.P95, s.Front[i].Duration.P95
		if b-a > gap {
			longest, gap = b, b-a
		}
	}
	if longest -= render.Seconds(time.Second); gap > 0 && longest > 0 {
		text = strings.Replace(text, "TIME", time.Duration(longest).Round(time.Second).String(), 1)
	}
	return text
}

// kinds are the ways in which a version can be bad, in the order of the numbers of a row.
func kinds() string {
	var list []string
	for _, b := range bads {
		list = append(list, b.says)
	}
	return strings.Join(list, " / ")
}

// part is what is to be said about a setting.
func (c *Choice) part(s *Set) doc.Part {
	p := doc.Part{Title: doc.Of(c.name()), Run: s.Set + ": " + c.name(), Set: s.Set}
	if len(c.Fails) > 0 {
		p.Tone = render.Bad
	}
	add := func(name, text string) { p.Items = append(p.Items, doc.Fact(name, text)) }
	for _, text := range c.Fails {
		add("Fails", text)
	}
	for i := range c.BadVersion.Cases {
		price, commands := &c.BadVersion.Cases[i], c.BadVersion.Cases[i].Back
		text := price.sentence(s.Replicas)
		switch {
		case len(commands) > 0 && i > 0 && slices.Equal(commands, c.BadVersion.Cases[i-1].Back):
			text, commands = text+", the same way", nil
		case len(commands) > 0:
			text += ":"
		}
		p.Items = append(p.Items, doc.Item{Name: doc.Of("If bad"), Text: doc.Of(text), Commands: doc.All(commands)})
	}
	if c.NodeLost != nil {
		text := "if the rollout loses a node, " + s.serving(c.NodeLost.FewestServing) + " serve at least"
		if !c.NodeLost.Ends {
			text += ", and it waits for the node"
		}
		add("Node", text)
	}
	for _, text := range c.gateLines() {
		add("Gates", text)
	}
	for _, promise := range c.Promises {
		text := promise.Says
		if promise.Trap != "" {
			text = promise.Trap + ": " + text
		}
		if promise.When != "" {
			text += " When: " + promise.When
		}
		add("Trap", text)
	}
	if len(c.Commands) > 0 {
		p.Items = append(p.Items, doc.Item{Name: doc.Of("Apply"), Text: doc.Of(c.applied()), Commands: doc.All(c.Commands)})
	}
	if len(c.Rollout) > 0 {
		p.Items = append(p.Items, doc.Item{Name: doc.Of("Rollout"), Text: doc.Of("each one, stage by stage (--canary -o sh prints " +
			"one as a script):"), Commands: doc.All(c.Rollout)})
	}
	return p
}

// applied says how the setting is applied.
func (c *Choice) applied() string {
	if c.Mutable {
		return "before the next rollout:"
	}
	return "podManagementPolicy cannot be changed, so the StatefulSet is made anew, with " + string(c.Patch) + ":"
}

// gateLines say which deploy tools are wrong about the rollout, a line for each way and each timeout.
func (c *Choice) gateLines() []string {
	var early, others []string
	late := map[time.Duration][]string{}
	for _, g := range c.Gates {
		timeout := timeoutOf(g)
		switch {
		case g.Says == gate.SaysDone:
			early = append(early, g.Gate)
		case timeout > 0 && g.At != nil && time.Duration(*g.At) >= timeout:
			late[timeout] = append(late[timeout], g.Gate)
		default:
			others = append(others, g.Gate)
		}
	}
	var list []string
	if len(early) > 0 {
		list = append(list, render.And(early)+" "+render.Agree(len(early), "says", "say")+" done too early")
	}
	for _, timeout := range slices.Sorted(maps.Keys(late)) {
		names := late[timeout]
		list = append(list, fmt.Sprintf("%s %s after %s, before the rollout completes: %s", render.And(names),
			render.Agree(len(names), "times out", "time out"), render.Brief(timeout), c.enough(names)))
	}
	if len(others) > 0 {
		list = append(list, render.And(others)+" "+render.Agree(len(others), "does", "do")+
			" not say done, though the rollout completes")
	}
	return list
}

// timeoutOf is the timeout of a deploy tool's own; 0 if it has none.
func timeoutOf(answer *gated.Answer) time.Duration {
	for _, g := range gate.All() {
		if g.Name == answer.Gate {
			return g.Looks.Timeout
		}
	}
	return 0
}

// enough says with which timeout tools wait long enough: a quarter more than 95 of 100 rollouts take, in whole minutes
// that are easy to read.
func (c *Choice) enough(tools []string) string {
	const step = 5 * time.Minute
	long := time.Duration(c.Duration.P95) * 5 / 4
	timeout := fmt.Sprintf("%dm", (long+step-1)/step*step/time.Minute)
	if long > 2*time.Hour {
		timeout = fmt.Sprintf("%dh", (long+time.Hour-1)/time.Hour)
	}
	if slices.ContainsFunc(tools, func(name string) bool { return !strings.HasPrefix(name, "helm") }) {
		return fmt.Sprintf("a timeout of %s is enough", timeout)
	}
	return fmt.Sprintf("--timeout %s is enough", timeout)
}

// sentence says what a kind of bad version costs.
func (p *Price) sentence(replicas int) string {
	text := fmt.Sprintf("%s: %d of %d pods", p.Says, p.Lost, replicas)
	if p.StopsAt != nil {
		text += ", then the rollout stops"
	} else {
		text += ", nothing stops the rollout"
	}
	if p.Down > p.Lost {
		text += fmt.Sprintf("; %d of %d pods are down until somebody acts", p.Down, replicas)
	}
	if p.BackIn == nil {
		return text + "; a revert does not bring all of them back"
	}
	return text + "; the way back takes " + render.Brief(time.Duration(*p.BackIn))
}

// Runs are the runs behind the settings of the answer, each with the name that its row has; at most so many.
func (a *Advice) Runs(most int) []*report.Run {
	var list []*report.Run
	for _, s := range a.All() {
		for _, c := range s.Front {
			if len(list) < most {
				list = append(list, &report.Run{Name: s.Set + ": " + c.name(), Events: c.events})
			}
		}
	}
	return list
}

// Scatter is the picture of the settings of one set: how many pods serve against how long a rollout takes. It is nil for
// several sets.
func (a *Advice) Scatter() *doc.Scatter {
	if a.Set == nil {
		return nil
	}
	picture := &doc.Scatter{X: "how long a rollout takes (p95)", Y: "fewest serving", Of: a.Replicas}
	for i, c := range a.Front {
		if !c.trial.ends {
			continue
		}
		picture.Points = append(picture.Points, doc.Point{
			Name: c.name(), Label: strconv.Itoa(i + 1), X: time.Duration(c.Duration.P95), Y: c.FewestServing,
			Size: float64(c.trial.down()) / float64(len(bads)*max(1, a.Replicas)), Run: i + 1, Here: c.Today,
		})
	}
	return picture
}
