package promise

import (
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Waiver is a fact about versions of Kubernetes: they break a promise in a way that has a name and a story. It makes no
// promise softer. Who knows the story and lives with it may waive it, and hear of what is new.
type Waiver struct {
	// Name is its public name: that of the trap in the atlas, if there is one.
	Name    string
	Promise Name
	// Rule and Kind are those of the breach, if they are not "": Kind is how it begins.
	Rule model.Rule
	Kind string
	// From and To are the first and the last minor version that have it; "" is no bound.
	From, To string
	// Says is the story in one sentence, Link the address of the details.
	Says, Link string
}

// Waivers are all that are known.
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
		Says: "the controller creates and deletes one pod of a Parallel StatefulSet without the block rollingUpdate for ever",
		Link: "https://github.com/kubernetes/kubernetes/issues/137409",
	},
	{
		Name: "two-changes", Promise: KeepsServing, Rule: model.RuleRollingUpdate, To: "1.36",
		Says: "a second change during a rollout takes one more pod down than maxUnavailable allows, because the update " +
			"does not wait for a pod that is terminating",
	},
	{
		Name: "scale-down-taken-back", Promise: Arrives, Kind: string(model.StaleClaim), From: "1.23",
		Says: "a replica that is scaled down and up again stays missing: nothing wakes the controller when its " +
			"claim is gone",
		Link: "https://github.com/kubernetes/enhancements/issues/1847",
	},
	{
		Name: "scale-down-taken-back", Promise: Stays, Kind: string(model.StaleClaim), From: "1.23",
		Says: "a replica that is scaled down and up again stays missing until something else wakes the controller",
		Link: "https://github.com/kubernetes/enhancements/issues/1847",
	},
	{
		Name: "claims-lost", Promise: SameClaimAgain, From: "1.23",
		Says: "scaling down deletes the volumes of the removed pods, and scaling up again creates empty ones",
		Link: "https://github.com/kubernetes/enhancements/issues/1847",
	},
	{
		Name: "claims-lost", Promise: ClaimsKept, Kind: "wanted", From: "1.23",
		Says: "the claim of a replica that is scaled up again is deleted, because it belongs to the previous pod",
		Link: "https://github.com/kubernetes/enhancements/issues/1847",
	},
	{
		Name: "budget-of-broken-pods", Promise: Arrives, Kind: string(model.BudgetSpent), From: "1.24",
		Says: "unavailable pods use up maxUnavailable, so a good image is not rolled out",
		Link: "https://github.com/kubernetes/enhancements/issues/961",
	},
}

// WaiverOf returns the waiver of a breach on a version, nil if none is known.
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

// Waived returns the waiver of that name for a promise, nil if there is none. A story may break several promises.
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
	case w.From != "" && w.To != "":
		return w.From + " to " + w.To
	case w.From != "":
		return "from " + w.From
	case w.To != "":
		return "up to " + w.To
	}
	return "every version"
}

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
