package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/render"
)

// Stream is a file of manifests, or a dump of a live cluster.
type Stream struct {
	Name string
	Data []byte
	// Files are the files of a folder; Data is then empty.
	Files []dump.Source
	// Namespace is the namespace of objects that name none; "" derives it.
	Namespace string
}

// Input is a change: the StatefulSets of two streams, paired by namespace and name.
type Input struct {
	// Pairs are the sets of both streams, in the order of their keys.
	Pairs []*Pair
	// Ignored names the kinds of the objects that play no part, each once.
	Ignored []string
	// Notes say what was decided while it was read.
	Notes []string
	// Warnings are mistakes in the files that make the whole plan doubtful.
	Warnings []string

	// state is the live cluster that the first stream shows, nil if it shows no pods. budgets are those of both
	// streams, each once; the new one wins.
	state   *dump.Index
	budgets []*model.Budget
	// crowd are the nodes of the state.
	crowd *placement.Crowd
	// changed are the objects of other kinds that are not the same in both streams. differs are those of them that NEW
	// has, without the ConfigMaps and Secrets of which only the metadata changes.
	changed, differs []thing
	// scalers are the autoscalers of both streams that target a set, read what the pods of the sets read of ConfigMaps
	// and Secrets.
	scalers []scaler
	read    []thing
	// given is the state with what NEW brings, nil if that cures nothing; cures are those objects, by the sets that
	// lack them.
	given *dump.Index
	cures map[model.Key][]dump.Cure
	// claims are the PersistentVolumeClaims of both streams; those that name no namespace have none.
	claims map[model.Key]bool
	// kinds are the kinds of objects, beside StatefulSets, that each of the streams has.
	kinds [2]map[string]bool
	// drawn are the Secrets among them that change in keys that look drawn at random, and in no others.
	drawn []*drawn
}

// Pair is a set as it is and as it is to be. One of them is nil if the set is only in the other stream.
type Pair struct {
	Key      model.Key
	Old, New *manifest.Set

	// live says that the old one is a dump of the live object, and not a file that was applied; deleting that it is
	// being deleted there. operator is the custom resource that it belongs to, nil if there is none.
	live, deleting bool
	operator       *dump.Owner
	// same says that both are the same, word for word.
	same bool
	// status is what the dump says about the pods; nil if it is not a dump.
	status *status
	// wrong says what is wrong with one of them, with its place; then that one is nil, and the change is not known.
	wrong []string
	// pods says what is wrong with the pods of the new one, which only some versions look at.
	pods strict.Problems
}

