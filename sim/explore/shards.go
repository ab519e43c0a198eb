package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shards are the parts that a report covers, "3/8", in order; if there are none, it covers everything.
type Shards []string

// With adds the shards of another report. It is an error if one of them is in both.
func (s Shards) With(other Shards) (Shards, error) {
	for _, shard := range other {
		if slices.Contains(s, shard) {
			return nil, fmt.Errorf("the shard %s is there twice", shard)
		}
	}
	all := slices.Concat(s, other)
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return all, nil
}

// Settled returns no shards if all parts are there, and the shards themselves if some are missing.
func (s Shards) Settled() Shards {
	if len(s) == 0 {
		return nil
	}
	if _, of, _ := strings.Cut(s[0], "/"); of == strconv.Itoa(len(s)) {
		return nil
	}
	return s
}

// FalseFirst orders false before true.
func FalseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
