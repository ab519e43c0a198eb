package explore

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/search/promise"
)

// PromiseNames lists the promises, in their order.
func PromiseNames() []string {
	var names []string
	for _, p := range promise.All {
		names = append(names, string(p.Name))
	}
	return names
}

// WaiverNames returns the names of all waivers, each once, in their order.
func WaiverNames() []string {
	names := []string{Everything}
	for i := range promise.Waivers {
		if name := promise.Waivers[i].Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Promises returns the promises that runs are judged by: those of only, or the usual ones, or all; without those that
// are left out. It is an error if none is left. The order is that of the promises, or of only; one that is named twice
// is in it twice.
func Promises(only, without []string, all bool) ([]promise.Name, error) {
	names := promise.Default()
	if all || len(only) > 0 {
		names = nil
	}
	for _, name := range slices.Concat(only, without) {
		if _, known := promise.Lookup(name); !known {
			return nil, fmt.Errorf("there is no promise %q: the promises are %s", name, strings.Join(PromiseNames(), ", "))
		}
	}
	if all && len(only) == 0 {
		only = PromiseNames()
	}
	for _, name := range only {
		names = append(names, promise.Name(name))
	}
	names = slices.DeleteFunc(names, func(n promise.Name) bool { return slices.Contains(without, string(n)) })
	if len(names) == 0 {
		return nil, errors.New("no promise is left that a run could break")
	}
	return names, nil
}
