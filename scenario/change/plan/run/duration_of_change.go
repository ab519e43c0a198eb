package run

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Duration says how long a change takes, from the change to the last thing that happens to the set.
type Duration struct {
	// Formula is a formula of the stages of a pod's life: 5 × (stop + start + ready). If unknown
	// times decide which of two formulas holds, it is max(A, B).
	Formula string `json:"formula"`
	// Known says whether each stage in it has a source. Only then Value is the duration, with the median of each
	// distribution. Bounded says that for some stage only a bound is known. Bound then says how to read Value: "at
	// most" or "at least" so long. If bounds of both kinds occur, it is "at least" or, beside a distribution, "about".
	Known   bool    `json:"known"`
	Value   Seconds `json:"value,omitempty"`
	Bounded bool    `json:"bounded,omitempty"`
	Bound   string  `json:"bound,omitempty"`
	// Least and Most are given where no single time is known. The change takes at least Least: stages without a source,
	// and those of which only an upper bound is known, take no time then. It takes Most with all times of Timings, as it
	// is played; only stages that are assumed, or of which only a lower bound is known, can make it longer.
	Least Seconds `json:"least,omitempty"`
	Most  Seconds `json:"most,omitempty"`
	// Runs is the number of runs with times drawn from their distributions, 0 if there are none; the percentiles are
	// taken over them. Unfinished runs did not complete.
	Runs       int     `json:"runs,omitempty"`
	P50        Seconds `json:"p50,omitempty"`
	P95        Seconds `json:"p95,omitempty"`
	P99        Seconds `json:"p99,omitempty"`
	Unfinished int     `json:"unfinished,omitempty"`
	// Endless is true if the change does not complete.
	Endless bool `json:"endless,omitempty"`
	// Timings are the sources of the stages in the formula.
	Timings []*times.Timing `json:"timings"`
}

// String says it in a line; nil is "".
func (d *Duration) String() string {
	switch {
	case d == nil:
		return ""
	case d.Endless:
		return "it does not complete"
	case d.Most > d.Least:
		return d.Formula + ": " + d.between()
	case !d.Known && d.Least > 0:
		return d.Formula + ": at least " + render.Brief(time.Duration(d.Least))
	case !d.Known:
		return d.Formula
	case d.Runs > 0:
		text := fmt.Sprintf("%s: p50 %s, p95 %s, p99 %s over %s", d.Formula, render.Brief(time.Duration(d.P50)),
			render.Brief(time.Duration(d.P95)), render.Brief(time.Duration(d.P99)), render.Count(d.Runs, "run"))
		text += d.bounds()
		if d.Unfinished > 0 {
			text += fmt.Sprintf(", and %d more did not complete", d.Unfinished)
		}
		return text
	case d.Formula == render.Brief(time.Duration(d.Value)):
		return d.Formula
	case d.Bound == "":
		return d.Formula + " = " + render.Brief(time.Duration(d.Value))
	}
	return d.Formula + " = " + d.Bound + " " + render.Brief(time.Duration(d.Value))
}

// Brief says how long the change takes, without where the times come from; nil is "".
func (d *Duration) Brief() string {
	at := func(s Seconds) string { return render.Brief(time.Duration(s)) }
	switch {
	case d == nil:
		return ""
	case d.Endless, d.Known && d.Runs == 0 && d.Bound == "" && d.Most <= d.Least:
		text := d.String()
		if _, after, formula := strings.Cut(text, " = "); formula {
			return after
		}
		return text
	case d.Most > d.Least && d.Least > 0:
		return at(d.Least) + " to " + at(d.Most)
	case d.Most > d.Least:
		return "up to " + at(d.Most)
	case !d.Known && d.Least > 0:
		return "at least " + at(d.Least)
	case !d.Known:
		return "not known"
	case d.Runs > 0:
		return "p50 " + at(d.P50) + ", p95 " + at(d.P95)
	}
	return d.Bound + " " + at(d.Value)
}

// AtLeast is the time that the change takes whatever is not known of its stages; 0 if it may take none, or never ends.
func (d *Duration) AtLeast() time.Duration {
	switch {
	case d.Endless:
		return 0
	case d.Least > 0 || !d.Known:
		return time.Duration(d.Least)
	case d.Runs > 0:
		return time.Duration(d.P50)
	case d.Bound == "" || d.Bound == "at least":
		return time.Duration(d.Value)
	}
	return 0
}

