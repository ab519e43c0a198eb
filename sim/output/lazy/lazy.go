// Package lazy has what is made when it is first used, so that a command that does not need it does not wait for it.
// Everything in it may be used by several goroutines.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that gives the regular expression, which is compiled at its first call. It panics there if
// the expression is wrong.
func Regexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
