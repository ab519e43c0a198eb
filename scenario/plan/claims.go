package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/plan/diff"
	"github.com/statefulsim/statefulsim/sim/command"
	"github.com/statefulsim/statefulsim/sim/render"
)

// templatesOf returns the names of the claim templates of a set.
func templatesOf(set *model.StatefulSet) []string {
	var names []string
	for _, t := range set.Spec.ClaimTemplates {
		names = append(names, t.Name)
	}
	return names
}

// reclaims returns the names of the claim templates that the change takes away, adds, and leaves or only changes.
func (e *edit) reclaims() (gone, come, kept []string) {
	before, after := templatesOf(e.live), templatesOf(e.wanted)
	for _, name := range before {
		if slices.Contains(after, name) {
			kept = append(kept, name)
		} else {
			gone = append(gone, name)
		}
	}
	come = slices.DeleteFunc(after, func(name string) bool { return slices.Contains(before, name) })
	return gone, come, kept
}

// warnOfClaims adds the alarm about claim templates that go or come: new pods have other volumes than those that run,
// and nothing moves the data.
func (e *edit) warnOfClaims() {
	gone, come, _ := e.reclaims()
	var parts []string
	if len(gone) > 0 && e.live.Spec.Replicas > 0 {
		claims := e.claimsOf(gone)
		parts = append(parts, fmt.Sprintf("the new files lack %s %s, so no new pod uses %s, which %s with the data",
			render.Agree(len(gone), "the claim template", "the claim templates"), render.And(gone), render.List(claims, 4),
			render.Agree(len(claims), "stays", "stay")))
	}
	if len(come) > 0 {
		parts = append(parts, fmt.Sprintf("%s %s %s new, so new pods start with new, empty claims of %s, unless claims of "+
			"these names are left from before", render.Agree(len(come), "the claim template", "the claim templates"),
			render.And(come), render.Agree(len(come), "is", "are"), render.Agree(len(come), "it", "them")))
	}
	if len(parts) > 0 {
		e.set.alarm(TrapClaims, "%s", strings.Join(parts, "; "))
	}
}

// claimsOf returns the names of the claims that templates have given to the pods that run.
func (e *edit) claimsOf(templates []string) []string {
	var names []string
	for i := range e.live.Spec.ClaimTemplates {
		t := &e.live.Spec.ClaimTemplates[i]
		for n := 0; n < int(e.live.Spec.Replicas) && slices.Contains(templates, t.Name); n++ {
			names = append(names, model.ClaimName(e.live, t, e.live.Start()+n))
		}
	}
	return names
}

// claimsAfterwards says what becomes of the claims when the set is created again without its pods, or with them.
func (e *edit) claimsAfterwards() string {
	gone, come, kept := e.reclaims()
	text := ""
	if len(kept) > 0 {
		text = "; existing claims stay as they are" + e.resized()
	}
	if len(gone) > 0 {
		text += "; the claims of " + render.And(gone) + " stay, and no new pod uses them"
	}
	if len(come) > 0 {
		text += "; new pods get new, empty claims of " + render.And(come)
	}
	return text
}

// resized says what a change of claim templates does not do to the claims that exist, and how to do it; "" if none
// changes.
func (e *edit) resized() string {
	var commands []string
	shrinks, others, grown := false, false, false
	for _, c := range diff.Under(e.set.Changes, "spec.volumeClaimTemplates[") {
		switch {
		case c.Old == nil || c.New == nil || !strings.HasSuffix(c.Path, ".requests.storage"):
			others = others || strings.Contains(c.Path, "].")
		case less(c.New, c.Old):
			shrinks = true
		default:
			small, known := e.smaller(c)
			if grown = grown || known && len(small) == 0; !known || len(small) > 0 {
				commands = append(commands, e.enlarge(c, small))
			}
		}
	}
	text := ""
	if others {
		text = ": only new claims follow the new template"
	}
	if len(commands) > 0 {
		text += ", and their volumes keep their size: if the storage class allows volume expansion, patch each claim: " +
			strings.Join(commands, "; ")
	}
	if grown {
		text += ", and they have asked for the new size already"
	}
	if shrinks {
		text += ", and their volumes keep their size, since no volume shrinks"
	}
	return text
}

