package search

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shards are the parts of one search that a report covers, as "3/8": the index and the number of parts, which is the
// same in all of them. They are in order and each is there once. If there are none, the report covers the whole search.
type Shards []string

// With adds the shards of another report of the same search, in any order. It is an error if the reports overlap, or if
// the search was divided into different numbers of parts: the counts of what is merged would not be those of the whole.
func (s Shards) With(other Shards) (Shards, error) {
	if len(s) == 0 || len(other) == 0 {
		return nil, errors.New("one of the reports covers the whole, so there is nothing to add to it: merge the reports " +
			"of --shard")
	}
	for _, shard := range other {
		if slices.Contains(s, shard) {
			return nil, fmt.Errorf("the shard %s occurs twice", shard)
		}
		if of(shard) != of(s[0]) {
			return nil, fmt.Errorf("the shards %s and %s do not fit: one is of %s parts, the other of %s", s[0], shard,
				of(s[0]), of(shard))
		}
	}
	all := slices.Concat(s, other)
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return all, nil
}

// of returns the number of parts of which a shard is one: the N of "I/N".
func of(shard string) string {
	_, of, _ := strings.Cut(shard, "/")
	return of
}

// Settled returns nil if all parts are there, as of a search that was never divided, so that both reports are the same
// byte for byte; otherwise it returns the shards. It relies on With, which adds no shard twice.
func (s Shards) Settled() Shards {
	if len(s) == 0 {
		return nil
	}
	if of(s[0]) == strconv.Itoa(len(s)) {
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