// Read reads the sets of both streams. A set that names no namespace is in that of its stream: the one given, or the
// one that the other stream has for its name, or else default. A set that is wrong is left out with its mistake
// (Pair.wrong), unless no other is in its stream. If the input is wrong the error is strict.Problems, with all that is
// wrong.
func Read(before, after Stream, limits strict.Limits) (*Input, error) {
	in := &Input{}
	byKey := map[model.Key]*Pair{}
	var accepted []model.Key
	running := before.thinned(spare(&after))
	oldFile, problems := in.readStream(running, limits, true, func(_ *strict.Reader, set *manifest.Set) {
		// What runs was taken once, whatever is wrong with it now, and a change of it need not make it right.
		wrong := strict.Reader{}
		set.Check(&wrong)
		if len(wrong.Problems) > 0 {
			accepted = append(accepted, model.Key{Namespace: set.Namespace(before.Namespace), Name: set.Object.Name})
		}
	})
	newFile, more := in.readStream(after, limits, false, func(r *strict.Reader, set *manifest.Set) {
		key := model.Key{Namespace: set.Namespace(after.Namespace), Name: set.Object.Name}
		if !slices.ContainsFunc(accepted, func(other model.Key) bool { return maybeSame(key, other) }) {
			set.Check(r)
		}
	})
	problems = append(problems, more...)
	// A stream may be empty, where its first set comes or its last one goes; but not both.
	if len(problems) == 0 && len(oldFile.Sets)+len(newFile.Sets) == 0 {
		problems = append(problems, none(before, oldFile), none(after, newFile))
	}
	problems = append(problems, in.readState(before, oldFile, newFile, limits)...)
	if len(problems) > 0 {
		return nil, problems.Err()
	}
	in.settle(&before, oldFile, newFile)
	in.settle(&after, newFile, oldFile)
	for _, set := range oldFile.Sets {
		p := in.pair(byKey, set, before.Namespace)
		if p.Old != nil {
			problems = append(problems, twice(p.Key, set))
		}
		p.Old, p.live, p.status = set, isLive(set), readStatus(set.Node)
	}
	for _, set := range newFile.Sets {
		p := in.pair(byKey, set, after.Namespace)
		if p.New != nil {
			problems = append(problems, twice(p.Key, set))
		}
		p.New = set
		wrong := strict.Reader{}
		set.CheckPods(&wrong)
		p.pods = wrong.Problems
	}
	in.leaveOut(byKey, oldFile, before.Namespace)
	in.leaveOut(byKey, newFile, after.Namespace)
	slices.SortFunc(in.Pairs, func(a, b *Pair) int { return a.Key.Compare(b.Key) })
	for _, other := range newFile.Others {
		in.other(other, after.Namespace)
	}
	for _, other := range oldFile.Others {
		in.other(other, before.Namespace)
	}
	in.compareOthers(oldFile.Others, newFile.Others, [2]string{before.Namespace, after.Namespace})
	in.scaled(newFile.Others, after.Namespace)
	in.scaled(oldFile.Others, before.Namespace)
	for _, p := range in.Pairs {
		p.forget()
		for _, set := range []*manifest.Set{p.Old, p.New} {
			if set != nil {
				in.read = append(in.read, readBySpec(&set.Object.Spec.Template.Spec, p.Key.Namespace)...)
			}
		}
	}
	in.Ignored = slices.DeleteFunc(in.Ignored, in.heeded)
	return in, problems.Err()
}

// maybeSame says whether two keys may be of one set. The namespace of a set that names none is not settled yet, so it
// may be that of any other.
func maybeSame(a, b model.Key) bool {
	return a.Name == b.Name && (a.Namespace == b.Namespace || a.Namespace == "" || b.Namespace == "")
}

// forget finds out what the texts of the sets say beside what was decoded, and drops them.
func (p *Pair) forget() {
	if p.Old != nil {
		metadata := field(p.Old.Node, "metadata")
		p.deleting, p.operator = p.live && field(metadata, "deletionTimestamp") != nil, operatorIn(metadata)
	}
	if p.Old != nil && p.New != nil {
		p.same = same(p.Old.Node, p.New.Node)
	}
	for _, set := range []*manifest.Set{p.Old, p.New} {
		if set != nil {
			set.Forget()
		}
	}
}

// operatorIn returns the custom resource that an object belongs to, by its metadata.
func operatorIn(metadata *yaml.Node) *dump.Owner {
	var owners []struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
		Name       string `yaml:"name"`
		Controller bool   `yaml:"controller"`
	}
	// References that cannot be read are none: the server gives them, and a file rarely does.
	if n := field(metadata, "ownerReferences"); n == nil || n.Decode(&owners) != nil {
		return nil
	}
	for _, owner := range owners {
		if owner.Controller {
			return dump.NewOwner(owner.APIVersion, owner.Kind, owner.Name)
		}
	}
	return nil
}

// same says whether two documents say the same in the same words, comments aside. Then their meaning need not be
// compared.
func same(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Kind != yaml.AliasNode && a.Tag == b.Tag && a.Value == b.Value &&
		slices.EqualFunc(a.Content, b.Content, same)
}

