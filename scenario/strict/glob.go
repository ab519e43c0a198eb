package strict

import (
	"errors"
	"strings"

	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
)

// Glob says whether a pattern is well formed and has nothing that only other dialects know: no name has such
// characters, so a pattern with them would match nothing, and nobody would notice. The error is what would be right;
// nil is a pattern that can be used.
func Glob(pattern string) error {
	if err := glob.Check(pattern); err != nil {
		return err
	}
	switch {
	case strings.Contains(pattern, "[!"), strings.Contains(pattern, "[^"):
		return errors.New("patterns have no negation: write a set as [abc] or [0-9]")
	case strings.ContainsAny(pattern, "{}"):
		return errors.New("patterns have no braces: write a set as [abc] or [0-9]")
	}
	return nil
}
