package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

var (
	requirement = lazy.Regexp(`^\s*([A-Za-z0-9.]+)\s*(>=|<=|==|!=|>|<)\s*(\S+)\s*$`)
	// measures are the subjects of a requirement.
	measures = []string{"minReady", "duration", "p50", "p95", "p99", "replaced", "removed", "down", "traps", "alarms",
		"newAlarms", "lost"}
	// timed are those of them that are about the duration.
	timed = []string{"duration", "p50", "p95", "p99"}
)

// RequireHelp says what requirements may be about, a line each.
const RequireHelp = `  minReady       the lowest number of serving pods (Ready and not Terminating)

  duration       how long the change takes; its p99 if times are distributions
  p50, p95, p99  percentiles of how long it takes, if times are distributions
  replaced       the number of pods that are replaced
  removed        the number of pods that are deleted for good
  down           the most pods that are down at once
  alarms         the number of alarms of the StatefulSet
  newAlarms      the number of those that OLD does not have already
  lost           the number of its claims that are deleted, with their volumes
  traps          the number of cases below that do not recover by themselves,
                 and of PodDisruptionBudgets whose minimum is not kept
  CASE.minReady  the lowest number of serving pods in a case: broken.minReady`

// CheckRequirement says what is wrong with a requirement, or returns nil.
func CheckRequirement(text string) error {
	_, err := ParseRequirement(text)
	return err
}

// Asks is a requirement as it is read: minReady >= 3. Value is in seconds if the measure is a time.
type Asks struct {
	Measure, Op string
	Value       float64
}

// ParseRequirement reads a requirement.
func ParseRequirement(text string) (Asks, error) {
	measure, op, value, err := parseRequirement(text)
	return Asks{measure, op, value}, err
}

// parseRequirement reads a requirement. A value is in seconds if the measure is a time.
func parseRequirement(text string) (measure, op string, value float64, err error) {
	parts := requirement().FindStringSubmatch(text)
	if parts == nil {
		return "", "", 0, fmt.Errorf("%q is not a requirement: write one like 'minReady >= 3' or 'duration < 30m'", text)
	}
	measure, op = parts[1], parts[2]
	of, what, isCase := strings.Cut(measure, ".")
	switch {
	case isCase && (what != "minReady" || !slices.Contains(run.CaseNames()[1:], of)):
		return "", "", 0, fmt.Errorf("%q: there is no %s: for a case write CASE.minReady, where CASE is one of %s",
			text, measure, strings.Join(run.CaseNames()[1:], ", "))
	case slices.Contains(timed, measure):
		d, bad := time.ParseDuration(parts[3])
		if bad != nil {
			return "", "", 0, fmt.Errorf("%q: %s is not a duration: write one like 90s or 30m", text, parts[3])
		}
		return measure, op, d.Seconds(), nil
	case isCase, slices.Contains(measures, measure):
		n, bad := strconv.Atoi(parts[3])
		if bad != nil {
			return "", "", 0, fmt.Errorf("%q: %s is not a number", text, parts[3])
		}
		return measure, op, float64(n), nil
	}
	return "", "", 0, fmt.Errorf("%q: there is no %s: use one of %s", text, measure, strings.Join(measures, ", "))
}

// required returns the sets with what the options and their annotations (semicolons between) ask of them.
func required(o *Options, sets []*Set) ([]*Set, error) {
	var asked []Requirement
	for _, text := range o.Require {
		asked = append(asked, Requirement{Text: text, Source: "--require"})
	}
	if o.Quorum > 0 {
		asked = append(asked, Requirement{Text: fmt.Sprintf("minReady >= %d", o.Quorum), Source: "--quorum"})
	}
	var list []*Set
	for _, s := range sets {
		all := slices.Clone(asked)
		text, where := s.pair.Annotated("require")
		for part := range strings.SplitSeq(text, ";") {
			if text != "" {
				all = append(all, Requirement{Text: strings.TrimSpace(part), Source: "the annotation " + where})
			}
		}
		as := *s
		for i, one := range all {
			r, err := s.require(one)
			if err != nil && i >= len(asked) {
				err = fmt.Errorf("the annotation %s of %s: %w", where, s.key, err)
			}
			if err != nil {
				return nil, err
			}
			if r != nil {
				as.Requirements = append(as.Requirements, r)
			}
		}
		list = append(list, &as)
	}
	return list, nil
}

// require returns a requirement with its result; nil if it is not asked of this set. An unknown measure fails.
func (s *Set) require(r Requirement) (*Requirement, error) {
	measure, op, want, err := parseRequirement(r.Text)
	if err != nil {
		return nil, err
	}
	// What is not in the new files, or only not at rest, was not played.
	if (s.Does == Removes || s.Does == Stays) && !slices.Contains(unplayed, measure) {
		return nil, nil
	}
	if name, _, is := strings.Cut(measure, "."); is && !s.has(name) && s.Serving != nil {
		r.Held, r.Got = true, "this case cannot happen with this change"
		return &r, nil
	}
	if slices.Contains(timed, measure) && s.Refusal == nil && s.Serving != nil {
		r.Held, r.Got = timely(s.Duration, measure, op, want)
		return &r, nil
	}
	got, shown := s.measure(measure)
	r.Held, r.Got = got != nil && compare(*got, op, want), shown
	return &r, nil
}

