package pair

import (
	"cmp"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Pair is a set as it is and as it is to be. One of them is nil if the set is only in the other stream.
type Pair struct {
	Key      model.Key
	Old, New *manifest.Set

	// Live says that the old one is a dump of the live object, and not a file that was applied; Deleting that it is
	// being deleted there. Operator is the custom resource that it belongs to, nil if there is none.
	Live, Deleting bool
	Operator       *dump.Owner
	// Same says that both are the same, word for word.
	Same bool
	// Status is what the dump says about the pods; nil if it is not a dump.
	Status *Status
	// Wrong says what is wrong with one of them, with its place; then that one is nil, and the change is not known.
	Wrong []string
	// Pods says what is wrong with the pods of the new one, which only some versions look at.
	Pods strict.Problems
}

// pairs pairs the sets of both streams, in the order of their keys. The problems are sets that occur twice in a stream.
func pairs(old, now *stream) (list []*Pair, problems strict.Problems) {
	byKey := map[model.Key]*Pair{}
	of := func(key model.Key) *Pair {
		if byKey[key] == nil {
			byKey[key] = &Pair{Key: key}
			list = append(list, byKey[key])
		}
		return byKey[key]
	}
	for side, s := range []*stream{old, now} {
		for _, set := range s.file.Sets {
			p := of(model.Key{Namespace: set.Namespace(s.namespace), Name: set.Object.Name})
			place := [...]**manifest.Set{&p.Old, &p.New}[side]
			if *place != nil {
				problems = append(problems, twice(p.Key, set))
			}
			*place = set
		}
		for _, wrong := range s.file.Wrong {
			p := of(model.Key{Namespace: cmp.Or(wrong.Namespace, s.namespace), Name: wrong.Name})
			for _, problem := range wrong.Problems {
				p.Wrong = append(p.Wrong, problem.Error())
			}
		}
	}
	slices.SortFunc(list, func(a, b *Pair) int { return a.Key.Compare(b.Key) })
	for i, p := range list {
		list[i] = p.read()
	}
	return list, problems
}

// read returns the pair with what the texts of its sets say beside what was decoded, and drops the texts.
func (p *Pair) read() *Pair {
	as := *p
	if p.Old != nil {
		as.Live, as.Status, as.Operator = isLive(p.Old), StatusOf(p.Old.Node), operatorOf(p.Old.Node)
		as.Deleting = as.Live && manifest.Field(p.Old.Node, "metadata", "deletionTimestamp") != nil
	}
	if p.New != nil {
		wrong := strict.Reader{}
		p.New.CheckPods(&wrong)
		as.Pods = wrong.Problems
	}
	as.Same = p.Old != nil && p.New != nil && same(p.Old.Node, p.New.Node)
	for _, set := range []*manifest.Set{p.Old, p.New} {
		if set != nil {
			set.Forget()
		}
	}
	return &as
}

func twice(key model.Key, set *manifest.Set) strict.Problem {
	return strict.Problem{
		File: set.File, Line: set.Node.Line, Column: set.Node.Column,
		What: fmt.Sprintf("the StatefulSet %s occurs twice", key),
	}
}

func operatorOf(object *yaml.Node) *dump.Owner {
	var owners []struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
		Name       string `yaml:"name"`
		Controller bool   `yaml:"controller"`
	}
	// References that cannot be read are none: the server gives them, and a file rarely does.
	if n := manifest.Field(object, "metadata", "ownerReferences"); n == nil || n.Decode(&owners) != nil {
		return nil
	}
	for _, owner := range owners {
		if owner.Controller {
			return dump.NewOwner(owner.APIVersion, owner.Kind, owner.Name)
		}
	}
	return nil
}

// same says whether two documents say the same in the same words: then their meaning need not be compared.
func same(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Kind != yaml.AliasNode && a.Tag == b.Tag && a.Value == b.Value &&
		slices.EqualFunc(a.Content, b.Content, same)
}

// isLive says whether an object comes from a server: it has what only a server writes.
func isLive(set *manifest.Set) bool {
	var fields map[string]any
	return set.Object.Annotations[manifest.LastApplied] != "" || set.Node.Decode(&fields) == nil && dump.FromServer(fields)
}

// Running returns the running set as it would be created again. A file was applied with kubectl apply.
func (p *Pair) Running() (*model.StatefulSet, *model.APIError) {
	if p.Live {
		return p.Old.New(p.Key.Namespace)
	}
	return p.Old.NewApplied(p.Key.Namespace)
}

// Annotated returns the annotation of the new set or, if it has none, of the running set, and where it was found.
func (p *Pair) Annotated(name string) (text, where string) {
	where = times.Annotation + name
	if p.New != nil && p.New.Object.Annotations[where] != "" {
		return p.New.Object.Annotations[where], where
	}
	if p.Old != nil {
		return p.Old.Object.Annotations[where], where
	}
	return "", where
}

// Gone says whether the set runs and is not in the new files.
func (p *Pair) Gone() bool { return p.New == nil && p.Old != nil && len(p.Wrong) == 0 }

// ReleaseOf returns the Helm release that an object belongs to, "" if none.
func ReleaseOf(set *manifest.Set) string { return set.Object.Annotations["meta.helm.sh/release-name"] }