// less says whether a size is less than another.
func less(a, b any) bool {
	small, err := resource.ParseQuantity(fmt.Sprint(a))
	large, wrong := resource.ParseQuantity(fmt.Sprint(b))
	return err == nil && wrong == nil && small.Cmp(large) < 0
}

// templateOf returns the claim template that a change is of.
func (e *edit) templateOf(c diff.Change) string {
	for _, t := range e.wanted.Spec.ClaimTemplates {
		if strings.Contains(c.Path, "["+t.Name+"]") {
			return t.Name
		}
	}
	return e.wanted.Spec.ClaimTemplates[0].Name
}

// smaller returns the claims of a claim template that ask for less than the new size, which c is. known is false if no
// dump shows the claims.
func (e *edit) smaller(c diff.Change) (claims []string, known bool) {
	if e.part == nil || e.part.Claimless {
		return nil, false
	}
	for i := range int(e.live.Spec.Replicas) {
		name := e.templateOf(c) + "-" + e.live.PodName(e.live.Start()+i)
		claim := e.part.Claim(model.Key{Namespace: e.pair.Key.Namespace, Name: name})
		if claim == nil {
			continue
		}
		known = true
		var spec corev1.PersistentVolumeClaimSpec
		if claim.Data == "" || json.Unmarshal([]byte(claim.Data), &spec) != nil {
			return nil, false
		}
		if asked := spec.Resources.Requests[corev1.ResourceStorage]; less(asked.String(), c.New) {
			claims = append(claims, name)
		}
	}
	return claims, known
}

// enlarge returns the command that gives a claim the new size, which c is: the first of some, or else that of the first
// pod.
func (e *edit) enlarge(c diff.Change, claims []string) string {
	claims = append(claims, e.templateOf(c)+"-"+e.live.PodName(e.live.Start()))
	return command.In(e.key().Namespace, "patch", "pvc", claims[0], "-p",
		`{"spec":{"resources":{"requests":{"storage":`+command.JSON(fmt.Sprint(c.New))+`}}}}`)
}

// assumedClaims says which claims the pod templates of the new sets name, though neither stream has them and no claim
// template makes them: that they are there is not known.
func (in *Input) assumedClaims(edits []*edit) []string {
	const most = 4
	known := func(key model.Key) bool {
		return in.claims[key] || in.claims[model.Key{Name: key.Name}] ||
			in.state != nil && in.state.HasClaim(key)
	}
	var names []string
	for _, e := range edits {
		if e.set == nil || e.pair.New == nil {
			continue
		}
		for _, name := range e.pair.New.ClaimsNamed() {
			key := model.Key{Namespace: e.key().Namespace, Name: name}
			if !known(key) && !slices.ContainsFunc(edits, func(other *edit) bool { return other.makes(key) }) {
				names = append(names, name+" of "+e.key().String())
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Neither OLD nor NEW has the %s %s. Assumed: %s.",
		render.Agree(len(names), "PersistentVolumeClaim", "PersistentVolumeClaims"), render.List(names, most),
		render.Agree(len(names), "it exists and is Bound", "they exist and are Bound"))}
}

// makes says whether a claim template of the set gives a claim its name.
func (e *edit) makes(key model.Key) bool {
	for _, set := range []*model.StatefulSet{e.live, e.wanted} {
		if set == nil || set.Namespace != key.Namespace {
			continue
		}
		_, ordinal := model.SplitPodName(key.Name)
		for i := range set.Spec.ClaimTemplates {
			if model.ClaimName(set, &set.Spec.ClaimTemplates[i], ordinal) == key.Name {
				return true
			}
		}
	}
	return false
}
