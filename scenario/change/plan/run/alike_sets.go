package run

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
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
	Dump          pair.Status
}

// templateShape holds the parts of a template that affect more than the pod itself.
type templateShape struct {
	Grace, Unreachable, NotReady any
	Volumes                      []model.Volume
	Unprobed                     bool
}

// hasStandIn reports whether a set is played under the name of a stand-in.
func hasStandIn(s *stored.Set) bool {
	if len(s.Key().Namespace) > longestShared || s.Part != nil {
		return false
	}
	for _, name := range []string{s.Key().Name, s.Wanted.Spec.ServiceName} {
		// Old versions refuse the pods of a set with a dot in these names.
		if len(name) > longestShared || strings.Contains(name, ".") {
			return false
		}
	}
	return true
}

// shapeOf returns a text that is equal for all sets with a stand-in that have the same result. To write it takes a
// twentieth of the plan of one set, so only the plan of several asks for it.
func shapeOf(s *stored.Set) string {
	of := shape{Rolls: s.Rolls(), Staged: fmt.Sprintf("%+v", s.Staged)}
	if s.Pair.Status != nil {
		of.Dump = *s.Pair.Status
		of.Dump.CurrentRevision, of.Dump.UpdateRevision = "", ""
	}
	for i, timing := range s.Timings {
		of.Timings[i] = *timing
	}
	if s.Given != nil {
		of.Given, of.Templates[0] = bare(s.Given)
	}
	of.Wanted, of.Templates[1] = bare(s.Wanted)
	text, err := json.Marshal(of)
	if err != nil {
		panic(fmt.Sprintf("run: a spec cannot be encoded: %v", err))
	}
	return string(text)
}

// bare returns a spec without the parts that do not affect the result: what its pods run, and what they are called.
func bare(set *model.StatefulSet) (*model.Spec, templateShape) {
	spec, t := set.Spec, set.Spec.Template
	spec.Template, spec.Selector, spec.ServiceName = nil, model.Selector{}, ""
	shape := templateShape{
		Grace: t.Grace, Unreachable: t.Unreachable, NotReady: t.NotReady, Unprobed: Unprobed(t), Volumes: t.Volumes,
	}
	return &spec, shape
}
