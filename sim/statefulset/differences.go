package statefulset

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Difference is one thing that versions of Kubernetes do differently. Their table, Differences, is the only
// description of a difference: the pages about versions, the profiles' documentation and the rules of the API
// server come from it.
//
// A difference is a bool of the profile and represents one upstream change, never another one that came with the
// same version: the algorithm asks what is true, not since when.
type Difference struct {
	// Name identifies the difference for people: in versions.go, on the pages about versions, and in the output of sim
	// upgrade. It is unique.
	Name string
	// Of says whose behaviour it is.
	Of Part
	// There is what is true in a version that has the difference, Elsewhere what is true in the others. Both are
	// clauses that start with a lower-case letter and have no full stop; Sentence and Change put them together.
	There, Elsewhere string
	// Links are the pull requests, issues and enhancement proposals that it came with; none if only the code was compared.
	Links []string

	// field returns the profile's own field; no two differences share one.
	field func(*Profile) *bool
	// rules are the API server rules that follow the difference: each is on exactly if the difference is.
	rules []rule
}

// Part is a part of the control plane, or both of them.
type Part uint8

// The parts whose behaviour differs. A feature gate may switch something in both.
const (
	Controller Part = 1 << iota
	APIServer
)

// String names the part.
func (p Part) String() string {
	return [...]string{Controller: "controller", APIServer: "API server", Controller | APIServer: "both"}[p]
}

// rule is a rule of the API server that a difference switches; field finds its place among the rules. on and off
// are the clauses about the API server with and without the rule. If both are "", the clauses of the difference
// apply. APIChanges leaves out a silent rule.
type rule struct {
	field   func(*model.APIRules) *bool
	on, off string
	silent  bool
}

// On reports whether the profile has the difference.
func (d Difference) On(p Profile) bool { return *d.field(&p) }

// With returns the profile with the difference applied or reverted. Unlike WithGates it may build a version that
// never existed; sim upgrade uses that to find out which difference is the reason for a change.
func (d Difference) With(p Profile, on bool) Profile {
	*d.field(&p) = on
	return p
}

// Sentence describes a version that has the difference, and then the other versions.
func (d Difference) Sentence() string { return sentence(d.There, "in other versions", d.Elsewhere) }

// Change describes the change from a version to the next: comes is true if the next one has the difference and the
// first one has not, and false for the reverse.
func (d Difference) Change(comes bool) string {
	if comes {
		return sentence(d.There, "before:", d.Elsewhere)
	}
	return sentence(d.Elsewhere, "before:", d.There)
}

// change is Change for the rule, with its own clauses if it has any.
func (r *rule) change(d *Difference, comes bool) string {
	switch {
	case r.on == "":
		return d.Change(comes)
	case comes:
		return sentence(r.on, "before:", r.off)
	}
	return sentence(r.off, "before:", r.on)
}

// sentence joins two clauses with a semicolon, and capitalizes the first letter unless the first word is the path
// of a field, which stays in lower case.
func sentence(first, link, second string) string {
	if word, _, _ := strings.Cut(first, " "); !strings.Contains(word, ".") {
		first = strings.ToUpper(first[:1]) + first[1:]
	}
	return first + "; " + link + " " + second + "."
}

const (
	pull  = "https://github.com/kubernetes/kubernetes/pull/"
	issue = "https://github.com/kubernetes/kubernetes/issues/"
	kep   = "https://github.com/kubernetes/enhancements/issues/"
)

const (
	maxUnavailableField = "spec.updateStrategy.rollingUpdate.maxUnavailable"
	retentionField      = "spec.persistentVolumeClaimRetentionPolicy"
)

// Differences lists all differences between profiles, the controller's first, each list in the order of first
// versions. A new one is a row in one of the two lists, a field of Profile, and that field in the level of
// versions.go that introduces it. It is read only.
var Differences = slices.Concat(controllerDifferences, apiDifferences)
