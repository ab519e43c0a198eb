package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// maxLabel is the greatest length of a DNS label, and of the value of a label of the API.
const maxLabel = 63

// notALabel is the API's message about a text that has another form than a DNS label (apimachinery: IsDNS1123Label).
const notALabel = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
	"start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
	"'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

// tooLong is the API's message about a text with more than maxLabel bytes.
var tooLong = fmt.Sprintf("must be no more than %d characters", maxLabel)

// dnsLabel adds the API's complaints about a text that should be a DNS label. From 1.27, which looks at the names of
// sets, a text with dots has a message of its own.
func dnsLabel(problems []string, field, text string, rules model.APIRules) []string {
	if len(text) > maxLabel {
		problems = append(problems, wrongText(field, text, tooLong))
	}
	switch {
	case isLabel(text):
		return problems
	case rules.LabelName && allOf(strings.Split(text, "."), isLabel):
		return append(problems, wrongText(field, text, "must not contain dots"))
	}
	return append(problems, wrongText(field, text, notALabel))
}

// allOf reports whether something holds for all parts; with no parts it holds.
func allOf(parts []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !holds(part) })
}

// wrongText words a complaint about a text as field.Invalid does, with the text in quotes.
func wrongText(field, text, why string) string {
	return fmt.Sprintf("%s: Invalid value: %q: %s", field, text, why)
}

// isLabel reports whether a text has the form of a DNS label, whatever its length.
func isLabel(text string) bool {
	if text == "" || text[0] == '-' || text[len(text)-1] == '-' {
		return false
	}
	for i := range len(text) {
		if c := text[i]; c-'a' > 'z'-'a' && c-'0' > '9'-'0' && c != '-' {
			return false
		}
	}
	return true
}

// validatePod returns what is wrong with a pod because of the names that it has from its set, in the API's words
// and order. Before the API server checked these names at the creation of a set, a set with dots in its name, or in
// its Service's name, failed here. A set whose name has more than 52 bytes still fails here, because of its
// revision's name in a label.
func validatePod(pod *model.Pod, rules model.APIRules) []string {
	var problems []string
	for _, label := range []string{model.LabelRevision, model.LabelPodName} {
		if value := pod.Labels[label]; len(value) > maxLabel {
			problems = append(problems, wrongText("metadata.labels", value, tooLong))
		}
	}
	if pod.Hostname != "" {
		problems = dnsLabel(problems, "spec.hostname", pod.Hostname, rules)
	}
	if pod.Subdomain != "" {
		problems = dnsLabel(problems, "spec.subdomain", pod.Subdomain, rules)
	}
	if pod.Template != nil {
		for _, problem := range podProblems(pod.Template, rules) {
			// The pod itself is refused in other words than a template.
			problems = append(problems, strings.Replace(problem, "ephemeral containers not allowed in pod template",
				"cannot be set on create", 1))
		}
	}
	return problems
}
