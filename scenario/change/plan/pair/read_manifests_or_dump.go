package pair

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Stream is a file of manifests, or a dump of a live cluster.
type Stream struct {
	Name string
	Data []byte
	// Files are the files of a folder; Data is then empty.
	Files []dump.Source
	// Namespace is the namespace of objects that name none; "" derives it.
	Namespace string
	// At is when a dump was taken; the zero time means the newest time in it.
	At time.Time
}

func (s *Stream) sources() []dump.Source {
	if s.Files != nil {
		return s.Files
	}
	return []dump.Source{{Name: s.Name, Data: s.Data}}
}

// dump reads the stream as a dump, which was not taken before the newest time in it.
func (s *Stream) dump(limits strict.Limits) (*dump.Dump, error) {
	d, err := dump.Read(s.sources(), dump.Options{Limits: limits, Taken: s.At})
	if newer := new(dump.NewerError); errors.As(err, &newer) {
		return nil, strict.Problems{{File: s.Name, What: fmt.Sprintf("it has a newer time than %s: it was taken at %s or later",
			s.At.UTC().Format(time.RFC3339), newer.Newest.UTC().Format(time.RFC3339))}}
	}
	return d, err
}

// stream is a stream that was read.
type stream struct {
	Stream
	file *manifest.File
	// namespace is that of objects that name none; it is set once both streams were read.
	namespace string
	// notes and warnings say what was decided while it was read, problems what is wrong with it as a whole.
	notes, warnings []string
	problems        strict.Problems
}

// check notes what is wrong with a set of a stream.
type check func(r *strict.Reader, set *manifest.Set)

// readStream reads a stream. Of what runs already no field is unknown: a newer server may have written it.
func readStream(s Stream, limits strict.Limits, runs bool, check check) *stream {
	whole := &stream{Stream: s, file: &manifest.File{}}
	for _, source := range s.sources() {
		parsed := strict.ParseStream(source.Name, source.Data, limits)
		r := parsed.Reader(source.Name, limits)
		r.Lenient = runs
		file := manifest.ReadNamed(r, parsed.Docs)
		if !runs {
			checkBudgets(r, file)
		}
		for _, warning := range r.Warnings.Sorted() {
			if slices.Contains(parsed.Joined, warning) {
				whole.warnings = append(whole.warnings, warning.Error()+".")
			} else {
				whole.notes = append(whole.notes, warning.Error()+".")
			}
		}
		sets, wrong, problems := setApart(r, file, check)
		whole.problems = append(whole.problems, problems...)
		whole.file.Sets, whole.file.Wrong = append(whole.file.Sets, sets...), append(whole.file.Wrong, wrong...)
		whole.file.Others = append(whole.file.Others, file.Others...)
	}
	for _, wrong := range whole.file.Wrong {
		if len(whole.file.Sets) == 0 {
			whole.problems = append(whole.problems, wrong.Problems...)
		}
	}
	return whole
}

// checkBudgets notes what the API server refuses in the budgets of a file, as in that of a scenario.
func checkBudgets(r *strict.Reader, file *manifest.File) {
	for i := range file.Others {
		if o := &file.Others[i]; o.IsBudget() {
			o.Budget(r)
			o.CheckBudget(r)
		}
	}
}

// setApart returns the sets of a file, those that are wrong and have a name, and the other problems.
func setApart(r *strict.Reader, file *manifest.File, check check) (sets []*manifest.Set, wrong []manifest.Wrong,
	problems strict.Problems) {
	problems = slices.DeleteFunc(r.Problems, func(p strict.Problem) bool {
		return slices.ContainsFunc(file.Wrong, func(wrong manifest.Wrong) bool { return slices.Contains(wrong.Problems, p) })
	})
	all := file.Wrong
	for _, set := range file.Sets {
		own := *r
		own.Problems = nil
		set.CheckLimits(&own)
		check(&own, set)
		if len(own.Problems) == 0 {
			sets = append(sets, set)
			continue
		}
		all = append(all, manifest.Wrong{Problems: own.Problems, Other: manifest.Other{
			Kind: model.KindStatefulSet.String(), Namespace: set.Object.Namespace, Name: set.Object.Name, Node: set.Node,
		}})
	}
	for _, one := range all {
		if one.Name == "" {
			problems = append(problems, one.Problems...)
		} else {
			wrong = append(wrong, one)
		}
	}
	return sets, wrong, problems
}

// settled returns the namespace of objects that name none. That of a set is the one of the other stream, where kubectl
// or Helm gave it. If all sets name theirs the other objects are with them; and if there are none, with the other
// stream's.
func (s *stream) settled(other *stream) (namespace string, notes []string) {
	if s.Namespace != "" {
		return s.Namespace, nil
	}
	found, unnamed := map[string]bool{}, false
	for _, set := range s.file.Sets {
		unnamed = unnamed || set.Object.Namespace == ""
		for _, twin := range other.file.Sets {
			if set.Object.Namespace == "" && twin.Object.Name == set.Object.Name && twin.Object.Namespace != "" {
				found[twin.Object.Namespace] = true
			}
		}
	}
	note := "%s names no namespace. Assumed: %s, as in the other file."
	if !unnamed {
		with, where := s, "as its StatefulSets have"
		if len(s.file.Sets) == 0 {
			with, where = other, "as in the other file"
		}
		for _, set := range with.file.Sets {
			found[set.Object.Namespace] = true
		}
		note = ""
		if slices.ContainsFunc(s.file.Others, mayBeLacked) {
			note = "%s has objects that name no namespace. Assumed: %s, " + where + "."
		}
	}
	names := slices.Sorted(maps.Keys(found))
	if len(names) != 1 || names[0] == "default" || names[0] == "" {
		return "default", nil
	}
	if note != "" {
		notes = append(notes, fmt.Sprintf(note, s.Name, names[0]))
	}
	return names[0], notes
}

// mayBeLacked says whether an object that names no namespace is of a kind in a namespace that pods depend on.
func mayBeLacked(o manifest.Other) bool {
	kinds := []string{"ConfigMap", "Secret", "ServiceAccount", "PersistentVolumeClaim", "ResourceQuota", "LimitRange",
		"PodDisruptionBudget", "Service"}
	return o.Namespace == "" && slices.Contains(kinds, o.Kind)
}

func (s *stream) none() strict.Problem {
	p := strict.Problem{File: s.Name, What: "there is no StatefulSet in it"}
	var kinds []string
	for _, other := range s.file.Others {
		kinds = append(kinds, other.Kind)
	}
	slices.Sort(kinds)
	if kinds = slices.Compact(kinds); len(kinds) > 0 {
		p.What += ", but " + render.And(kinds)
		p.Want = "if an operator creates one, pass what kubectl get statefulsets -o yaml prints"
	}
	return p
}

func (s *stream) hasPods() bool {
	return slices.ContainsFunc(s.file.Others, func(other manifest.Other) bool { return IsPod(&other) })
}

// IsPod says whether an object is a pod that a server has printed.
func IsPod(o *manifest.Other) bool {
	return o.Kind == model.KindPod.String() && manifest.Field(o.Node, "status", "phase") != nil
}

// showsPods says whether a stream was printed by a server, with the pods of its sets, or with a set that has none. Of
// the other sets the dump itself says whether it hides their pods.
func (s *stream) showsPods() bool {
	return s.hasPods() || slices.ContainsFunc(s.file.Sets, func(set *manifest.Set) bool { return ShowsNone(set.Node) })
}
