package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Refusal is what the API server says to a change that it does not take.
type Refusal struct {
	// Message is in the API server's words. Changes are the fields that it means.
	Message string   `json:"message"`
	Changes []Change `json:"changes"`
	// Way says how to get there nevertheless. It is not played: that a set adopts pods is not modelled.
	Way string `json:"way"`
}

// around is the way around a refusal.
func around(p *Pair) string {
	return fmt.Sprintf("kubectl -n %s delete statefulset %s --cascade=orphan, and apply: the pods stay and are adopted, "+
		"claims that are there stay as they are (not played: adoption is not modelled)", p.Key.Namespace, p.Key.Name)
}

// mutable are the fields of the spec that every version lets change.
var mutable = []string{
	"spec.replicas", "spec.ordinals", "spec.template", "spec.updateStrategy", "spec.minReadySeconds",
	"spec.persistentVolumeClaimRetentionPolicy",
}

// meant are the changes of fields that may not be changed.
func meant(changes []Change, profile statefulset.Profile) []Change {
	return slices.DeleteFunc(under(changes, "spec."), func(c Change) bool {
		may := func(field string) bool { return c.Path == field || strings.HasPrefix(c.Path, field+".") }
		return slices.ContainsFunc(mutable, may) || profile.MutableHistoryLimit && may("spec.revisionHistoryLimit")
	})
}
