package html

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// pod adds a bar. States that a pod passes through within one stop are described in words; the lane shows the last one.
// A pod of a name that was there before has the same lane.
func (g *gatherer) pod(event *timeline.Event, row report.Row) {
	set := g.set(event.Set)
	set.nodes[render.Visible(event.Node)] = true
	at, known := set.pods[event.Pod]
	if !known {
		at = len(set.Pods)
		set.pods[event.Pod] = at
		_, ordinal := model.SplitPodName(event.Pod)
		set.Pods = append(set.Pods, podData{Name: render.Visible(event.Pod), name: event.Pod, ordinal: ordinal})
	}
	pod := &set.Pods[at]
	if row.Created == event.T {
		pod.born = g.stop
	}
	if event.Image != "" {
		set.Images[event.Template] = render.Visible(event.Image)
	}
	bar := []int{
		g.stop, int(event.State), event.Template, g.words.add(row.Ready), g.words.add(row.Status), pod.born,
		g.words.add(report.Because(event)), int(event.Actor), 1, row.Restarts, bit(event.Bare),
	}
	pod.add(bar)
}

// nextBar returns the pod of an event, and a bar that starts at the event and otherwise equals the pod's last one;
// nil for a pod without bars. The pod is valid until the next one is added, the bar belongs to the caller.
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

// fault notes a fault next to the steps. A fault whose event has only a message has no number.
func (g *gatherer) fault(event *timeline.Event) {
	mark := stepData{Stop: g.stop, Fault: true, Title: "FAULT: " + render.Visible(event.Message)}
	if fault := event.Fault; fault != nil {
		mark.Number, mark.Title = fault.Number, render.Visible(report.FaultTitle(fault))
		mark.Refusal = render.Visible(fault.Refusal)
	}
	g.run.Steps = append(g.run.Steps, mark)
}

// thing notes a change of something other than a pod. Of several changes within a stop, only the last is shown.
func (g *gatherer) thing(thing report.Thing) {
	key := thingKey{thing.Kind, thing.Name}
	at, known := g.things[key]
	if !known {
		at = len(g.run.Things)
		g.things[key] = at
		g.run.Things = append(g.run.Things, thingData{Kind: string(thing.Kind), Name: render.Visible(thing.Name)})
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

// bit is a truth value in a flat list.
func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}

// retold adds a bar if a pod stays in its state but kubectl shows it differently: CrashLoopBackOff, for example.
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

// wait adds a bar of the controller, or closes one. An open bar is not started again, and an unknown one is not
// ended.
func (g *gatherer) wait(event *timeline.Event) {
	set := g.set(event.Set)
	key := waitKey{event.Why.Code, event.Why.Object, event.Why.Rule}
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
		g.stop, neverEnded, g.words.add(report.Short(event.Why)), g.words.add(event.Why.Sentence()), resting,
		g.words.add(event.Why.Object))
}

// count notes the counts of a set if they have changed. The counts of a deleted set are 0, and a set that the page
// does not show has none.
func (g *gatherer) count(key model.Key) {
	if g.sets[key] == nil {
		return
	}
	var counts [6]int
	if set := g.fold.Set(key); set != nil {
		counts = [6]int{
			int(set.Spec.Spec.Replicas), int(set.Status.Ready), int(set.Status.Available), int(set.Status.Updated),
			set.Serving(), g.promises.resize(key, set.Spec.Spec.Replicas),
		}
	}
	if set := g.sets[key]; set.counts != counts {
		set.counts = counts
		set.Counts = append(append(set.Counts, g.stop), counts[:]...)
	}
}
