package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shards are the parts of a whole that a report has, "3/8", in their order; none is the whole.
type Shards []string

// With adds the shards of another report. The error is that one is there twice.
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

// Settled is none where all parts are there, and the shards as they are where some are missing.
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
