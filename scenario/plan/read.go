package plan

import (
	"cmp"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Stream is a file of manifests, or a dump of a live cluster.
type Stream struct {
	Name string
	Data []byte
}

// Input is a change: the StatefulSets of two streams, paired by namespace and name.
type Input struct {
	// Pairs are the sets of both streams, in the order of their keys.
	Pairs []*Pair
	// Ignored names the kinds of the objects that play no part, each once.
	Ignored []string

	budgets []*model.Budget
}

// Pair is a set as it is and as it is to be. One of them is nil where the set is only in the other stream.
type Pair struct {
	Key      model.Key
	Old, New *manifest.Set

	// live says that the old one is a dump of the live object, and not a file that was applied.
	live bool
	// status is what the dump says of the pods, nil where it is none.
	status *status
}

// Read reads the sets of both streams. A set without a namespace is in the namespace default. Where the input is wrong
// the error is strict.Problems, with all that is wrong.
func Read(before, after Stream, limits strict.Limits) (*Input, error) {
	in := &Input{}
	byKey := map[model.Key]*Pair{}
	oldFile, problems := readStream(before, limits)
	newFile, more := readStream(after, limits)
	problems = append(problems, more...)
	// A set may be the first of its stream; but a file with nothing in it is rather one that could not be made.
	if len(problems) == 0 && len(oldFile.Sets) == 0 && len(oldFile.Others) == 0 {
		problems = append(problems, none(before))
	}
	if len(problems) == 0 && len(newFile.Sets) == 0 {
		problems = append(problems, none(after))
	}
	if len(problems) > 0 {
		return nil, problems.Err()
	}
	for _, set := range oldFile.Sets {
		p := in.pair(byKey, set)
		if p.Old != nil {
			problems = append(problems, twice(p.Key, set))
		}
		p.Old, p.live, p.status = set, isLive(set), readStatus(set.Node)
	}
	for _, set := range newFile.Sets {
		p := in.pair(byKey, set)
		if p.New != nil {
			problems = append(problems, twice(p.Key, set))
		}
		p.New = set
	}
	slices.SortFunc(in.Pairs, func(a, b *Pair) int { return a.Key.Compare(b.Key) })
	for _, other := range slices.Concat(newFile.Others, oldFile.Others) {
		in.other(other)
	}
	return in, problems.Err()
}

func readStream(s Stream, limits strict.Limits) (*manifest.File, strict.Problems) {
	docs, problems := strict.Parse(s.Name, s.Data, limits)
	r := &strict.Reader{File: s.Name, Limits: limits, Problems: problems}
	file := manifest.Read(r, docs)
	for _, set := range file.Sets {
		set.CheckLimits(r)
		set.Check(r)
	}
	return file, r.Problems
}

func none(s Stream) strict.Problem {
	return strict.Problem{File: s.Name, What: "there is no StatefulSet in it"}
}

func twice(key model.Key, set *manifest.Set) strict.Problem {
	return strict.Problem{
		File: set.File, Line: set.Node.Line, Column: set.Node.Column,
		What: fmt.Sprintf("the StatefulSet %s is there twice", key),
	}
}

func (in *Input) pair(byKey map[model.Key]*Pair, set *manifest.Set) *Pair {
	key := model.Key{Namespace: set.Namespace("default"), Name: set.Object.Name}
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
	metadata := field(set.Node, "metadata")
	return field(metadata, "uid") != nil || field(metadata, "resourceVersion") != nil ||
		field(set.Node, "status") != nil || set.Object.Annotations[manifest.LastApplied] != ""
}

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

// other keeps what of another object plays a part.
func (in *Input) other(o manifest.Other) {
	if o.IsBudget() {
		// What is wrong with a budget is the API server's to refuse.
		if b := o.Budget(&strict.Reader{}); b != nil {
			b.Namespace = cmp.Or(b.Namespace, "default")
			if !slices.ContainsFunc(in.budgets, func(other *model.Budget) bool { return other.Key() == b.Key() }) {
				in.budgets = append(in.budgets, b)
			}
			return
		}
	}
	if !slices.Contains(in.Ignored, o.Kind) {
		in.Ignored = append(in.Ignored, o.Kind)
	}
}

// old returns the set that runs now, as it would be created again.
func (p *Pair) old() (*model.StatefulSet, *model.APIError) {
	if p.live {
		return p.Old.New(p.Key.Namespace)
	}
	return p.Old.NewApplied(p.Key.Namespace)
}