// between says how long the change takes at least and with all the times that are known, and what each assumes.
func (d *Duration) between() string {
	var none, all, longer []string
	for _, t := range d.Timings {
		if t.MayBeShorter() {
			none = append(none, t.Stage)
		}
		if t.MayBeLonger() {
			longer = append(longer, t.Stage)
		}
		if t.MayBeShorter() || t.MayBeLonger() {
			all = append(all, t.Stage+" "+t.Shown())
		}
	}
	text := "at most "
	if len(longer) > 0 {
		text = "up to "
	}
	if d.Least > 0 {
		text = fmt.Sprintf("%s (%s 0s) to ", render.Brief(time.Duration(d.Least)), render.And(none))
	}
	text += render.Brief(time.Duration(d.Most)) + " (" + render.And(all)
	if len(longer) > 0 {
		text += "; more if " + strings.Join(longer, " or ") + " takes longer"
	}
	return text + ")"
}

// Range returns the duration, or a percentile of it, and the least and the most that it may be, as far as is known.
func (d *Duration) Range(measure string) (value, least, most time.Duration) {
	seconds := d.Value
	if d.Runs > 0 {
		seconds = map[string]Seconds{"p50": d.P50, "p95": d.P95, "p99": d.P99, "duration": d.P99}[measure]
	}
	value = time.Duration(seconds)
	least, most = value, value
	if slices.ContainsFunc(d.Timings, (*times.Timing).MayBeShorter) {
		least = time.Duration(d.Least)
	}
	if slices.ContainsFunc(d.Timings, (*times.Timing).MayBeLonger) {
		most = math.MaxInt64
	}
	return value, least, most
}