// unplayed are the measures of a set whose change was not played.
var unplayed = []string{"alarms", "newAlarms", "lost"}

// holds are the operators that hold if a number is less than another, equal to it, and greater.
var holds = [3][]string{{"<", "<=", "!="}, {"<=", ">=", "=="}, {">", ">=", "!="}}

func compare(got float64, op string, want float64) bool {
	return slices.Contains(holds[cmp.Compare(got, want)+1], op)
}

// measure returns the value of a requirement's measure, nil if it is not known, and describes it in words.
func (s *Set) measure(name string) (value *float64, shown string) {
	n, more := 0, ""
	switch {
	case name == "alarms":
		n = len(s.alarms)
	case name == "newAlarms":
		n = len(slices.DeleteFunc(slices.Clone(s.alarms), func(a alarm.Alarm) bool { return a.Before }))
	case name == "lost" && s.Refusal == nil:
		n = len(s.Volumes)
	case s.Refusal != nil || s.Serving == nil:
		return nil, "the change is refused"
	case name == "minReady":
		n = s.Serving.Fewest
	case name == "traps":
		n, more = s.traps()
	case name == "down":
		n = s.Moves.Of(run.Replaced, run.Removed).Together()
	default:
		n = len(s.Moves.Of(name))
	}
	for _, c := range s.Cases {
		if name == c.Name+".minReady" {
			n = c.Fewest
		}
	}
	got := float64(n)
	return &got, fmt.Sprintf("%s is %d%s", name, n, more)
}

// traps counts what the set does not come out of by itself, and names it: "" if there is nothing.
func (s *Set) traps() (n int, words string) {
	var cases, parts []string
	for _, c := range s.Cases {
		if c.Trap {
			cases = append(cases, c.Name)
		}
	}
	if n = len(cases); n > 0 {
		parts = append(parts, fmt.Sprintf("%s %s not recover by %s", render.And(cases), render.Agree(n, "does", "do"),
			render.Agree(n, "itself", "themselves")))
	}
	for _, b := range s.Budgets {
		if !b.Kept() {
			n, parts = n+1, append(parts, b.Short())
		}
	}
	if n == 0 {
		return 0, ""
	}
	return n, ": " + strings.Join(parts, "; ")
}

// timely holds a requirement against the least and the most time. If these do not decide it, got says what would.
func timely(d *run.Duration, measure, op string, want float64) (held bool, got string) {
	if d == nil || d.Endless {
		return false, "the change does not complete"
	}
	if d.Known && d.Unfinished > 0 {
		return false, render.Count(d.Unfinished, "run") + " did not complete"
	}
	value, least, most := d.Range(measure)
	is := measure + " is " + strings.TrimSpace(d.Bound+" "+render.Brief(value))
	held = compare(least.Seconds(), op, want)
	inside := least.Seconds() < want && want < most.Seconds() && (op == "==" || op == "!=")
	unknown := !d.Known && least == 0
	switch decided := held == compare(most.Seconds(), op, want) && !inside && !unknown; {
	case decided && least == most:
		return held, is
	case decided && most.Seconds() <= want:
		return held, measure + " is at most " + render.Brief(most)
	case decided:
		return held, measure + " is at least " + render.Brief(least)
	case d.Known && d.Least > 0:
		is = fmt.Sprintf("%s is %s to %s", measure, render.Brief(least), render.Brief(time.Duration(d.Most)))
	}
	var stages, flags []string
	// What may be shorter does not matter to an upper limit that is kept anyway.
	short := d.Known && !(op[0] == '<' && compare(max(value, time.Duration(d.Most)).Seconds(), op, want))
	for _, t := range d.Timings {
		may := map[string]string{times.AtMost: "shorter", times.AtLeast: "longer"}[t.Bound]
		if t.MayBeLonger() || t.MayBeShorter() && short {
			stages, flags = append(stages, t.Stage+" may be "+may), append(flags, "--"+t.Stage)
		}
	}
	if !d.Known {
		is, stages = fmt.Sprintf("%s is %s, which is not known", measure, d.Formula), nil
	}
	if len(stages) > 0 {
		is += ", and " + strings.Join(stages, " and ")
	}
	return false, is + ": give " + strings.Join(flags, " and ")
}

// mostFailingNames is the number of sets that the line of a failed requirement names.
const mostFailingNames = 3

// Failing returns a line for each requirement that fails, with the sets and what came instead.
func (plan *Plan) Failing() []string {
	var order []Requirement
	sets := map[Requirement][]string{}
	for _, list := range [][]*Set{plan.Sets, plan.NotAtRest} {
		for _, s := range list {
			for _, r := range s.Requirements {
				if r.Held {
					continue
				}
				if sets[*r] == nil {
					order = append(order, *r)
				}
				sets[*r] = append(sets[*r], s.key.String())
			}
		}
	}
	var lines []string
	for _, r := range order {
		lines = append(lines, fmt.Sprintf("FAILED: %s of %s: %s (%s)", r.Text, render.List(sets[r], mostFailingNames), r.Got,
			r.Source))
	}
	return lines
}
