package save

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Source is a manifest, or the state of a cluster, that becomes part of a first scenario.
type Source struct {
	// Name is what messages call it.
	Name string
	Data []byte
	// Path is its path from the scenario's folder, "" if a scenario there cannot name it.
	Path string
}

// Reading is how manifests are read: within the limits, and by a version that looks at the pods of a set, or does not.
type Reading struct {
	Limits strict.Limits
	Pods   bool
}

// Add adds a source to the scenario, and its StatefulSets to those that are restarted. The state of a cluster is what
// the scenario begins with. A manifest with a StatefulSet that an earlier one has is a change of that. The error is
// what is wrong with the manifest, with its place there, since the scenario may hold a copy.
func (f *First) Add(in Source, by Reading) error {
	sets, err := f.setsOf(in, by)
	if err != nil {
		return err
	}
	apply := &f.Apply
	for _, set := range sets {
		if slices.Contains(f.Restart, set) {
			apply = &f.Change
			continue
		}
		f.Restart = append(f.Restart, set)
	}
	switch isDump := scenario.IsDump(in.Data); {
	case isDump && in.Path == "":
		return fmt.Errorf("%s: this is the state of a cluster, which a scenario names by its path: save it in the folder "+
			"of the scenario", in.Name)
	case isDump:
		f.Start = append(f.Start, in.Path)
	case in.Path != "":
		*apply = append(*apply, Manifest{Path: in.Path})
	default:
		*apply = append(*apply, Manifest{Text: string(in.Data)})
	}
	return nil
}

// setsOf returns the StatefulSets of a manifest, in its order, and remembers where they stand. What a cluster has was
// accepted once, and is not checked.
func (f *First) setsOf(in Source, by Reading) ([]model.Key, error) {
	stream := strict.ParseStream(in.Name, in.Data, by.Limits)
	r := stream.Reader(in.Name, by.Limits)
	file := manifest.ReadNamed(r, stream.Docs)
	if len(stream.Docs) == 0 && len(r.Problems) == 0 {
		return nil, fmt.Errorf("%s: the manifest is empty", in.Name)
	}
	var sets []model.Key
	for _, set := range file.Sets {
		if !scenario.IsDump(in.Data) {
			set.Check(r)
			if by.Pods {
				set.CheckPods(r)
			}
			set.CheckLimits(r)
		}
		sets = append(sets, model.Key{Namespace: set.Object.Namespace, Name: set.Object.Name})
		at := fmt.Sprintf("%s:%d:%d", in.Name, set.Node.Line, set.Node.Column)
		f.places = append(f.places, place{set.Object.Name, at})
		for i := range set.Object.Spec.Template.Spec.Containers {
			c := &set.Object.Spec.Template.Spec.Containers[i]
			f.Probed = f.Probed || c.ReadinessProbe != nil || c.StartupProbe != nil
		}
	}
	return sets, r.Problems.Err()
}

// Copied counts the manifests that the scenario does not name, but has as text.
func (f *First) Copied() int {
	copied := 0
	for _, m := range slices.Concat(f.Apply, f.Change) {
		if m.Text != "" {
			copied++
		}
	}
	return copied
}

// place is where a StatefulSet stands in a manifest: FILE:LINE:COLUMN.
type place struct{ set, at string }

// Refusal is the error of a run in which the API server refuses what the scenario applies: such a test would hold as
// long as the mistake is there. Its place is that of the StatefulSet, the last of that name, or the scenario's name.
func (f *First) Refusal(name string, events []timeline.Event) error {
	for i := range events {
		step := events[i].Step
		if step == nil || step.Effect != timeline.Refused {
			continue
		}
		at := name
		for _, p := range f.places {
			if strings.Contains(step.Does, p.set) {
				at = p.at
			}
		}
		return fmt.Errorf("%s: the API server refuses step %d (%s): %s", at, step.Number, step.Does, step.Refusal)
	}
	return nil
}
