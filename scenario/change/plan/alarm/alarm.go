// Package alarm finds what people should look at before they make a change.
package alarm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/search/atlas"
)

// Alarm is something about a change that people should look at before they make it.
type Alarm struct {
	// Set is the set, NAMESPACE/NAME.
	Set string `json:"set"`
	// Trap names the alarm: one of those that docs/plan.md lists, or a case that ends worse than it does with most
	// sets.
	Trap string `json:"trap"`
	// Sentence says what will happen, without the name of the set and without a full stop.
	Sentence string `json:"sentence"`
	// Before is true if OLD has what the alarm is about too, so that the change does not bring it.
	Before bool `json:"before,omitempty"`
}

// The traps, the worst first.
const (
	TrapFirst       = "first-installation"
	TrapRefused     = "refused"
	TrapVolumes     = "volumes"
	TrapRemoved     = "removed"
	TrapOrdinals    = "ordinals"
	TrapClaims      = "claim-templates"
	TrapMounts      = "claim-mounts"
	TrapUser        = "file-owner"
	TrapScratch     = "pod-data"
	TrapLoop        = "loop"
	TrapStops       = "stops"
	TrapUnavailable = "unavailable"
	TrapNone        = "scaled-to-zero"
	TrapFewer       = "scale-down"
	TrapPartition   = "partition"
	TrapAutoscaler  = "autoscaler"
	TrapNames       = "dns"
	TrapSelector    = "selector"
	TrapBudget      = "budget"
	TrapNotAtRest   = "not-at-rest"
	TrapTimeout     = "timeout"
	TrapRetention   = "volumes-later"
	TrapReady       = "no-readiness-probe"
	TrapPort        = "probe-port"
	TrapGate        = "readiness-gate"
)

// severity is the order of the traps. Cases come before the traps that say how far a plan can be trusted.
var severity = []string{
	TrapNotAtRest, TrapFirst, TrapRefused, TrapVolumes, TrapRemoved, TrapOrdinals, TrapClaims, TrapMounts, TrapUser,
	TrapScratch, TrapLoop, TrapStops, TrapUnavailable, TrapNone, TrapFewer, TrapAutoscaler, TrapNames, TrapSelector,
	TrapBudget, TrapPartition, TrapPort, TrapTimeout, "", TrapRetention, TrapReady, TrapGate,
}

// Rank returns the place of a trap in the order of severity: smaller is worse. Traps of the atlas come before cases,
// the worst first. An unknown trap counts as a case.
func Rank(trap string) int {
	at := slices.Index(severity, trap)
	if at < 0 {
		at = slices.Index(severity, "")
	}
	return at*(len(atlas.Traps)+1) + atlas.Rank(trap)
}

// Rank is that of its trap. Alarms that OLD has too come after those that the change brings.
func (a Alarm) Rank() int {
	if a.Before {
		return Rank(a.Trap) + Lowest()
	}
	return Rank(a.Trap)
}

// Brief is the sentence without what follows from it, for people who may know the alarm.
func (a Alarm) Brief() string {
	switch a.Trap {
	case TrapReady, TrapGate:
		text, _, _ := strings.Cut(a.Sentence, ": ")
		return text
	}
	text, _, _ := strings.Cut(a.Sentence, " Way out: ")
	return strings.TrimSuffix(text, ".")
}

// Lowest is a rank after all traps.
func Lowest() int { return len(severity) * (len(atlas.Traps) + 1) }

// Sorted returns alarms, the worst first.
func Sorted(alarms []Alarm) []Alarm {
	return slices.SortedStableFunc(slices.Values(alarms), func(a, b Alarm) int { return cmp.Compare(a.Rank(), b.Rank()) })
}

// One returns an alarm about a set.
func One(set model.Key, trap, format string, args ...any) Alarm {
	return Alarm{Set: set.String(), Trap: trap, Sentence: fmt.Sprintf(format, args...)}
}

// Subject is a set about which there may be alarms.
type Subject struct {
	*stored.Set
	Input *pair.Input
	// Run is what was played of its change; nil if nothing was.
	Run *run.Run
	// Traps are those of the atlas that the version has.
	Traps []*atlas.Trap
	// Version is the version of Kubernetes.
	Version string
}

func (s *Subject) add(alarms []Alarm, trap, format string, args ...any) []Alarm {
	return append(alarms, One(s.Pair.Key, trap, format, args...))
}

// known marks the last of the alarms as one that OLD has too, if it does.
func known(alarms []Alarm, does bool) []Alarm {
	alarms[len(alarms)-1].Before = does
	return alarms
}
