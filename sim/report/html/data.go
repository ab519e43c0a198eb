package html

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/report"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// page is all that the script of the page is given. Names are short where they repeat with every run, and what repeats
// with every event is a flat list of numbers: a run of 1,000 pods must load at once.
type page struct {
	Runs []runData `json:"runs"`
	// States are the names of the states, by the numbers that the lanes use; Actors and Tones likewise.
	States []string `json:"states"`
	Actors []string `json:"actors"`
	Tones  []string `json:"tones"`
	// Words are the texts that the flat lists refer to by their index.
	Words []string `json:"words"`
}

// runData is one run.
type runData struct {
	Name       string `json:"name"`
	Kubernetes string `json:"kubernetes"`
	Verdict    string `json:"verdict"`
	// End is the last instant, in virtual seconds like every time here. Times has the instant of each stop.
	End   json.Number   `json:"end"`
	Times []json.Number `json:"times"`
	// Lines has for each stop a flat list: actor, tone, word.
	Lines [][]int    `json:"lines"`
	Steps []stepData `json:"steps"`
	Sets  []setData  `json:"sets"`
	// Things are the nodes, claims and so on that the run tells of.
	Things []thingData `json:"things,omitempty"`
}

// stepData is a step of the user, or a fault.
type stepData struct {
	// Stop is the stop at whose beginning the step acts, or within which the fault happens.
	Stop    int    `json:"stop"`
	Number  int    `json:"number"`
	Fault   bool   `json:"fault,omitempty"`
	Title   string `json:"title"`
	Refusal string `json:"refusal,omitempty"`
}

// setData is a set. Its flat lists have rows of numbers, all of the same length: see the functions that fill them.
type setData struct {
	Name string    `json:"name"`
	Pods []podData `json:"pods"`
	// Images are the first container's, by template.
	Images map[int]string `json:"images"`
	// Counts: stop, desired, ready, available, updated, serving.
	Counts []int `json:"counts"`
	// Waits: first stop, last stop (-1 where it never ends), word of the code, word of the sentence, resting (0 or 1).
	Waits []int `json:"waits"`
	// Nodes are the nodes that the run tells of and on which pods of the set have been.
	Nodes []string `json:"nodes,omitempty"`

	nodes  map[string]bool
	pods   map[string]int
	open   map[waitKey]int
	counts [5]int
}

// thingData is something that is no pod. Changes: stop, word of what it is from then on, tone.
type thingData struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Changes []int  `json:"changes"`
}

type podData struct {
	Name string `json:"name"`
	// Bars: stop, state, template, word of READY, word of STATUS, stop of the pod's creation, word of the reason,
	// actor, number of changes in that stop, restarts, whether it belongs to nobody (0 or 1).
	Bars []int `json:"bars"`

	ordinal int
	born    int
}

const (
	barWidth   = 11
	changesAt  = 8
	bareAt     = 10
	neverEnded = -1
)

type waitKey struct {
	code   model.Code
	object string
}

type thingKey struct {
	kind report.ThingKind
	name string
}

// words gives each text a number.
type words struct {
	list []string
	of   map[string]int
}

func (w *words) add(text string) int {
	n, known := w.of[text]
	if !known {
		n = len(w.list)
		w.of[text], w.list = n, append(w.list, text)
	}
	return n
}