// settle finds the namespace of the objects that name none in a stream: kubectl -n, Helm or Kustomize gives it to them
// when they are applied, so the other stream, a dump say, has it. If that is not the same for all, it is default.
func (in *Input) settle(s *Stream, file, other *manifest.File) {
	if s.Namespace != "" {
		return
	}
	found := map[string]bool{}
	for _, set := range file.Sets {
		for _, twin := range other.Sets {
			if set.Object.Namespace == "" && twin.Object.Name == set.Object.Name && twin.Object.Namespace != "" {
				found[twin.Object.Namespace] = true
			}
		}
	}
	s.Namespace = "default"
	if len(found) != 1 {
		return
	}
	s.Namespace = slices.Sorted(maps.Keys(found))[0]
	if s.Namespace != "default" {
		in.Notes = append(in.Notes, fmt.Sprintf("%s names no namespace. Assumed: %s, as in the other file.", s.Name,
			s.Namespace))
	}
}

// checked notes what is wrong with a set of a stream.
type checked func(r *strict.Reader, set *manifest.Set)

// readStream reads a stream. runs says that it is what runs already: then no field is unknown, because a newer server
// may have written it.
func (in *Input) readStream(s Stream, limits strict.Limits, runs bool, check checked) (*manifest.File,
	strict.Problems) {
	whole := &manifest.File{}
	var problems strict.Problems
	for _, source := range s.sources() {
		stream := strict.ParseStream(source.Name, source.Data, limits)
		r := stream.Reader(source.Name, limits)
		r.Lenient = runs
		file := manifest.ReadNamed(r, stream.Docs)
		for _, warning := range r.Warnings.Sorted() {
			if slices.Contains(stream.Joined, warning) {
				in.Warnings = append(in.Warnings, warning.Error()+".")
				continue
			}
			in.Notes = append(in.Notes, warning.Error()+".")
		}
		problems = append(problems, setApart(r, file, check)...)
		whole.Sets, whole.Others = append(whole.Sets, file.Sets...), append(whole.Others, file.Others...)
		whole.Wrong = append(whole.Wrong, file.Wrong...)
	}
	for _, wrong := range whole.Wrong {
		if len(whole.Sets) == 0 {
			problems = append(problems, wrong.Problems...)
		}
	}
	return whole, problems
}

// sources returns the files of the stream.
func (s *Stream) sources() []dump.Source {
	if s.Files != nil {
		return s.Files
	}
	return []dump.Source{{Name: s.Name, Data: s.Data}}
}

// thinned returns the stream without what a plan does not read of the objects of some kinds.
func (s *Stream) thinned(kinds []string) Stream {
	as := *s
	as.Files, as.Data = nil, nil
	for _, source := range s.sources() {
		as.Files = append(as.Files, thin(source, kinds))
	}
	return as
}

// setApart removes the sets that are wrong from a file, each with its mistakes, and returns the other problems.
func setApart(r *strict.Reader, file *manifest.File, check checked) strict.Problems {
	for _, wrong := range file.Wrong {
		r.Problems = slices.DeleteFunc(r.Problems, func(p strict.Problem) bool {
			return slices.Contains(wrong.Problems, p)
		})
	}
	file.Sets = slices.DeleteFunc(file.Sets, func(set *manifest.Set) bool {
		own := *r
		own.Problems = nil
		set.CheckLimits(&own)
		check(&own, set)
		if len(own.Problems) > 0 {
			file.Wrong = append(file.Wrong, manifest.Wrong{Problems: own.Problems, Other: manifest.Other{
				Kind: model.KindStatefulSet.String(), Namespace: set.Object.Namespace, Name: set.Object.Name, Node: set.Node,
			}})
		}
		return len(own.Problems) > 0
	})
	named := func(wrong manifest.Wrong) bool { return wrong.Name != "" }
	for _, wrong := range file.Wrong {
		if !named(wrong) {
			r.Problems = append(r.Problems, wrong.Problems...)
		}
	}
	file.Wrong = slices.DeleteFunc(file.Wrong, func(wrong manifest.Wrong) bool { return !named(wrong) })
	return r.Problems
}

// leaveOut notes the sets of a file that are wrong.
func (in *Input) leaveOut(byKey map[model.Key]*Pair, file *manifest.File, namespace string) {
	for _, wrong := range file.Wrong {
		p := in.pairOf(byKey, model.Key{Namespace: cmp.Or(wrong.Namespace, namespace), Name: wrong.Name})
		for _, problem := range wrong.Problems {
			p.wrong = append(p.wrong, problem.Error())
		}
	}
}

