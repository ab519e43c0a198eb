package stored

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Apply applies the change to the set. The result of kubectl apply for the running set is known, and so is that for the
// set as the dump has it; if something else has changed that set since, the result is computed again.
func (s *Set) Apply(u *sim.User) (*model.StatefulSet, *model.APIError) {
	live := u.Set(s.Key())
	if live == nil {
		return u.Create(s.Fresh)
	}
	if reflect.DeepEqual(live.Spec.Strategy, s.Live.Spec.Strategy) {
		next := *live
		next.Spec, next.Labels, next.Annotations = s.Wanted.Spec, s.Wanted.Labels, s.Wanted.Annotations
		if s.Part != nil {
			keep(s, &next.Spec, &live.Spec)
		}
		return u.Update(&next)
	}
	if s.shownAs.is(live) {
		next := *live
		next.Spec, next.Labels, next.Annotations = s.shownAs.asked.Spec, s.shownAs.asked.Labels, s.shownAs.asked.Annotations
		return u.Update(&next)
	}
	wanted, _, err := s.Pair.New.Apply(live)
	if err != nil {
		return nil, err
	}
	return u.Update(wanted)
}

// keep keeps the parts of a live spec that the change does not touch: the dump may write them in another way.
func keep(s *Set, next, live *model.Spec) {
	if !s.Rolls() {
		next.Template = live.Template
	}
	if s.Live.Spec.Selector.Data == s.Wanted.Spec.Selector.Data {
		next.Selector = live.Selector
	}
	if reflect.DeepEqual(s.Live.Spec.ClaimTemplates, s.Wanted.Spec.ClaimTemplates) {
		next.ClaimTemplates = live.ClaimTemplates
	}
}

// shownAs is a set as the dump has it, and what kubectl apply makes of that. A dump need not have the defaults that the
// set has in the version of the plan, so that this is not the change of the set with its defaults. A merge of two
// objects costs as much as a run, and a plan has a dozen runs of a set.
type shownAs struct{ live, asked *model.StatefulSet }

// is says whether a live set still has all that an apply looks at as the dump has it; its template may be a copy.
func (s *shownAs) is(live *model.StatefulSet) bool {
	if s == nil || live.Spec.Template.Data != s.live.Spec.Template.Data {
		return false
	}
	spec := live.Spec
	spec.Template = s.live.Spec.Template
	return reflect.DeepEqual(spec, s.live.Spec) && maps.Equal(live.Labels, s.live.Labels) &&
		maps.Equal(live.Annotations, s.live.Annotations)
}

// shows computes it for a set that the world begins with. A refusal is left to the run.
func shows(s *Set) *shownAs {
	if s.Part == nil || s.Fate != Accepted {
		return nil
	}
	for _, live := range s.Part.State.Sets {
		if live.Key() != s.Pair.Key || reflect.DeepEqual(live.Spec.Strategy, s.Live.Spec.Strategy) {
			continue
		}
		if asked, _, refusal := s.Pair.New.Apply(live); refusal == nil {
			return &shownAs{live, asked}
		}
	}
	return nil
}

// tree returns a set as JSON, without the annotation that kubectl apply keeps. Its template is not copied: trees of
// sets with one template share it.
func (t templates) tree(set *model.StatefulSet) map[string]any {
	bare := *set
	bare.Spec.Template = &model.Template{Data: "{}"}
	object := manifest.Object(&bare)
	delete(object.Annotations, manifest.LastApplied)
	if len(object.Annotations) == 0 {
		object.Annotations = nil
	}
	data, err := kube.Marshal(object)
	if err != nil {
		panic(fmt.Sprintf("stored: a set cannot be encoded: %v", err))
	}
	value := decoded(string(data))
	delete(value, "status")
	of := t[set.Spec.Template.Data]
	if of == nil {
		of = decoded(set.Spec.Template.Data)
		t[set.Spec.Template.Data] = of
	}
	value["spec"].(map[string]any)["template"] = of
	return value
}

// templates are decoded templates by their JSON.
type templates map[string]map[string]any

// decoded returns an object of JSON that was made here, or by the API server: it panics if it is none.
func decoded(data string) (value map[string]any) {
	if err := json.Unmarshal([]byte(data), &value); err != nil {
		panic(fmt.Sprintf("stored: a set cannot be decoded: %v", err))
	}
	return value
}

// applyNotes says what kubectl apply does to fields that are not in the new manifest: it removes fields that were in
// the last one, which then get their defaults, and it keeps fields that somebody else has set. Result is the wanted
// set, and fresh the same set if it were created anew, both as JSON.
func applyNotes(p *pair.Pair, live, wanted *model.StatefulSet, result, fresh map[string]any) []string {
	var notes []string
	for _, path := range left(lastApplied(p), p.New.Given) {
		text := "nothing takes its place"
		if value := diff.At(result, path); value != nil {
			text = "the default " + diff.Glance(value) + " takes its place"
		}
		field := strings.Join(path, ".")
		if field == "spec.replicas" && live.Spec.Replicas != wanted.Spec.Replicas {
			text += fmt.Sprintf(", so the set goes from %d to %s, even if an autoscaler has set another number",
				live.Spec.Replicas, render.Count(int(wanted.Spec.Replicas), "replica"))
		}
		notes = append(notes, fmt.Sprintf("%s is no longer in the file: apply removes it, and %s", field, text))
	}
	if was, wants := replicasOf(lastApplied(p)), replicasOf(p.New.Given); p.Live && was == wants && wants >= 0 &&
		wants != int(live.Spec.Replicas) {
		notes = append(notes, fmt.Sprintf("spec.replicas is %d in the file as before, and somebody has scaled the set to %d "+
			"(an autoscaler?): apply reverts that", wants, live.Spec.Replicas))
	}
	for _, c := range diff.Of("", fresh, result) {
		if strings.HasPrefix(c.Path, "spec.") && !strings.HasPrefix(c.Path, "spec.template.") && c.New != nil {
			notes = append(notes, fmt.Sprintf("%s stays %s: the file does not set it, and apply removes only fields that it "+
				"has applied before", c.Path, diff.Glance(c.New)))
		}
	}
	return notes
}

// replicasOf is spec.replicas of a manifest, -1 if it gives none.
func replicasOf(given map[string]any) int {
	n, err := strconv.Atoi(diff.Glance(diff.At(given, []string{"spec", "replicas"})))
	if err != nil {
		return -1
	}
	return n
}

func lastApplied(p *pair.Pair) map[string]any {
	if !p.Live {
		return p.Old.Given
	}
	var given map[string]any
	// An annotation that cannot be parsed does not count.
	if json.Unmarshal([]byte(p.Old.Object.Annotations[manifest.LastApplied]), &given) != nil {
		return nil
	}
	return given
}

// left lists the fields of the spec, outside its template, that the first has and the second has not.
func left(a, b map[string]any) [][]string {
	var paths [][]string
	missing := func(old, now any, at ...string) {
		before, _ := old.(map[string]any)
		after, is := now.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(before)) {
			if _, found := after[name]; is && !found && name != "template" && says(before[name]) {
				paths = append(paths, append(slices.Clone(at), name))
			}
		}
	}
	missing(a["spec"], b["spec"], "spec")
	const strategy = "updateStrategy"
	missing(diff.At(a, []string{"spec", strategy}), diff.At(b, []string{"spec", strategy}), "spec", strategy)
	return paths
}

// says says whether a value of a manifest is more than empty lists, mappings and texts: these are as good as none.
func says(value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case []any:
		return len(v) > 0
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), says)
	case string:
		return v != ""
	}
	return true
}