// gather makes the data of the page.
func gather(runs []*report.Run) page {
	w := &words{of: map[string]int{}}
	p := page{
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

// gatherer goes through one run.
type gatherer struct {
	words   *words
	run     runData
	fold    timeline.Fold
	kubectl *report.Kubectl
	reader  *report.Things
	things  map[thingKey]int
	sets    map[model.Key]*setData
	// order are the sets as they appear.
	order []model.Key
	// stop is the number of the stop that is being read.
	stop int
}

func gatherRun(run *report.Run, w *words) runData {
	g := &gatherer{
		words: w, kubectl: report.NewKubectl(), reader: report.NewThings(run), things: map[thingKey]int{},
		sets: map[model.Key]*setData{}, run: runData{
			Name: run.Name, Verdict: "cut off", End: seconds(0),
			Lines: [][]int{}, Steps: []stepData{}, Times: []json.Number{}, Sets: []setData{},
		},
	}
	g.frame(run.Events)
	for stop := range report.Stops(run) {
		g.take(&stop)
	}
	for _, key := range g.order {
		set := g.sets[key]
		if len(set.Pods) == 0 && len(set.Waits) == 0 {
			continue
		}
		set.Name = name(key, g.order)
		for _, thing := range g.run.Things {
			if thing.Kind == string(report.ANode) && set.nodes[thing.Name] {
				set.Nodes = append(set.Nodes, thing.Name)
			}
		}
		slices.SortStableFunc(set.Pods, func(a, b podData) int {
			return cmp.Or(cmp.Compare(a.ordinal, b.ordinal), cmp.Compare(a.Name, b.Name))
		})
		g.run.Sets = append(g.run.Sets, *set)
	}
	return g.run
}

// name names the namespace where the run has several.
func name(key model.Key, all []model.Key) string {
	if slices.ContainsFunc(all, func(k model.Key) bool { return k.Namespace != key.Namespace }) {
		return key.String()
	}
	return key.Name
}

func seconds(t model.Time) json.Number { return json.Number(t.Seconds()) }

// frame reads the header and the result.
func (g *gatherer) frame(events []timeline.Event) {
	if len(events) == 0 {
		return
	}
	if header := events[0].Run; header != nil {
		g.run.Kubernetes = header.Kubernetes
	}
	last := &events[len(events)-1]
	g.run.End = seconds(last.T)
	if last.Result != nil {
		g.run.Verdict = string(last.Result.Verdict)
	}
}

// take reads the next stop.
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
	for _, key := range g.order {
		g.count(key, stop.T)
	}
}

func (g *gatherer) event(event *timeline.Event) {
	g.fold.Apply(event)
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
		g.run.Steps = append(g.run.Steps, stepData{
			Stop: g.stop, Number: event.Step.Number, Title: report.StepTitle(event.Step), Refusal: event.Step.Refusal,
		})
		for _, set := range event.Step.Sets {
			g.set(set.Key())
		}
	}
}

func (g *gatherer) set(key model.Key) *setData {
	set := g.sets[key]
	if set == nil {
		set = &setData{
			Pods: []podData{}, Images: map[int]string{}, Counts: []int{}, Waits: []int{},
			nodes: map[string]bool{}, pods: map[string]int{}, open: map[waitKey]int{}, counts: [5]int{-1},
		}
		g.sets[key] = set
		g.order = append(g.order, key)
	}
	return set
}

// pod adds a bar. What a pod passed through within one stop is told in words; the lane shows where it came out.
func (g *gatherer) pod(event *timeline.Event, row report.Row) {
	set := g.set(event.Set)
	set.nodes[event.Node] = true
	at, known := set.pods[event.Pod]
	if !known {
		at = len(set.Pods)
		set.pods[event.Pod] = at
		_, ordinal := model.SplitPodName(event.Pod)
		set.Pods = append(set.Pods, podData{Name: event.Pod, ordinal: ordinal})
	}
	pod := &set.Pods[at]
	if row.Created == event.T {
		pod.born = g.stop
	}
	if event.Image != "" {
		set.Images[event.Template] = event.Image
	}
	bar := []int{
		g.stop, int(event.State), event.Template, g.words.add(row.Ready), g.words.add(row.Status), pod.born,
		g.words.add(report.Because(event)), int(event.Actor), 1, row.Restarts, bit(event.Bare),
	}
	pod.add(bar)
}

// nextBar returns the pod that an event is about, and a bar that begins with the event and is like the pod's last one;
// nil for a pod that no bar has been added for.
func (g *gatherer) nextBar(event *timeline.Event) (*podData, []int) {
	set := g.set(event.Set)
	at, known := set.pods[event.Pod]
	if !known {
		return nil, nil
	}
	pod := &set.Pods[at]
	bar := slices.Clone(pod.Bars[len(pod.Bars)-barWidth:])
	bar[0], bar[7], bar[changesAt] = g.stop, int(event.Actor), 1
	return pod, bar
}