// bounds names the stages of which only a bound is known.
func (d *Duration) bounds() string {
	if !d.Bounded {
		return ""
	}
	var parts []string
	for _, t := range d.Timings {
		if t.Bound != "" {
			parts = append(parts, t.Stage+" is "+t.Bound+" so long")
		}
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// nudge is the time by which a stage is lengthened to see how often it is on the critical path. It is far below each
// real time, so that the order of events stays the same.
const nudge = time.Millisecond

// path is a critical path of a change: how often each stage is on it, and the formula of that.
type path struct {
	counts  [recording.Stages]int
	formula string
}

// term is a factor and the stage, or the constant, that it multiplies.
type term struct {
	count int
	what  string
}

// leastShown is the shortest time that a formula has beside its stages.
const leastShown = 100 * time.Millisecond

// waits returns how often minReadySeconds make up the time beside the stages; 0 if they do not.
func waits(rest, minReady time.Duration) int {
	if minReady == 0 || rest < minReady || rest%minReady != 0 {
		return 0
	}
	return int(rest / minReady)
}

// formula writes a sum of stages. Stages with the same factor are in one bracket.
func formula(counts [recording.Stages]int, rest, minReady time.Duration) string {
	var terms []term
	for i, name := range times.Names {
		if counts[i] != 0 {
			terms = append(terms, term{counts[i], name})
		}
	}
	if n := waits(rest, minReady); n > 0 {
		terms = append(terms, term{n, "minReadySeconds " + render.Brief(minReady)})
	} else if rest.Abs() >= leastShown || len(terms) == 0 {
		terms = append(terms, term{1, render.Brief(rest)})
	}
	slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(b.count, a.count) })
	var parts []string
	for len(terms) > 0 {
		n := terms[0].count
		var same []string
		for len(terms) > 0 && terms[0].count == n {
			same = append(same, terms[0].what)
			terms = terms[1:]
		}
		text := strings.Join(same, " + ")
		if n != 1 && len(same) > 1 {
			text = "(" + text + ")"
		}
		if n != 1 {
			text = fmt.Sprintf("%d × %s", n, text)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " + ")
}

// measured is a run of which the time is taken: a world, its script, the set, and what the run shows.
type measured struct {
	world  *World
	script play.Script
	set    *stored.Set
	facts  *Facts
}

func (m *measured) again(more [recording.Stages]time.Duration) *measured {
	as, other := *m, *m.world
	for i := range other.More {
		other.More[i] += more[i]
	}
	as.world, as.facts = &other, Gather(other.Lab().Run(m.script), m.set.Key(), len(m.script))
	return &as
}

// duration finds how long a set takes in a run. To find the formula, each stage is lengthened by nudge: the delay of
// the end, divided by nudge, is the number of times that the stage is on the critical path. It costs a run for each
// stage, and one that tells whether the formula also holds where stages take longer than what is assumed of them.
func (m *measured) duration() Duration {
	value := m.facts.Takes()
	if !m.facts.Completes() {
		return Duration{Endless: true, Known: true, Formula: "never"}
	}
	if len(m.facts.Moves) == 0 && value == 0 {
		return Duration{Known: true, Formula: render.Brief(0)}
	}
	here := m.path()
	d := Duration{Value: Seconds(value), Known: true, Formula: here.formula}
	counts := here.counts
	if there := m.longer(here); there != nil {
		d.Formula = "max(" + here.formula + ", " + there.formula + ")"
		for i := range counts {
			counts[i] += there.counts[i]
		}
	}
	for i, timing := range m.set.Timings {
		if counts[i] == 0 {
			continue
		}
		d.Timings = append(d.Timings, timing)
		d.Known = d.Known && !timing.Assumed
		if timing.Bound != "" {
			d.Bounded, d.Bound = true, times.Bounds(d.Bound, timing.Bound)
		}
	}
	varies := slices.ContainsFunc(d.Timings, (*times.Timing).Varies)
	if !varies {
		d.Most = Seconds(value)
	}
	switch {
	case !d.Known:
		d.Value, d.Bound, d.Least = 0, "", Seconds(m.least())
	case varies || d.Bound != times.About && d.Bound != times.AtMost:
		d.Least, d.Most = 0, 0
	default:
		if d.Least = Seconds(m.least()); d.Bound == times.About {
			d.Bound, d.Value = times.AtLeast, d.Least
		}
	}
	return d
}

// least is how long the change takes at least: stages of which no lower bound is known take no time, and those with one
// no longer than that.
func (m *measured) least() time.Duration {
	var less [recording.Stages]time.Duration
	for i, timing := range m.set.Timings {
		if timing.MayBeShorter() || timing.Varies() {
			less[i] = -recording.Typical(timing.Delay) - m.world.More[i]
		}
	}
	return m.again(less).facts.Takes()
}

func (m *measured) path() path {
	var p path
	value := m.facts.Takes()
	rest := value
	for i, timing := range m.set.Timings {
		var more [recording.Stages]time.Duration
		more[i] = nudge
		nudged := m.again(more)
		p.counts[i] = int((nudged.facts.Takes() - value + nudge/2) / nudge)
		rest -= time.Duration(p.counts[i]) * (recording.Typical(timing.Delay) + m.world.More[i])
	}
	minReady := time.Duration(m.facts.Last.Spec.Spec.MinReadySeconds) * time.Second
	p.formula = formula(p.counts, rest, minReady)
	return p
}

// longer returns the critical path of the change where the stages that may take longer than what was played, since they
// are assumed or have only a lower bound, take very long; nil if it is the same.
func (m *measured) longer(here path) *path {
	much, expected := m.facts.Takes()+time.Hour, m.facts.Takes()
	var more [recording.Stages]time.Duration
	for i, timing := range m.set.Timings {
		if timing.MayBeLonger() {
			more[i], expected = much, expected+time.Duration(here.counts[i])*much
		}
	}
	if more == [recording.Stages]time.Duration{} {
		return nil
	}
	slow := m.again(more)
	if !slow.facts.Completes() || slow.facts.Takes() == expected {
		return nil
	}
	if there := slow.path(); there.formula != here.formula {
		return &there
	}
	return nil
}

// sampled is a duration over many runs with times drawn from their distributions, and the fewest serving pods of all of
// them. Run i has the seed Seed+i, so the result depends on nothing else. An interruption leaves the percentiles of the
// runs before it. A duration that is not known, or the same in each run, stays as it is.
func (m *measured) sampled(d Duration) (Duration, int) {
	fewest := m.facts.Fewest
	if !d.Known || d.Endless || !slices.ContainsFunc(d.Timings, (*times.Timing).Varies) {
		return d, fewest
	}
	drawn := *m.world
	var took []Seconds
	for run := range drawn.Runs {
		drawn.Drawn = choose.Seeded(drawn.Seed + uint64(run))
		events := drawn.Lab().Run(m.script)
		if drawn.Ends() {
			break
		}
		f := Gather(events, m.set.Key(), len(m.script))
		fewest = min(fewest, f.Fewest)
		if f.Verdict != timeline.Settled {
			d.Unfinished++
			continue
		}
		took = append(took, Seconds(f.Takes()))
	}
	return d.percentiles(took), fewest
}

func (d Duration) percentiles(took []Seconds) Duration {
	if len(took) == 0 {
		return d
	}
	slices.Sort(took)
	at := func(percent int) Seconds { return took[(len(took)*percent+99)/100-1] }
	d.Runs, d.P50, d.P95, d.P99 = len(took), at(50), at(95), at(99)
	return d
}
