package sim

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// assumeClaims creates the claims that the template of a set names and that do not exist: a claim that is not from
// volumeClaimTemplates is taken to have been there before the run, with its volume. A claim that the run has had and
// that is gone is not assumed again, nor one whose name a claim template gives.
func (w *World) assumeClaims(set *model.StatefulSet) {
	for i := range set.Spec.Template.Volumes {
		key := model.Key{Namespace: set.Namespace, Name: set.Spec.Template.Volumes[i].Claim}
		if key.Name == "" || w.audit.Claim(key) != nil || w.store.ClaimSet(key).Name != "" || fromTemplates(set, i) {
			continue
		}
		draft := &model.Claim{Meta: model.Meta{Namespace: key.Namespace, Name: key.Name}}
		if _, err := w.store.As(store.By{Actor: timeline.APIServer}).GiveClaim(draft); err != nil {
			panic("sim: the API server refuses the assumed claim " + key.String() + ": " + err.Error())
		}
	}
}

// fromTemplates says whether a volume of the template is replaced by that of a claim template of the same name.
func fromTemplates(set *model.StatefulSet, volume int) bool {
	for i := range set.Spec.ClaimTemplates {
		if set.Spec.ClaimTemplates[i].Name == set.Spec.Template.Volumes[volume].Name {
			return true
		}
	}
	return false
}

// written completes a user's write of a set: if the API server has accepted it, the claims that are assumed for it
// are created, and the result may be kept by the user.
func (u *User) written(set *model.StatefulSet, err *model.APIError) (*model.StatefulSet, *model.APIError) {
	if err == nil {
		u.w.assumeClaims(set)
		u.w.store.Give(set.Key())
	}
	return set, err
}