// owner adds a bar where a pod gets an owner or loses it, and else stays as it is.
func (g *gatherer) owner(event *timeline.Event) {
	pod, bar := g.nextBar(event)
	if pod == nil {
		return
	}
	bar[6] = g.words.add(report.OwnerChange(event))
	bar[bareAt] = bit(event.Owned.Change != timeline.Adopted)
	pod.add(bar)
}

func (g *gatherer) fault(event *timeline.Event) {
	mark := stepData{Stop: g.stop, Fault: true, Title: "FAULT: " + event.Message}
	if fault := event.Fault; fault != nil {
		mark.Number, mark.Title, mark.Refusal = fault.Number, report.FaultTitle(fault), fault.Refusal
	}
	g.run.Steps = append(g.run.Steps, mark)
}

// thing notes a change of something that is no pod. Only where it came out within a stop is shown.
func (g *gatherer) thing(thing report.Thing) {
	key := thingKey{thing.Kind, thing.Name}
	at, known := g.things[key]
	if !known {
		at = len(g.run.Things)
		g.things[key] = at
		g.run.Things = append(g.run.Things, thingData{Kind: string(thing.Kind), Name: thing.Name})
	}
	all := &g.run.Things[at].Changes
	change := []int{g.stop, g.words.add(thing.Text), int(thing.Tone)}
	if n := len(*all) - len(change); n >= 0 && (*all)[n] == g.stop {
		*all = (*all)[:n]
	} else if n >= 0 && slices.Equal((*all)[n+1:], change[1:]) {
		return
	}
	*all = append(*all, change...)
}

func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}

// retold adds a bar where a pod stays in its state, and kubectl shows something else of it: CrashLoopBackOff, say.
func (g *gatherer) retold(event *timeline.Event, row report.Row) {
	pod, bar := g.nextBar(event)
	if pod == nil {
		return
	}
	bar[3], bar[4] = g.words.add(row.Ready), g.words.add(row.Status)
	bar[6], bar[9] = g.words.add(report.Because(event)), row.Restarts
	pod.add(bar)
}

// add adds a bar in the place of one of the same stop.
func (p *podData) add(bar []int) {
	if n := len(p.Bars) - barWidth; n >= 0 && p.Bars[n] == bar[0] {
		bar[changesAt] += p.Bars[n+changesAt]
		p.Bars = p.Bars[:n]
	}
	p.Bars = append(p.Bars, bar...)
}

// wait adds a bar of the controller, or closes one.
func (g *gatherer) wait(event *timeline.Event) {
	set := g.set(event.Set)
	key := waitKey{event.Why.Code, event.Why.Object}
	at, open := set.open[key]
	if event.Wait.Ended {
		if open {
			set.Waits[at+1] = g.stop
			delete(set.open, key)
		}
		return
	}
	if open {
		return
	}
	resting := bit(event.Why.Code.Resting())
	set.open[key] = len(set.Waits)
	set.Waits = append(set.Waits,
		g.stop, neverEnded, g.words.add(label(&event.Why)), g.words.add(event.Why.Sentence()), resting)
}

// label is the short form of a wait: its code, and for whom.
func label(why *model.Why) string {
	if why.Object == "" {
		return string(why.Code)
	}
	return string(why.Code) + " " + why.Object
}

// count notes the counts of a set where they have changed.
func (g *gatherer) count(key model.Key, now model.Time) {
	var counts [5]int
	if set := g.fold.Set(key); set != nil {
		counts = [5]int{
			int(set.Spec.Spec.Replicas), int(set.Status.Ready), int(set.Status.Available), int(set.Status.Updated),
			set.Serving(),
		}
	}
	if set := g.sets[key]; set.counts != counts {
		set.counts = counts
		set.Counts = append(append(set.Counts, g.stop), counts[:]...)
	}
}
