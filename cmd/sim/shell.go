package main

import (
	"regexp"
	"strings"
)

var harmless = regexp.MustCompile(`^[A-Za-z0-9_./:=,@%+-]+$`)

// commandLine renders a command so that it can be pasted into a shell.
func commandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if !harmless.MatchString(word) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
