package plan

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

func notes(in *pair.Input, s *stored.Set, r *run.Run) []string {
	list := slices.Concat(s.Applied, renames(in, s), unclocked(in, s))
	if r != nil {
		list = rolloutNotes(s, r.Main, list)
	}
	return slices.Concat(list, redrawn(in, s), growing(s), resized(s))
}

// unclocked says of a set that is not at rest that its dump may be old: then sim explain, told the time, may find it
// stuck.
func unclocked(in *pair.Input, s *stored.Set) []string {
	if s.Judged == nil || s.Judged.State != judge.Continues || !in.State.Guessed || len(s.Judged.Next.Pods) == 0 {
		return nil
	}
	return []string{"the dump does not show when it was taken, and its newest time is taken for now. If it is older, " +
		"the set may be stuck: with --now \"$(date -u +%FT%TZ)\" as soon as it is taken, more can be said"}
}

// resized says which pods of a set that rolls have other resources than their template: a new pod has those of the
// template again, so a resize in place is lost.
func resized(s *stored.Set) []string {
	if s.Part == nil || s.Live == nil || !s.Rolls() {
		return nil
	}
	var names []string
	for _, p := range s.Part.PodsOf(s.Live) {
		if f := s.Part.Facts[p.Key()]; f != nil && f.Resized {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s %s other requests or limits than %s template: a resize in place, or admission, has "+
		"changed them. A resize is lost when the pod is created again, unless the new template has it.",
		render.List(names, 4), render.Agree(len(names), "has", "have"), render.Agree(len(names), "its", "their"))}
}

// growing says which volumes of the set's claims are being enlarged, as a dump shows them.
func growing(s *stored.Set) []string {
	if s.Part == nil || s.Live == nil {
		return nil
	}
	var list []string
	for i := range s.Live.Spec.ClaimTemplates {
		for n := range int(s.Live.Spec.Replicas) {
			name := model.ClaimName(s.Live, &s.Live.Spec.ClaimTemplates[i], s.Live.Start()+n)
			r := s.Part.ResizeOf(model.Key{Namespace: s.Key().Namespace, Name: name})
			switch {
			case r == nil:
			case r.Restart && r.Failed == "":
				list = append(list, fmt.Sprintf("The PVC %s asks for %s and has %s: its file system grows when its pod starts "+
					"again.", name, r.Wanted, r.Has))
			default:
				list = append(list, r.String())
			}
		}
	}
	return list
}

func rolloutNotes(s *stored.Set, f *run.Facts, list []string) []string {
	switch {
	case s.Rolls():
		list = append(causes(s, f), list...)
	case s.Live != nil && s.Staged != nil:
		list = append([]string{s.Staged.Why}, list...)
	}
	if s.Live != nil && s.Part == nil {
		list = append(list, s.Assumed()...)
	}
	if note := grown(s); note != "" {
		list = append(list, note)
	}
	if s.Rolls() && s.Wanted.Partition() < s.Live.Partition() && !s.Pair.Live {
		list = append(list, fmt.Sprintf("assumed: all pods run the template of OLD. If only those that its partition "+
			"%d does not hold back do, as in a canary, the change replaces fewer pods: plan from a dump", s.Live.Partition()))
	}
	if s.Cured != "" {
		list = append(list, s.Cured)
	}
	if owner := s.Pair.Operator; owner != nil {
		list = append(list, fmt.Sprintf("the set belongs to %s: its operator writes it, and may undo other changes of it",
			owner))
	}
	if s.Pair.Live && s.Live.Annotations[manifest.LastApplied] == "" {
		list = append(list, "the live object was not created with kubectl apply: a first apply removes nothing from it"+
			s.ByHelm())
	}
	return list
}

// grown says which template the pods get that come with a new template, if the partition holds some of them back.
func grown(s *stored.Set) string {
	if s.Live == nil || !s.Rolls() || s.Wanted.Spec.Replicas <= s.Live.Spec.Replicas {
		return ""
	}
	var old, now []string
	for i := s.Live.Spec.Replicas; i < s.Wanted.Spec.Replicas; i++ {
		ordinal := s.Wanted.Start() + int(i)
		if name := s.Wanted.PodName(ordinal); s.Wanted.BelowPartition(ordinal) {
			old = append(old, name)
		} else {
			now = append(now, name)
		}
	}
	if len(old) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s %s created from the old template, since the partition is %d", render.List(old, 3),
		render.Agree(len(old), "is", "are"), s.Wanted.Partition())
	if len(now) > 0 {
		text += "; " + render.List(now, 3) + render.Agree(len(now), " has", " have") + " the new one"
	}
	return text
}

