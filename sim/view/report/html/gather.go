package html

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// words gives each text a number: its index in list, in the order of appearance. Like all texts of the data they
// are safe to show: nothing in them reverses or hides other text.
type words struct {
	list []string
	of   map[string]int
}

// add returns the number of a text. Texts that differ have different numbers, even if they look the same.
func (w *words) add(text string) int {
	n, known := w.of[text]
	if !known {
		n = len(w.list)
		w.of[text], w.list = n, append(w.list, render.Visible(text))
	}
	return n
}

// gather makes the data of the page. It shares no memory with the runs but their texts. It costs O(events).
func gather(runs []*report.Run) pageData {
	w := &words{of: map[string]int{}}
	p := pageData{
		Runs:   make([]runData, 0, len(runs)),
		States: append([]string{""}, timeline.StateNames()...),
		Actors: append([]string{""}, timeline.ActorNames()...),
		Tones:  toneNames[:],
	}
	for _, run := range runs {
		p.Runs = append(p.Runs, gatherRun(run, w))
	}
	p.Words = w.list
	return p
}

// toneNames are classes of the style sheet, in the order of report.Tone.
var toneNames = [...]string{"plain", "heading", "detail", "wrong", "right", "waiting"}

// gatherer goes through one run, event by event. fold, kubectl and reader have seen the events up to the current
// one; order and the keys of sets are the same sets.
type gatherer struct {
	words   *words
	run     runData
	fold    timeline.Fold
	kubectl *report.Kubectl
	reader  *report.Things
	// things are the indexes in run.Things.
	things map[thingKey]int
	sets   map[model.Key]*setData
	// order are the sets as they appear; several is true if they are in several namespaces.
	order   []model.Key
	several bool
	// changed are the sets whose counts may have changed since the last stop.
	changed map[model.Key]bool
	// promises are the demands of the budgets.
	promises promises
	// stop is the number of the stop that is being read.
	stop int
}

// gatherRun makes the data of one run, and adds its texts to the words, which the runs of a page share. Without events
// the verdict is "cut off", and the run has no stop.
func gatherRun(run *report.Run, w *words) runData {
	g := &gatherer{
		words: w, kubectl: report.NewKubectl(), reader: report.NewThings(run), things: map[thingKey]int{},
		sets: map[model.Key]*setData{}, changed: map[model.Key]bool{}, run: runData{
			Name: render.Visible(run.Name), Verdict: "cut off", End: seconds(0),
			Lines: [][]int{}, Steps: []stepData{}, Times: []json.Number{}, Sets: []setData{},
		},
	}
	g.frame(run.Events)
	for stop := range report.Stops(run) {
		g.take(&stop)
	}
	g.finish(run)
	return g.run
}

// finish puts together what is known when the run is over.
func (g *gatherer) finish(run *report.Run) {
	index := map[model.Key]int{}
	for _, key := range g.order {
		set := g.sets[key]
		if len(set.Pods) == 0 && len(set.Waits) == 0 {
			continue
		}
		set.Name, set.Plain = render.Visible(g.name(key)), render.Visible(key.Name)
		if whole := render.Visible(key.String()); whole != set.Name {
			set.Key = whole
		}
		for _, thing := range g.run.Things {
			if thing.Kind == string(report.ANode) && set.nodes[thing.Name] {
				set.Nodes = append(set.Nodes, thing.Name)
			}
		}
		slices.SortStableFunc(set.Pods, func(a, b podData) int {
			return cmp.Or(cmp.Compare(a.ordinal, b.ordinal), cmp.Compare(a.Name, b.Name))
		})
		index[key] = len(g.run.Sets)
		g.run.Sets = append(g.run.Sets, *set)
	}
	for i := range g.run.Steps {
		step := &g.run.Steps[i]
		for _, key := range step.keys {
			if at, shown := index[key]; shown {
				step.Sets = append(step.Sets, at)
			}
		}
		step.Sets = distinct(step.Sets)
	}
	g.lines(run)
	g.judge(run, index)
	g.begun(run.Begun, index)
}

// begun adds what is known about the running cluster that a run starts with.
func (g *gatherer) begun(cluster *report.Begun, index map[model.Key]int) {
	if cluster == nil {
		return
	}
	g.run.Begun = true
	for _, key := range g.order {
		at, shown := index[key]
		if !shown {
			continue
		}
		set := &g.run.Sets[at]
		set.Assumed = render.Visible(cluster.Assumed[key])
		g.fewest(set)
		for i := range set.Pods {
			pod := model.Key{Namespace: key.Namespace, Name: set.Pods[i].name}
			if created := cluster.Created[pod]; created < 0 {
				set.Pods[i].Age = seconds(-created)
			}
		}
	}
}

// fewest finds the fewest pods that served at the end of an instant, from the first one on.
func (g *gatherer) fewest(set *setData) {
	set.FewestAt = nil
	for i := 0; i < len(set.Counts); i += countWidth {
		stop, serving := set.Counts[i], set.Counts[i+5]
		next := i + countWidth
		if passes := next < len(set.Counts) && g.run.Times[set.Counts[next]] == g.run.Times[stop]; passes {
			continue
		}
		if set.FewestAt == nil || serving < set.Fewest {
			set.Fewest, set.FewestAt = serving, &stop
		}
	}
}

