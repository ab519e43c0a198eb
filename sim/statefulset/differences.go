package statefulset

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Difference is one thing that versions of Kubernetes do differently. The table of them, Differences, is the only place
// that says what a difference is: the pages about versions, the profiles' documentation and the rules that the API
// server is given are made from it.
type Difference struct {
	// Name is the difference's own word.
	Name string
	// Of says whose behaviour it is.
	Of Part
	// There says what is so in a version that has the difference, Elsewhere what is so in the others: clauses, to be put
	// together by Sentence and Change.
	There, Elsewhere string
	// Links are the pull requests and enhancement proposals that it came with.
	Links []string

	field func(*Profile) *bool
	// rules sets what the difference changes in the API server.
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

// rule is a rule of the API server that a difference switches. The clauses say what the API server does with the rule
// on and with it off. Without clauses, those of the difference apply; a silent rule needs none.
type rule struct {
	field   func(*model.APIRules) *bool
	on, off string
	silent  bool
}

// On says whether the profile has the difference.
func (d Difference) On(p Profile) bool { return *d.field(&p) }

// With returns the profile with the difference applied or reverted.
func (d Difference) With(p Profile, on bool) Profile {
	*d.field(&p) = on
	return p
}

// Sentence says what is so in a version that has the difference, and what is so in the others.
func (d Difference) Sentence() string { return sentence(d.There, "otherwise", d.Elsewhere) }

// Change says what changes where the difference comes, or where it goes.
func (d Difference) Change(comes bool) string {
	if comes {
		return sentence(d.There, "before:", d.Elsewhere)
	}
	return sentence(d.Elsewhere, "before:", d.There)
}

func (r *rule) change(d *Difference, comes bool) string {
	switch {
	case r.on == "":
		return d.Change(comes)
	case comes:
		return sentence(r.on, "before:", r.off)
	}
	return sentence(r.off, "before:", r.on)
}

// sentence joins two clauses. The path of a field keeps its small letter.
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

// Differences lists all that profiles differ in. A new one is a row in one of the two lists, a field of Profile, and
// its name in the level of versions.go that brings it.
var Differences = slices.Concat(controllerDifferences, apiDifferences)
