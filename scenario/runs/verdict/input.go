package verdict

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// mostIgnored is the number of ignored objects up to which they are named one by one.
const mostIgnored = 5

// TellInput says which objects of a file's manifests have no effect, and what in them is probably a mistake. It goes
// to standard error, so that it is no part of a document.
func (p *Run) TellInput(out io.Writer, file string) {
	for _, warning := range p.Warnings {
		fmt.Fprintf(out, "warning: %s\n", warning)
	}
	if len(p.Ignored) <= mostIgnored {
		for _, name := range p.Ignored {
			fmt.Fprintf(out, "%s: %s has no effect and is ignored\n", file, name)
		}
		return
	}
	fmt.Fprintf(out, "%s: %d objects have no effect and are ignored: %s\n", file, len(p.Ignored), countKinds(p.Ignored))
}

// countKinds counts objects, named as Kind NAME, by their kinds, the most first.
func countKinds(names []string) string {
	var kinds []string
	counts := map[string]int{}
	for _, name := range names {
		kind, _, _ := strings.Cut(name, " ")
		if counts[kind]++; counts[kind] == 1 {
			kinds = append(kinds, kind)
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", counts[kind], kind)
	}
	return strings.Join(kinds, ", ")
}
