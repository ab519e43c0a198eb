package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// accessModes are the access modes of the API, in the order of a refusal, and the one that is alone.
var accessModes = []string{"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", onePod}

const onePod = "ReadWriteOncePod"

// claimProblems returns what is wrong with the claim templates of a new set, from 1.34 on.
func claimProblems(templates []model.ClaimTemplate) []string {
	var problems []string
	for i := range templates {
		path := fmt.Sprintf("spec.volumeClaimTemplates[%d].spec", i)
		problems = append(problems, factProblems(templates[i].Facts, path)...)
	}
	return problems
}

// factProblems returns what is wrong with a claim's spec. nil facts have not been read, and count as valid.
func factProblems(facts *model.ClaimFacts, path string) []string {
	if facts == nil {
		return nil
	}
	var wrong model.WrongClaim
	if facts.Wrong != nil {
		wrong = *facts.Wrong
	}
	modes := path + ".accessModes"
	var problems []string
	if len(facts.AccessModes) == 0 {
		problems = append(problems, modes+": Required value: at least 1 access mode is required")
	}
	problems = below(problems, path, wrong.Selector)
	problems = modeProblems(problems, modes, facts.AccessModes)
	problems = sizeProblems(problems, path+".resources[storage]", facts.Storage)
	return below(problems, path, wrong.Rest)
}

// below appends mistakes whose places are relative to the path.
func below(problems []string, path string, wrong []string) []string {
	for _, problem := range wrong {
		problems = append(problems, path+"."+problem)
	}
	return problems
}

// modeProblems adds what is wrong with access modes: an unknown mode, and ReadWriteOncePod together with others.
func modeProblems(problems []string, path string, modes []string) []string {
	others := false
	for _, mode := range modes {
		switch {
		case !slices.Contains(accessModes, mode):
			problems = append(problems, fmt.Sprintf(`%s: Unsupported value: %q: supported values: "%s"`,
				path, mode, strings.Join(accessModes, `", "`)))
		case mode != onePod:
			others = true
		}
	}
	if others && slices.Contains(modes, onePod) {
		problems = append(problems, path+": Forbidden: may not use ReadWriteOncePod with other access modes")
	}
	return problems
}

// sizeProblems adds what is wrong with a size in canonical text. A claim must ask for more than zero.
func sizeProblems(problems []string, path, size string) []string {
	switch {
	case size == "":
		return append(problems, path+": Required value")
	case size == "0" || strings.HasPrefix(size, "-"):
		return append(problems, fmt.Sprintf("%s: Invalid value: %q: must be greater than zero", path, size))
	}
	return problems
}
