// Package pair reads a change: the sets of two streams of manifests, paired, and what else the streams show.
package pair

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Input is a change: the StatefulSets of two streams, paired by namespace and name. It does not change once it was
// read.
type Input struct {
	// Pairs are the sets of both streams, in the order of their keys.
	Pairs []*Pair
	// Ignored names the kinds of the objects that play no part, each once.
	Ignored []string
	// Notes say what was decided while it was read.
	Notes []string
	// Warnings are mistakes in the files that make the whole plan doubtful.
	Warnings []string
	// Unnamed says that a set is in the namespace default only because nothing names another.
	Unnamed bool
	// State is the live cluster that the first stream shows, nil if it shows no pods. Crowd are its nodes.
	State *dump.Index
	Crowd *placement.Crowd
	// Given is the state with what NEW brings, with which a change begins; nil without a state. cures are those objects,
	// by the sets that lack them.
	Given *dump.Index
	cures map[model.Key][]dump.Cure
	Others
}

// Read reads the sets of both streams. A set that names no namespace is in that of its stream: the one given, or the
// one that the other stream has for its name, or else default. A set that is wrong is left out with its mistake
// (Pair.Wrong), unless no other is in its stream. If the input is wrong the error is strict.Problems, with all that is
// wrong.
func Read(before, after Stream, limits strict.Limits) (*Input, error) {
	old, now := readBoth(before, after, limits)
	problems := slices.Concat(old.problems, now.problems)
	// A stream may be empty, where its first set comes or its last one goes; but not both.
	if len(problems) == 0 && len(old.file.Sets)+len(now.file.Sets) == 0 {
		problems = append(problems, old.none(), now.none())
	}
	in := &Input{Notes: slices.Concat(old.notes, now.notes), Warnings: slices.Concat(old.warnings, now.warnings)}
	if now.hasPods() {
		in.Warnings = append(in.Warnings, now.Name+" shows the pods of a cluster, so it is a dump: are OLD and NEW swapped?")
	}
	if old.showsPods() {
		forget(old.file, now.file)
		d, err := before.dump(limits)
		if err != nil {
			more, _ := err.(strict.Problems)
			problems = append(problems, more...)
		} else {
			in.State, in.Crowd = d.Index(), placement.NewCrowd(d.State.Nodes)
		}
	}
	if len(problems) > 0 {
		return nil, problems.Err()
	}
	for _, s := range [][2]*stream{{old, now}, {now, old}} {
		namespace, notes := s[0].settled(s[1])
		s[0].namespace, in.Notes = namespace, append(in.Notes, notes...)
		in.Unnamed = in.Unnamed || s[0].Namespace == "" && namespace == "default" &&
			slices.ContainsFunc(s[0].file.Sets, func(set *manifest.Set) bool { return set.Object.Namespace == "" })
	}
	in.Others = othersOf(old, now)
	if in.State != nil {
		classes := maps.Clone(in.State.Classes)
		for _, name := range slices.Sorted(maps.Keys(in.Classes)) {
			classes = classes.With(in.Classes[name])
		}
		in.Classes = classes
	}
	in.Pairs, problems = pairs(old, now)
	in.Given, in.cures = in.given()
	in.Ignored = in.ignored(now, old)
	in.Notes = append(in.Notes, in.unmodelled(now, old)...)
	return in, problems.Err()
}

// readBoth reads what runs and what is to come. What runs was taken once, whatever is wrong with it now, and a change
// of it need not make it right.
func readBoth(before, after Stream, limits strict.Limits) (old, now *stream) {
	var accepted []model.Key
	old = readStream(before.thinned(spare(&after)), limits, true, func(_ *strict.Reader, set *manifest.Set) {
		wrong := strict.Reader{}
		set.Check(&wrong)
		if len(wrong.Problems) > 0 {
			accepted = append(accepted, model.Key{Namespace: set.Namespace(before.Namespace), Name: set.Object.Name})
		}
	})
	now = readStream(after, limits, false, func(r *strict.Reader, set *manifest.Set) {
		key := model.Key{Namespace: set.Namespace(after.Namespace), Name: set.Object.Name}
		if !slices.ContainsFunc(accepted, func(other model.Key) bool { return maybeSame(key, other) }) {
			set.Check(r)
		}
	})
	return old, now
}

// maybeSame says whether two keys may be of one set: a namespace that is not given is not settled yet.
func maybeSame(a, b model.Key) bool {
	return a.Name == b.Name && (a.Namespace == b.Namespace || a.Namespace == "" || b.Namespace == "")
}

