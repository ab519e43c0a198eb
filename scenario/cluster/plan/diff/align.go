package diff

import (
	"slices"
	"strings"
)

func encodedAll(list []any) []string {
	var texts []string
	for _, item := range list {
		texts = append(texts, encoded(item))
	}
	return texts
}

func permuted(a, b []string) bool {
	return !slices.Equal(a, b) && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// gap is where two lists differ: the items from a to aEnd of the first have become those from b to bEnd of the second.
type gap struct{ a, aEnd, b, bEnd int }

// mostCompared is the number of pairs of items up to which two lists are aligned. Of longer ones, each item is a gap.
const mostCompared = 1 << 20

// gaps aligns two lists by a longest common subsequence, and returns what lies between its items.
func gaps(a, b []string) []gap {
	n, m := len(a), len(b)
	if n*m > mostCompared {
		return inPlace(a, b)
	}
	// common[i][j] is the length of a longest common subsequence of a[i:] and b[j:].
	common := make([][]int, n+1)
	for i := range common {
		common[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var list []gap
	for i, j := 0, 0; i < n || j < m; i, j = i+1, j+1 {
		g := gap{i, i, j, j}
		for i < n && j < m && a[i] != b[j] || i < n != (j < m) {
			if j == m || i < n && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j++
			}
		}
		if g.aEnd, g.bEnd = i, j; g.aEnd > g.a || g.bEnd > g.b {
			list = append(list, g)
		}
	}
	return list
}

func inPlace(a, b []string) []gap {
	var list []gap
	for i := range max(len(a), len(b)) {
		list = append(list, gap{min(i, len(a)), min(i+1, len(a)), min(i, len(b)), min(i+1, len(b))})
	}
	return list
}

// partners returns, for each item of the second list in the gap, the place of the one in the first that it has come
// from; -1 if it is new. An option has come from the same option, anything else from what has its place.
func (g gap) partners(a, b []string) []int {
	partner := make([]int, g.bEnd-g.b)
	next := g.a
	for k := range partner {
		partner[k] = -1
		if name := option(b[g.b+k]); name != "" {
			at := slices.IndexFunc(a[g.a:g.aEnd], func(item string) bool { return option(item) == name })
			if at >= 0 && !slices.Contains(partner[:k], g.a+at) {
				partner[k] = g.a + at
			}
			continue
		}
		for next < g.aEnd && option(a[next]) != "" {
			next++
		}
		if next < g.aEnd {
			partner[k] = next
			next++
		}
	}
	return partner
}

// option returns the name of the option in an argument such as "--name=value", as JSON; "" if it is none.
func option(argument string) string {
	name, _, found := strings.Cut(argument, "=")
	if !found || !strings.HasPrefix(name, `"-`) {
		return ""
	}
	return name
}
