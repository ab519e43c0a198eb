package plan

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/plan/times"
	"github.com/statefulsim/statefulsim/scenario/recording"
)

// The result for a set depends on little more than its spec. So sets that are alike are played once, under the name of
// a stand-in, and each gets the answers of the stand-in under its own name.
const (
	// The names of a stand-in occur in no real text, so that they can be replaced in each answer. Their parts between
	// the letters are digits, which keeps them valid names.
	standIn          = "sim0set0to0play"
	standInNamespace = "sim0namespace0to0play"
	// longestShared is the length up to which a name has no effect on the result. Longer names may be too long for
	// labels.
	longestShared = 40
)

// shape has everything of a set and its change that affects the result. A field that affects it and is missing here
// would give one set the answers of another.
type shape struct {
	Given, Wanted *model.Spec
	Rolls         bool
	Templates     [2]templateShape
	Timings       [recording.Stages]times.Timing
	Staged        string
	Dump          status
}

// templateShape holds the parts of a template that affect more than the pod itself.
type templateShape struct {
	Grace, Unreachable, NotReady any
	Volumes                      []model.Volume
	Unprobed                     bool
}

// shape returns a text that is equal for all sets that have the same result; "" for a set that must be played by
// itself.
func (e *edit) shape() string {
	if len(e.key().Namespace) > longestShared || e.part != nil {
		return ""
	}
	for _, name := range []string{e.key().Name, e.wanted.Spec.ServiceName} {
		// Old versions refuse the pods of a set with a dot in these names.
		if len(name) > longestShared || strings.Contains(name, ".") {
			return ""
		}
	}
	s := shape{Rolls: e.rolls(), Staged: fmt.Sprintf("%+v", e.staged)}
	if e.pair.status != nil {
		s.Dump = *e.pair.status
		s.Dump.CurrentRevision, s.Dump.UpdateRevision = "", ""
	}
	for i, timing := range e.timings {
		s.Timings[i] = *timing
	}
	if e.given != nil {
		s.Given, s.Templates[0] = bare(e.given)
	}
	s.Wanted, s.Templates[1] = bare(e.wanted)
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("plan: a spec cannot be encoded: %v", err))
	}
	return string(text)
}

// bare returns a spec without the parts that do not affect the result: what its pods run, and what they are called.
func bare(set *model.StatefulSet) (*model.Spec, templateShape) {
	spec, t := set.Spec, set.Spec.Template
	spec.Template, spec.Selector, spec.ServiceName = nil, model.Selector{}, ""
	shape := templateShape{
		Grace: t.Grace, Unreachable: t.Unreachable, NotReady: t.NotReady, Unprobed: unprobed(t), Volumes: t.Volumes,
	}
	return &spec, shape
}

// unprobed says whether the pods of a template have no readiness probe.
func unprobed(t *model.Template) bool {
	for i := range t.Lifecycle.Containers {
		if t.Lifecycle.Containers[i].Readiness != nil {
			return false
		}
	}
	return true
}

// stands returns the edit under the name of the stand-in.
func (e *edit) stands() *edit {
	as := *e
	as.alias = &model.Key{Namespace: standInNamespace, Name: standIn}
	as.given, as.live, as.wanted, as.fresh = as.named(e.given), as.named(e.live), as.named(e.wanted), as.named(e.fresh)
	return &as
}

// named returns a set under the alias of the edit.
func (e *edit) named(set *model.StatefulSet) *model.StatefulSet {
	if set == nil {
		return nil
	}
	as := *set
	as.Namespace, as.Name = e.alias.Namespace, e.alias.Name
	return &as
}

// answers are the results of the runs of a set and its change. They are shared by all sets of a shape, which copy what
// they change. A nil answers is that of a set that was not played. fix is nil if none is needed or known.
type answers struct {
	main     *facts
	duration Duration
	cases    []*Case
	fix      *Fix
}

// under returns the answers of the stand-in with everything under the name of a set.
func (a *answers) under(key model.Key) *answers {
	if a == nil {
		return nil
	}
	r := strings.NewReplacer(standIn, key.Name, standInNamespace, key.Namespace)
	as := &answers{main: a.main.renamed(r, key), duration: a.duration}
	for _, c := range a.cases {
		mine := *c
		mine.asks = [2]string{r.Replace(c.asks[0]), r.Replace(c.asks[1])}
		mine.outcome, mine.then = r.Replace(c.outcome), r.Replace(c.then)
		mine.Danger = r.Replace(c.Danger)
		mine.Commands, mine.lead = renamedAll(r, c.Commands), renamedAll(r, c.lead)
		as.cases = append(as.cases, &mine)
	}
	return as
}

// renamedAll returns texts under another name.
func renamedAll(r *strings.Replacer, texts []string) []string {
	var list []string
	for _, text := range texts {
		list = append(list, r.Replace(text))
	}
	return list
}

// renamed returns the facts under the name of another set.
func (f *facts) renamed(r *strings.Replacer, key model.Key) *facts {
	as := *f
	as.moves = nil
	for _, m := range f.moves {
		m.Pod = r.Replace(m.Pod)
		as.moves = append(as.moves, m)
	}
	as.volumes = nil
	for _, name := range f.volumes {
		as.volumes = append(as.volumes, r.Replace(name))
	}
	if f.stuck != nil {
		stuck := *f.stuck
		stuck.Set, stuck.Error = key, r.Replace(stuck.Error)
		stuck.Why.Object = r.Replace(stuck.Why.Object)
		as.stuck = &stuck
	}
	return &as
}