// renames says of a new set which of those that are gone it may have been.
func renames(in *pair.Input, s *stored.Set) []string {
	if s.Live != nil || s.Wanted == nil {
		return nil
	}
	var notes []string
	for _, gone := range in.Pairs {
		if !gone.Gone() {
			continue
		}
		same := gone.Key.Namespace == s.Pair.Key.Namespace &&
			reflect.DeepEqual(gone.Old.Object.Spec.Selector, s.Pair.New.Object.Spec.Selector)
		what := "name"
		if gone.Key.Name == s.Pair.Key.Name {
			what = "namespace"
		} else if !same {
			continue
		}
		notes = append(notes, fmt.Sprintf("%s is gone from the files: if this is meant to be the same set under another "+
			"%s, it is nevertheless a new set, with new pods and new claims", gone.Key, what))
	}
	return notes
}

func restarts(s *stored.Set, r *run.Run) bool {
	return s.Wanted != nil && s.Rolls() && (s.Fate == stored.Refused || r != nil && len(r.Main.Moves.Of(run.Replaced)) > 0)
}

// mostDrawn is how many keys of Secrets are named before the list is shortened.
const mostDrawn = 4

// redrawn says of a set whose template has a new checksum that each render seems to draw new values of a Secret which
// its pods read. It says that this is the only cause if the template has nothing else new, and nothing else changes
// that a checksum could be of.
func redrawn(in *pair.Input, s *stored.Set) []string {
	if len(in.Drawn) == 0 || s.Live == nil || s.Wanted == nil || !s.Rolls() {
		return nil
	}
	secrets, keys := drawnFor(in, s)
	sums, others := checksums(s.Changes)
	of := slices.IndexFunc(sums, func(name string) bool {
		return strings.Contains(name, "secret") || strings.Contains(name, "password")
	})
	named := render.And(keys)
	if len(keys) > mostDrawn {
		named = render.List(keys, mostDrawn-1)
	}
	seems := "each render of the chart seems to generate " + render.Agree(len(keys), "a new value", "new values") +
		" of " + named + " in " + render.And(secrets)
	avoid := render.Agree(len(keys), "To avoid that, keep the old value: set existingSecret, or let the chart look it up",
		"To avoid that, keep the old values: set existingSecret, or let the chart look them up") +
		" in the cluster (helm template cannot)"
	switch {
	case len(secrets) == 0 || len(sums) == 0:
		return nil
	case others == 0 && nothingElse(in, s):
		return []string{seems + ", and nothing else causes this rollout. " + avoid}
	case of >= 0:
		return []string{seems + ", so " + sums[of] + " changes, and the pods restart, even if nothing else changes. " + avoid}
	}
	return nil
}

// checksums returns the checksums in the annotations of a template that change, and counts the other changes.
func checksums(changes []diff.Change) (names []string, others int) {
	for _, c := range diff.Under(changes, "spec.template.") {
		if strings.Contains(c.Path, ".annotations[") && strings.Contains(c.Names()[0], "checksum") {
			names = append(names, c.Names()[0])
		} else {
			others++
		}
	}
	return names, others
}

func drawnFor(in *pair.Input, s *stored.Set) (secrets, keys []string) {
	read := pair.Reads(s.Newest().Spec.Template, s.Newest().Namespace)
	for _, d := range in.Drawn {
		if slices.Contains(read, d.Thing) {
			secrets, keys = append(secrets, "Secret "+d.Name), append(keys, d.Keys...)
		}
	}
	return secrets, keys
}

// nothingElse says whether drawn Secrets are all that changes of what the pods of a set may read.
func nothingElse(in *pair.Input, s *stored.Set) bool {
	for _, t := range in.Changed {
		if t.Namespace != s.Pair.Key.Namespace || t.Kind != "ConfigMap" && t.Kind != "Secret" {
			continue
		}
		if !slices.ContainsFunc(in.Drawn, func(d *pair.Drawn) bool { return d.Thing == t && d.Alone }) {
			return false
		}
	}
	return true
}

// mounted says which ConfigMaps and Secrets change that pods read which are not created again for it.
func mounted(in *pair.Input, s *stored.Set, r *run.Run) []string {
	if len(in.Changed) == 0 || s.Pair.New == nil || s.Live == nil || restarts(s, r) {
		return nil
	}
	var names []string
	for _, t := range pair.Reads(s.Newest().Spec.Template, s.Newest().Namespace) {
		if slices.Contains(in.Differs, t) && in.Both(t.Kind) {
			names = append(names, t.String())
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: its pods read %s, which %s, but no pod restarts because of that. A mounted "+
		"file changes about a minute later (with subPath: at the next restart), an environment variable at the next restart.",
		s.Pair.Key, render.And(names), render.Agree(len(names), "changes", "change"))}
}