// lines notes the lines of the steps and the faults in the scenario, if the page shows it.
func (g *gatherer) lines(run *report.Run) {
	length := len(source(run))
	for i := range g.run.Steps {
		step, lines := &g.run.Steps[i], run.StepLines
		if step.Fault {
			lines = run.FaultLines
		}
		if n := step.Number - 1; n >= 0 && n < len(lines) && lines[n] <= length {
			step.Line = lines[n]
		}
	}
}

// judge adds the results of the run: its numbers, the failed expectations, and the ways out.
func (g *gatherer) judge(run *report.Run, index map[model.Key]int) {
	all, times := report.Figure(run), stopTimes(run)
	g.path(run, &all)
	for _, figures := range all.Sets {
		if at, shown := index[figures.Key]; shown && figures.Complete {
			stop := stopOf(times, figures.FewestAt)
			g.run.Sets[at].Fewest, g.run.Sets[at].FewestAt = figures.Fewest, &stop
		}
	}
	g.run.Failures = failures(run)
	for i := range run.Cures {
		cure := &run.Cures[i]
		set := render.Visible(g.name(cure.Set))
		g.run.Cures = append(g.run.Cures, cureData{
			Set: set, Commands: visibleAll(cure.Commands), Danger: cure.Danger != "",
			Line: render.Visible(strings.Join(cure.Lead(cure.Line()), " ")),
		})
	}
}

// failures returns the places where expectations failed, in the order of the stops.
func failures(run *report.Run) []failureData {
	list, times := []failureData{}, stopTimes(run)
	for i := range run.Expectations {
		if e := &run.Expectations[i]; e.Verdict == report.Failed {
			for _, t := range e.Instants {
				list = append(list, failureData{stopOf(times, t), render.Visible(e.Text)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b failureData) int { return cmp.Compare(a.Stop, b.Stop) })
	return list
}

// name names the namespace if the run has several.
func (g *gatherer) name(key model.Key) string {
	if g.several {
		return key.String()
	}
	return key.Name
}

// distinct returns each number once, in the order of appearance.
func distinct(list []int) []int {
	seen := map[int]bool{}
	return slices.DeleteFunc(list, func(n int) bool {
		again := seen[n]
		seen[n] = true
		return again
	})
}

// seconds is an instant in seconds, as exact as it is: a float would lose nanoseconds.
func seconds(t model.Time) json.Number { return json.Number(t.Seconds()) }

// frame reads the header and the result.
func (g *gatherer) frame(events []timeline.Event) {
	if len(events) == 0 {
		return
	}
	if header := events[0].Run; header != nil {
		g.run.Kubernetes = header.Version()
	}
	last := &events[len(events)-1]
	g.run.End = seconds(last.T)
	if last.Result != nil {
		g.run.Verdict = string(last.Result.Verdict)
	}
}

// take reads the next stop. Counts are noted after its last event: what lasts no time is not drawn.
func (g *gatherer) take(stop *report.Stop) {
	g.stop = len(g.run.Times)
	g.run.Times = append(g.run.Times, seconds(stop.T))
	lines := make([]int, 0, 3*len(stop.Lines))
	for _, line := range stop.Lines {
		lines = append(lines, int(line.Actor), int(line.Tone), g.words.add(line.Text))
	}
	g.run.Lines = append(g.run.Lines, lines)
	for i := range stop.Events {
		g.event(&stop.Events[i])
	}
	for key := range g.changed {
		g.count(key)
	}
	clear(g.changed)
}

// event reads an event into the fold, and into what the page shows of it.
func (g *gatherer) event(event *timeline.Event) {
	g.fold.Apply(event)
	g.mark(event)
	if thing, changed := g.reader.See(event); changed {
		g.thing(thing)
	}
	row, shown := g.kubectl.See(event)
	switch event.Kind {
	case timeline.KindPod:
		g.pod(event, row)
	case timeline.KindContainer, timeline.KindK8sEvent:
		if shown {
			g.retold(event, row)
		}
	case timeline.KindOwner:
		g.owner(event)
	case timeline.KindWait:
		g.wait(event)
	case timeline.KindFault:
		g.fault(event)
	case timeline.KindStep:
		g.step(event.Step)
	}
}

// step notes a step of the user, and makes the sets that it writes known; those that it removes were.
func (g *gatherer) step(step *timeline.Step) {
	mark := stepData{
		Stop: g.stop, Number: step.Number, Title: render.Visible(report.StepTitle(step)),
		Refusal: render.Visible(step.Refusal),
		Creates: step.Effect == timeline.Created, keys: slices.Clone(step.Removed),
	}
	for _, set := range step.Sets {
		g.set(set.Key())
		mark.keys = append(mark.keys, set.Key())
	}
	g.run.Steps = append(g.run.Steps, mark)
}

// set returns the data of a set, which is made when it is first asked for. The result stays valid: sets are pointers.
func (g *gatherer) set(key model.Key) *setData {
	set := g.sets[key]
	if set == nil {
		set = &setData{
			Pods: []podData{}, Images: map[int]string{}, Counts: []int{}, Waits: []int{},
			nodes: map[string]bool{}, pods: map[string]int{}, open: map[waitKey]int{}, counts: [6]int{-1},
		}
		g.sets[key] = set
		g.several = g.several || len(g.order) > 0 && g.order[0].Namespace != key.Namespace
		g.order = append(g.order, key)
		g.changed[key] = true
	}
	return set
}
