package follow

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Line is something that is told while a rollout is followed. Departs says that it is not as forecast.
type Line struct {
	At      time.Time `json:"at"`
	Text    string    `json:"text"`
	Departs bool      `json:"departs,omitempty"`
}

// Followed is what was seen of a rollout so far. It is never changed.
type Followed struct {
	// First and Last are the first and the last look.
	First, Last *Look
	// Lines are what was told, New the number of them that the last look has added.
	Lines []Line
	New   int
	// Fewest is the fewest pods that served at a look.
	Fewest int

	// Begun is when the rollout was to be complete as the first forecast had it, with pods of the usual pace; Earliest and
	// Latest are with the quickest and the slowest. Ends is when as the last forecast has it. All are the zero time if
	// nothing was to come.
	Begun, Earliest, Latest, Ends time.Time

	// next is the forecast from here on. It is that of the last look from which a run comes to its end: while it is too
	// early to say whether a pod starts, the forecast before counts. foreseen is true once there was one.
	next     []Due
	foreseen bool
	// toldEnds is the end that was told last, and least the fewest that were to serve from there on.
	toldEnds time.Time
	least    int
	// stops are how long the pods took to stop that were seen to, sorted.
	stops []time.Duration
}

// Begin begins to follow with a first look, which must show the set.
func Begin(look *Look) Followed {
	f := Followed{First: look, Last: look, Fewest: look.Serving}
	f = f.foresee(look, nil)
	return f.tell(false, "%s%s", f.stands(), f.forecasts())
}

// Next follows on with another look, which is not older.
func (f Followed) Next(look *Look) Followed {
	before, ends := f.Last, f.Ends
	f.New, f.Last = 0, look
	if look.Set == nil {
		return f.tell(true, "%s does not exist any more", before.Set.Key)
	}
	f.Fewest = min(f.Fewest, look.Serving)
	f.stops = slices.Sorted(slices.Values(append(slices.Clip(f.stops), stopped(before, look)...)))
	happened, foreseen := changes(before, look), f.foreseen
	for _, pod := range told(happened) {
		f = f.tell(false, "%s", pod)
	}
	switch {
	case before.changed(look):
		f.foreseen = false
		f = f.foresee(look, nil).tell(true, "the StatefulSet was changed")
		return f.tell(false, "%s%s", f.stands(), f.forecasts())
	case foreseen:
		if departs := departure(f.next, happened); departs != "" {
			f = f.tell(true, "%s%s", departs, because(look.Set))
		}
		if look.Serving < f.least {
			f = f.tell(true, "%d of %d serve; the forecast was at least %d", look.Serving,
				look.Set.Now.Spec.Spec.Replicas, f.least)
			f.least = look.Serving
		}
	}
	f = f.foresee(look, happened)
	if !foreseen && len(f.next) > 0 {
		return f.tell(false, "%s%s", f.stands(), f.forecasts())
	}
	if state := look.Set.State; state != before.Set.State && (state == judge.Stuck || state == judge.Unknown) {
		return f.tell(true, "%s", f.stands())
	}
	if look.Set.State != judge.Continues || before.Set.State != judge.Continues {
		return f
	}
	return f.moved(ends)
}

// foresee takes the forecast of a look, or goes on with the one before, without what has happened since.
func (f Followed) foresee(look *Look, happened []change) Followed {
	switch state := look.Set.State; {
	case state == judge.Continues || state == judge.AtRest:
		if !f.foreseen {
			f.least = look.Fewest
		}
		f.next, f.foreseen, f.Ends = look.Next, true, look.At.Add(time.Duration(look.Set.Takes))
	default:
		f.next = passed(f.next, happened)
	}
	if f.Begun.IsZero() && !f.Ends.IsZero() {
		f.Begun, f.Earliest, f.Latest = f.Ends, look.At.Add(look.Takes.Shortest), look.At.Add(look.Takes.Longest)
	}
	return f
}