// empty says whether a stream has no set, not even a wrong one.
func (in *Input) empty(side func(*Pair) *manifest.Set) bool {
	return !slices.ContainsFunc(in.Pairs, func(p *Pair) bool { return side(p) != nil || len(p.wrong) > 0 })
}

// before is the set as it is, nil if there is none.
func (p *Pair) before() *manifest.Set { return p.Old }

// after is the set to come, nil if there is none.
func (p *Pair) after() *manifest.Set { return p.New }

// none is the problem of a stream without a set, and says what there is instead; twice is that of a set that is there
// twice.
func none(s Stream, file *manifest.File) strict.Problem {
	p := strict.Problem{File: s.Name, What: "there is no StatefulSet in it"}
	var kinds []string
	for _, other := range file.Others {
		kinds = append(kinds, other.Kind)
	}
	slices.Sort(kinds)
	if kinds = slices.Compact(kinds); len(kinds) > 0 {
		p.What += ", but " + render.And(kinds)
		p.Want = "if an operator creates one, pass what kubectl get statefulsets -o yaml prints"
	}
	return p
}

// twice is at the place of the second of them.
func twice(key model.Key, set *manifest.Set) strict.Problem {
	return strict.Problem{
		File: set.File, Line: set.Node.Line, Column: set.Node.Column,
		What: fmt.Sprintf("the StatefulSet %s occurs twice", key),
	}
}

// pair returns the pair of a set, pairOf that of a key; a new one if there is none yet.
func (in *Input) pair(byKey map[model.Key]*Pair, set *manifest.Set, namespace string) *Pair {
	return in.pairOf(byKey, model.Key{Namespace: set.Namespace(namespace), Name: set.Object.Name})
}

// pairOf keeps the order of the pairs that are there already.
func (in *Input) pairOf(byKey map[model.Key]*Pair, key model.Key) *Pair {
	if p := byKey[key]; p != nil {
		return p
	}
	p := &Pair{Key: key}
	byKey[key] = p
	in.Pairs = append(in.Pairs, p)
	return p
}

// isLive says whether an object comes from a server: it has what only a server writes.
func isLive(set *manifest.Set) bool {
	var fields map[string]any
	return set.Object.Annotations[manifest.LastApplied] != "" ||
		set.Node.Decode(&fields) == nil && dump.FromServer(fields)
}

// field returns a field of a mapping, nil if it has none.
func field(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// other keeps an object of another kind that has an influence (a budget), and notes those that have none or are not
// modelled. The streams have to come in the order new, old: of two budgets of one name the first stays.
func (in *Input) other(o manifest.Other, namespace string) {
	if o.IsBudget() {
		// What is wrong with a budget is the API server's to refuse.
		if b := o.Budget(&strict.Reader{}); b != nil && b.Wrong == "" {
			b.Namespace = cmp.Or(b.Namespace, namespace)
			if !slices.ContainsFunc(in.budgets, func(other *model.Budget) bool { return other.Key() == b.Key() }) {
				in.budgets = append(in.budgets, b)
			}
			return
		}
	}
	if note := o.Unmodelled(); note != "" {
		key := model.Key{Namespace: cmp.Or(o.Namespace, namespace), Name: o.Name}
		refuses := in.state != nil && in.state.Refuses(o.Kind, key)
		if !refuses && !slices.Contains(in.Notes, note) && (in.state == nil || !slices.Contains(in.state.Assumed, note)) {
			in.Notes = append(in.Notes, note)
		}
		return
	}
	shown := in.state != nil && slices.Contains(dump.Kinds(), o.Kind)
	if !o.IsClaim() && !shown && !slices.Contains(in.Ignored, o.Kind) {
		in.Ignored = append(in.Ignored, o.Kind)
	}
}

// old returns the running set as it would be created again. A file was applied, so it has the annotation of kubectl
// apply.
func (p *Pair) old() (*model.StatefulSet, *model.APIError) {
	if p.live {
		return p.Old.New(p.Key.Namespace)
	}
	return p.Old.NewApplied(p.Key.Namespace)
}
