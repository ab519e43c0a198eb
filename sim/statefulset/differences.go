package statefulset

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Difference is one thing that versions of Kubernetes do differently. The table of them, Differences, is the only
// place that says what a difference is: the pages about versions, the profiles' documentation and the rules of the
// API server come from it.
//
// A difference is a bool of the profile and stands for one upstream change, never for another one that came with the
// same version: the algorithm asks for what is so, not for when it came.
type Difference struct {
	// Name identifies the difference for people: in versions.go, on the pages about versions, and in the output of sim
	// upgrade. It is unique.
	Name string
	// Of says whose behaviour it is.
	Of Part
	// There says what is so in a version that has the difference, Elsewhere what is so in the others. Both are clauses
	// that begin with a small letter and have no full stop, to be put together by Sentence and Change.
	There, Elsewhere string
	// Links are the pull requests, issues and enhancement proposals that it came with; none if only the code was compared.
	Links []string

	// field returns the profile's own field; no two differences share one.
	field func(*Profile) *bool
	// rules are those of the API server that follow the difference: each is on exactly if the difference is.
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

// rule is a rule of the API server that a difference switches; field finds its place among the rules. on and off are
// the clauses about what the API server does with the rule and without it. If both are "", those of the difference
// apply. APIChanges leaves out a silent rule.
type rule struct {
	field   func(*model.APIRules) *bool
	on, off string
	silent  bool
}

// On says whether the profile has the difference.
func (d Difference) On(p Profile) bool { return *d.field(&p) }

// With returns the profile with the difference applied or reverted. Unlike WithGates it may build a version that
// never existed; sim upgrade uses that to find out which difference is the reason for a change.
func (d Difference) With(p Profile, on bool) Profile {
	*d.field(&p) = on
	return p
}

// Sentence says what is so in a version that has the difference, and what is so in the others.
func (d Difference) Sentence() string { return sentence(d.There, "in other versions", d.Elsewhere) }

// Change says what changes from a version to the next: comes is true if the next one has the difference and the first
// one has not, and false for the other way round.
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

// sentence joins two clauses with a semicolon, and begins with a capital letter unless the first word is the path of
// a field, which keeps its small letter.
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

// Differences lists all that profiles differ in, those of the controller first, each list in the order of first
// versions. A new one is a row in one of the two lists, a field of Profile, and that field in the level of versions.go
// that brings it. It is read only.
var Differences = slices.Concat(controllerDifferences, apiDifferences)
