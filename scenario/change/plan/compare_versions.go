package plan

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
)

// answer is an answer of a plan that may differ between versions: its name and its words. Equal answers have equal
// words.
type answer struct{ what, text string }

// compared returns the sets, also those that only change on other versions, with what is different there.
func compared(rounds []*round) []*Set {
	sets := slices.Clone(rounds[0].sets)
	for _, r := range rounds[1:] {
		version := r.world.Profile.Version()
		for i, s := range sets {
			sets[i] = s.differing(version, setOf(r.sets, s.key))
		}
		for _, o := range r.sets {
			if setOf(sets, o.key) == nil {
				as := *o
				as.Differences = []Difference{{Version: version, What: "the change", Here: o.Headline}}
				sets = append(sets, &as)
			}
		}
	}
	return sets
}

func setOf(sets []*Set, key model.Key) *Set {
	at := slices.IndexFunc(sets, func(s *Set) bool { return s.key == key })
	if at < 0 {
		return nil
	}
	return sets[at]
}

// differing is the set with what is different on one more version; other is nil if it does not change there.
func (s *Set) differing(version string, other *Set) *Set {
	as := *s
	as.Differences = slices.Clone(s.Differences)
	if other == nil {
		as.Differences = append(as.Differences, Difference{Version: version, What: "the change", Here: "nothing changes"})
		return &as
	}
	mine := s.answers()
	for _, a := range other.answers() {
		if !slices.Contains(mine, a) {
			usual := s.isUsual(a.what) && other.isUsual(a.what)
			as.Differences = append(as.Differences, Difference{version, a.what, a.text, usual})
		}
	}
	for _, a := range other.alarms {
		if !slices.ContainsFunc(s.alarms, func(b alarm.Alarm) bool { return a.Trap == b.Trap }) {
			as.Differences = append(as.Differences, Difference{Version: version, What: "ALARM", Here: a.Sentence})
		}
	}
	return &as
}

// judgedElsewhere returns the sets with the requirements that fail on the other versions alone: a change must keep to
// them on each. Times are not asked there if they are drawn, which is done for the first version only. settles says
// whether the change completes on all of them.
func judgedElsewhere(o *Options, rounds []*round, sets []*Set) (judged []*Set, settles bool, err error) {
	judged, settles = slices.Clone(sets), true
	for _, r := range rounds {
		others, err := required(o, r.sets)
		if err != nil {
			return nil, false, err
		}
		for i, s := range judged {
			other := setOf(others, s.key)
			if other == nil {
				continue
			}
			settles = settles && (other.Completes || other.young || other.Refusal != nil || s.Does == Removes)
			as := *s
			as.Requirements = append(slices.Clone(s.Requirements), failingThere(s, other, r.world.Profile.Version())...)
			judged[i] = &as
		}
	}
	return judged, settles, nil
}

// failingThere lists the requirements of a set that fail on another version, on which it is other, and hold here.
func failingThere(s, other *Set, version string) []*Requirement {
	var list []*Requirement
	for _, there := range other.Requirements {
		fails := slices.ContainsFunc(s.Requirements, func(here *Requirement) bool {
			return here.Text == there.Text && here.Source == there.Source && !here.Held
		})
		measure, _, _, _ := parseRequirement(there.Text)
		drawn := slices.Contains(timed, measure) && s.Duration != nil && s.Duration.Runs > 0
		if !there.Held && !fails && !drawn {
			list = append(list, &Requirement{Text: there.Text, Source: there.Source + ", on " + version, Got: there.Got})
		}
	}
	return list
}

// isUsual says whether an answer is a case that goes as with most sets.
func (s *Set) isUsual(answer string) bool {
	return slices.ContainsFunc(s.Cases, func(c *run.Case) bool { return c.Name == answer && c.Usual })
}

func (s *Set) answers() []answer {
	if s.Refusal != nil {
		return []answer{{"refused", s.Refusal.Message}}
	}
	list := []answer{
		{"the change", s.Headline},
		{"order", strings.Join(s.Order, "; ")},
		{"ends", s.Ends},
	}
	if s.Duration != nil {
		list = append(list, answer{"duration", s.Duration.Formula})
	}
	if s.Serving != nil {
		list = append(list, answer{"serving", s.Serving.String()})
	}
	for _, c := range s.Cases {
		list = append(list, answer{c.Name, strings.Join(append([]string{c.Answer}, c.Commands...), "; ")})
	}
	return list
}

func (plan *Plan) alike() []string {
	return slices.DeleteFunc(slices.Clone(plan.Versions[1:]), func(version string) bool {
		return slices.ContainsFunc(plan.Sets, func(s *Set) bool { return len(s.on(version)) > 0 })
	})
}

func (s *Set) on(version string) []Difference {
	return slices.DeleteFunc(slices.Clone(s.Differences), func(d Difference) bool { return d.Version != version })
}

// differences returns the lines about the other versions. One that is like another one before it says so.
func (s *Set) differences() []Difference {
	var lines []Difference
	var told []string
	for _, d := range s.Differences {
		if slices.Contains(told, d.Version) {
			continue
		}
		mine := s.on(d.Version)
		like := slices.IndexFunc(told, func(version string) bool {
			return slices.EqualFunc(mine, s.on(version), func(a, b Difference) bool {
				return a.What == b.What && a.Here == b.Here
			})
		})
		if like >= 0 {
			mine = []Difference{{Version: d.Version, Here: "as on " + told[like]}}
		}
		lines = append(lines, mine...)
		told = append(told, d.Version)
	}
	return lines
}

// String says it in a line.
func (d Difference) String() string {
	return strings.TrimSuffix("on "+d.Version+", "+d.What, ", ") + ": " + d.Here
}

// round is the change under one version.
type round struct {
	world *run.World
	// sets are the documents of the sets that change or leave the files, idle of those that do not change and are not at
	// rest. The others are missing in the new files, or unchanged.
	sets, idle         []*Set
	missing, unchanged []string
	notes              []string
}
