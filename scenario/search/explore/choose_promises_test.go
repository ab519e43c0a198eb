package explore_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
)

// TestPromises: the promises by which runs are judged are the usual ones, all, or those that are named, each of them
// once.
func TestPromises(t *testing.T) {
	var all []promise.Name
	for _, p := range promise.All {
		all = append(all, p.Name)
	}
	stays := []string{string(promise.Stays)}
	for _, c := range []struct {
		all           bool
		only, without []string
		want          []promise.Name
	}{
		{want: promise.Default()}, {all: true, want: all},
		{only: stays, want: []promise.Name{promise.Stays}},
		{all: true, only: stays, want: []promise.Name{promise.Stays}},
		{all: true, without: stays, want: slices.DeleteFunc(slices.Clone(all), func(n promise.Name) bool { return n == promise.Stays })},
	} {
		names, err := explore.Promises(c.only, c.without, c.all)
		require.NoError(t, err)
		require.Equal(t, c.want, names)
	}
}