// moved tells that the rollout will be complete much later than was told, if the look before said so too: ends is when
// it had the end.
func (f Followed) moved(ends time.Time) Followed {
	if f.toldEnds.IsZero() {
		f.toldEnds = f.Begun
	}
	if ends.Compare(f.Ends) > 0 {
		ends = f.Ends
	}
	by, had := ends.Sub(f.toldEnds), f.toldEnds.Sub(f.First.At)
	if f.toldEnds.IsZero() || by < slack+had/2 || f.Ends.Compare(f.Latest) <= 0 {
		return f
	}
	f.toldEnds = f.Ends
	return f.tell(true, "later than forecast by %s: complete in about %s, at %s", render.Brief(by),
		render.Brief(f.Ends.Sub(f.Last.At)), Clock(f.Ends))
}

// slack is how much later than forecast a change may come: two looks, and the way of the cluster.
const slack = 5 * time.Second

// tell adds a line.
func (f Followed) tell(departs bool, format string, args ...any) Followed {
	f.Lines = append(slices.Clip(f.Lines), Line{f.Last.At, fmt.Sprintf(format, args...), departs})
	f.New++
	return f
}

// because is the cause of how a set stands, as the end of a sentence; "" if there is none.
func because(set *judge.Set) string {
	if len(set.Causes) == 0 {
		return ""
	}
	return ": " + set.Causes[0].Sentence
}

// told returns a line a pod: what happened to it, without what is only on the way.
func told(happened []change) []string {
	var list, pods []string
	for _, c := range happened {
		if at := slices.Index(pods, c.pod); at >= 0 {
			list[at] += ", " + c.state.String()
			continue
		}
		pods, list = append(pods, c.pod), append(list, c.pod+" "+c.state.String())
	}
	return list
}

// stands says how the set stands.
func (f Followed) stands() string {
	set := f.Last.Set
	text := fmt.Sprintf("%s: %d of %d serve", set.Key, f.Last.Serving, set.Now.Spec.Spec.Replicas)
	switch {
	case set.State == judge.Continues || set.State == judge.AtRest:
		return text
	case set.State == judge.Stuck:
		text += "; " + set.Standstill()
	case set.State == judge.TooEarly:
		text += "; it is too early to say whether it is stuck"
	default:
		text += "; it is " + string(set.State)
	}
	return text + because(set)
}

// forecasts says what comes, until when, and how many serve meanwhile; "" if nothing does.
func (f Followed) forecasts() string {
	if len(f.next) == 0 {
		return ""
	}
	var pods []string
	for _, d := range f.next {
		if ordered(d.State) && !slices.Contains(pods, d.Pod) {
			pods = append(pods, d.Pod)
		}
	}
	text := "; forecast: "
	if len(pods) > 0 {
		text += strings.TrimSuffix("in this order "+render.List(pods, 8), " ") + "; "
	}
	text += fmt.Sprintf("complete in %s, at %s", f.Last.Takes.about(f.Ends.Sub(f.Last.At)), Clock(f.Ends))
	if f.Last.Fewest > 0 {
		text += fmt.Sprintf("; at least %d serve meanwhile", f.Last.Fewest)
	}
	return text
}

// Clock is a time of the day, as the cluster has it.
func Clock(t time.Time) string { return t.UTC().Format(time.TimeOnly) }

// Board returns a line a pod: its state, and what is forecast of it next.
func (f Followed) Board() []string {
	var lines []string
	for i := range f.Last.Pods {
		p := &f.Last.Pods[i]
		line := fmt.Sprintf("%s  %s", p.Name, p.State)
		if p.Shown != "" && p.Shown != p.State.String() {
			line += " (" + p.Shown + ")"
		}
		if p.Outdated {
			line += ", of an old revision"
		}
		at := slices.IndexFunc(f.next, func(d Due) bool { return d.Pod == p.Name })
		if at >= 0 {
			line += "; " + says(p.Name, f.next[at].State) + " at " + Clock(f.next[at].At)
		}
		lines = append(lines, line)
	}
	return lines
}
