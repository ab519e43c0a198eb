package promise

import (
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Waiver is a fact about versions of Kubernetes: they break a promise in a way that has a name and a story. It makes
// no promise softer. A user who knows the story and lives with it may waive it, and then hears only of what is new.
type Waiver struct {
	// Name is its public name: that of the trap in the atlas, if there is one.
	Name    string
	Promise Name
	// Rule and Kind select breaches of the promise; "" selects any. Kind is how the kind of the breach begins.
	Rule model.Rule
	Kind string
	// From and To are the first and the last minor version that have it, "1.37"; "" means no bound. If some of them have
	// it only with a feature gate, Gate is that gate, and Default says in which versions it is on by default: "from 1.27".
	From, To      string
	Gate, Default string
	// Says is the story in one sentence, Link the address of the details.
	Says, Link string
}

// deletion is the feature gate of persistentVolumeClaimRetentionPolicy.
const deletion = "StatefulSetAutoDeletePVC"

// Waivers are all that are known. The first that fits a breach counts, so a narrow one stands before a wide one.
var Waivers = []Waiver{
	{
		Name: "young-pods", Promise: KeepsServing, Rule: model.RuleBrokenFirst, From: "1.37",
		Says: "an update of a Parallel StatefulSet deletes every pod that is Ready but not yet available, whatever " +
			"maxUnavailable says",
		Link: "https://github.com/kubernetes/kubernetes/pull/137666",
	},
	{
		Name: "broken-first", Promise: UpdateFromTheTop, Rule: model.RuleBrokenFirst, From: "1.37",
		Says: "an update of a Parallel StatefulSet deletes unavailable pods first, whatever their ordinals",
		Link: "https://github.com/kubernetes/kubernetes/pull/137666",
	},
	{
		Name: "hot-loop", Promise: ComesToRest, Kind: "livelock: create", From: "1.37",
		Says: "if a Parallel StatefulSet has updateStrategy: {type: RollingUpdate} alone, a missing pod is created at the " +
			"old revision while its ordinal is below status.currentReplicas; the update deletes it at once, because it is " +
			"not available, and replaces no other pod meanwhile, so currentReplicas stays and the pod is created old again",
		Link: "https://github.com/kubernetes/kubernetes/issues/137409",
	},
	{
		Name: "two-changes", Promise: KeepsServing, Rule: model.RuleRollingUpdate, To: "1.36",
		Says: "a second change during a rollout takes one more pod down than maxUnavailable allows: the update goes from " +
			"the highest ordinal down and deletes the first old pod, whatever is down below it",
	},
	{
		Name: "scale-down-taken-back", Promise: Arrives, Kind: string(model.StaleClaim), From: "1.23",
		Gate: deletion, Default: "from 1.27",
		Says: "a replica that is scaled down and up again stays missing: the controller waits until the claim of the " +
			"previous pod is gone, but does not watch claims",
		Link: "https://github.com/kubernetes/enhancements/issues/1847",
	},
	{
		Name: "scale-down-taken-back", Promise: Stays, Kind: string(model.StaleClaim), From: "1.23",
		Gate: deletion, Default: "from 1.27",
		Says: "a replica that is scaled down and up again stays missing until something else makes the controller sync: " +
			"it does not watch claims",
		Link: "https://github.com/kubernetes/enhancements/issues/1847",
	},
	{
		Name: "claims-lost", Promise: SameClaimAgain, From: "1.23", Gate: deletion, Default: "from 1.27",
		Says: "with whenScaled: Delete a scale-down deletes the volumes of the pods that it removes, and scaling up again " +
			"creates empty ones",
		Link: "https://github.com/kubernetes/enhancements/issues/1847",
	},
	{
		Name: "claims-lost", Promise: ClaimsKept, Kind: "wanted", From: "1.23", Gate: deletion, Default: "from 1.27",
		Says: "with whenScaled: Delete a scale-down makes the removed pod the owner of its claim, so that the claim is " +
			"deleted with this pod, even if the replica is wanted again by then",
		Link: "https://github.com/kubernetes/enhancements/issues/1847",
	},
	{
		Name: "budget-of-broken-pods", Promise: Arrives, Kind: string(model.BudgetSpent), From: "1.24",
		Gate: "MaxUnavailableStatefulSet", Default: "1.35.0 to 1.35.3 and from 1.37",
		Says: "unavailable pods use up maxUnavailable, so a good image is not rolled out",
		Link: "https://github.com/kubernetes/enhancements/issues/961",
	},
}

// WaiverOf returns the waiver of a breach on a version (MINOR or MINOR.PATCH), nil if none is known.
func WaiverOf(b *Breach, version string) *Waiver {
	for i := range Waivers {
		w := &Waivers[i]
		if w.Promise == b.Promise && (w.Rule == "" || w.Rule == b.Rule) && strings.HasPrefix(b.Kind, w.Kind) &&
			w.covers(version) {
			return w
		}
	}
	return nil
}

// Waived returns the waiver of that name for a promise, nil if there is none. Several promises
// may have a waiver of one name.
func Waived(name string, of Name) *Waiver {
	for i := range Waivers {
		if Waivers[i].Name == name && Waivers[i].Promise == of {
			return &Waivers[i]
		}
	}
	return nil
}

// Where names the versions: "from 1.37".
func (w *Waiver) Where() string {
	switch {
	case w.Gate != "":
		return w.Default + "; from " + w.From + " with the feature gate " + w.Gate
	case w.From != "" && w.To != "":
		return w.From + " to " + w.To
	case w.From != "":
		return "from " + w.From
	case w.To != "":
		return "up to " + w.To
	}
	return "every version"
}

// covers says whether a version is within From and To, both included. Patches are not looked at.
func (w *Waiver) covers(version string) bool {
	minor := minorOf(version)
	return (w.From == "" || minor >= minorOf(w.From)) && (w.To == "" || minor <= minorOf(w.To))
}

// minorOf returns the 37 of 1.37 and of 1.37.1, -1 if there is none.
func minorOf(version string) int {
	parts := strings.Split(version, ".")
	if len(parts) < 2 {
		return -1
	}
	minor, err := strconv.Atoi(parts[1])
	if err != nil {
		return -1
	}
	return minor
}