// given returns the state with what NEW brings; it is the state itself if that cures nothing.
func (in *Input) given() (*dump.Index, map[model.Key][]dump.Cure) {
	if in.State == nil {
		return nil, nil
	}
	given, cures := in.State.Given(in.brought, func(template *model.Template, b dump.Brought) bool {
		return slices.Contains(Reads(template, b.Namespace), Thing{b.Kind, b.Namespace, b.Name})
	})
	if len(cures) == 0 {
		return in.State, nil
	}
	return given.Index(), cures
}

// ignored names the kinds of the objects that play no part.
func (in *Input) ignored(streams ...*stream) []string {
	heeded := map[string]bool{}
	for _, p := range in.Pairs {
		for _, set := range []*manifest.Set{p.Old, p.New} {
			if set == nil {
				continue
			}
			for _, t := range readIn(set.Given["spec"], p.Key.Namespace, nil) {
				heeded[t.Kind] = true
			}
		}
		for _, name := range in.Scalers[p.Key] {
			kind, _, _ := strings.Cut(name, " ")
			heeded[kind] = true
		}
		for _, c := range in.cures[p.Key] {
			heeded[c.Kind] = true
		}
	}
	var kinds []string
	for _, s := range streams {
		for i := range s.file.Others {
			o := &s.file.Others[i]
			shown := in.State != nil && slices.Contains(dump.Kinds(), o.Kind)
			if s.budgetOf(o) == nil && o.Unmodelled() == "" && !o.IsClaim() && !o.IsClass() && !shown && !heeded[o.Kind] &&
				!slices.Contains(kinds, o.Kind) {
				kinds = append(kinds, o.Kind)
			}
		}
	}
	return kinds
}

// unmodelled says what is assumed of objects that have an effect in a cluster, and none in a plan, each once.
func (in *Input) unmodelled(streams ...*stream) []string {
	var notes []string
	for _, s := range streams {
		for _, o := range s.file.Others {
			note := o.Unmodelled()
			key := model.Key{Namespace: cmp.Or(o.Namespace, s.namespace), Name: o.Name}
			known := in.State != nil && (in.State.Refuses(o.Kind, key) || slices.Contains(in.State.Assumed, note))
			if note != "" && !known && !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// Version returns the version of Kubernetes that the nodes of the dump run; "" where it shows none.
func (in *Input) Version() string {
	if in.State == nil {
		return ""
	}
	return in.State.Version()
}

// Shown returns the dump of the live cluster, nil if the first stream shows none.
func (in *Input) Shown() *dump.Dump {
	if in.State == nil {
		return nil
	}
	return in.State.Dump
}

// HasOld and HasNew say whether a stream has a set, even a wrong one.
func (in *Input) HasOld() bool {
	return slices.ContainsFunc(in.Pairs, func(p *Pair) bool { return p.Old != nil || len(p.Wrong) > 0 })
}

// HasNew is about the stream with the sets to come.
func (in *Input) HasNew() bool {
	return slices.ContainsFunc(in.Pairs, func(p *Pair) bool { return p.New != nil || len(p.Wrong) > 0 })
}

// HasClaim says whether a claim is in one of the streams, or is assumed to be.
func (in *Input) HasClaim(key model.Key) bool {
	return in.claims[key] || in.claims[model.Key{Name: key.Name}] || in.State != nil && in.State.HasClaim(key)
}

// Assumptions lists what is assumed about the state with which a plan begins.
func (in *Input) Assumptions() []string {
	if in.State != nil {
		return slices.Clone(in.State.Assumed)
	}
	for _, p := range in.Pairs {
		if p.Status != nil && p.New != nil {
			return []string{"Assumed: all pods exist and are Ready, as the statuses say; the dump does not show them."}
		}
	}
	return nil
}

// Brings says what NEW brings that pods of a set lack, as a clause; "" for nothing.
func (in *Input) Brings(set model.Key) string {
	var hows, clauses []string
	names := map[string][]string{}
	for _, c := range in.cures[set] {
		if name := c.Kind + " " + c.Name; !slices.Contains(names[c.How], name) {
			names[c.How] = append(names[c.How], name)
		}
		if !slices.Contains(hows, c.How) {
			hows = append(hows, c.How)
		}
	}
	for _, how := range hows {
		clauses = append(clauses, render.And(names[how])+", "+how)
	}
	if len(clauses) == 0 {
		return ""
	}
	return "NEW brings " + strings.Join(clauses, ", and ")
}

// Released says whether a set belongs to the same Helm release as one of those in the new files, so that an upgrade of
// the release deletes it. Where the first stream is a file nobody knows better than it does.
func (in *Input) Released(p *Pair) bool {
	if !p.Live {
		return true
	}
	release := ReleaseOf(p.Old)
	return release != "" && slices.ContainsFunc(in.Pairs, func(other *Pair) bool {
		return other.New != nil && other.Old != nil && other.Key.Namespace == p.Key.Namespace &&
			ReleaseOf(other.Old) == release
	})
}
