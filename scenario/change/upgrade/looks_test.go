package upgrade

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestGroupsOneByOne: up to some number of groups each is described by itself, in text and in Markdown; more are told
// by what they do differently.
func TestGroupsOneByOne(t *testing.T) {
	for _, groups := range []int{manyGroups, manyGroups + 1} {
		sets := ""
		for i := range groups {
			sets += setText(fmt.Sprintf("s%02d", i), fmt.Sprintf("  replicas: %d\n  podManagementPolicy: Parallel", i+2))
		}
		r := read(t, sets).Compare(between(t, "1.36", "1.37"))
		require.Len(t, r.Groups, groups)
		var text, markdown bytes.Buffer
		require.NoError(t, r.Document(View{}).Text(&text, render.Style{Width: 120}))
		require.NoError(t, r.Document(View{}).Markdown(&markdown))
		told, marked := 0, 0
		for _, g := range r.Groups {
			told += strings.Count(text.String(), "\n  "+g.Description+"\n")
			marked += strings.Count(markdown.String(), g.Description)
		}
		require.Equal(t, []bool{groups == manyGroups, groups == manyGroups}, []bool{told == groups, marked == groups})
	}
}

// TestWorseIsRed: what the upgrade does for the worse stands out, to a set that is not at rest and to many groups.
func TestWorseIsRed(t *testing.T) {
	in := read(t, young(t))
	require.NoError(t, in.ReadState(strict.Limits{}))
	var text bytes.Buffer
	require.NoError(t, in.Compare(between(t, "1.36", "1.37")).Document(View{}).Text(&text, render.Style{Width: 1000, Color: true}))
	_, moving, found := strings.Cut(text.String(), notAtRest)
	require.True(t, found)
	red := map[string]bool{}
	for line := range strings.Lines(moving) {
		for _, set := range []string{"default/able", "default/web"} {
			if _, known := red[set]; !known && strings.Contains(line, set+": ") {
				red[set] = strings.Contains(line, "\x1b[31m")
			}
		}
	}
	require.Equal(t, map[string]bool{"default/able": false, "default/web": true}, red)

	text.Reset()
	sets := ""
	for i := range manyGroups + 1 {
		sets += setText(fmt.Sprintf("s%02d", i), fmt.Sprintf("  replicas: %d\n  podManagementPolicy: Parallel", i+2))
	}
	require.NoError(t, read(t, sets).Compare(between(t, "1.36", "1.37")).Document(View{}).Text(&text, render.Style{Width: 1000, Color: true}))
	found = false
	for line := range strings.Lines(text.String()) {
		if strings.Contains(line, "FOR THE WORSE") {
			found = true
			require.Contains(t, line, "\x1b[31m")
		}
	}
	require.True(t, found)
}

// TestHeadlineIsRedWhereSomethingDiffers, and green where all is the same.
func TestHeadlineIsRedWhereSomethingDiffers(t *testing.T) {
	for pair, colour := range map[[2]string]string{{"1.36", "1.37"}: "\x1b[31m", {"1.37", "1.37"}: "\x1b[32m"} {
		var text bytes.Buffer
		sets := setText("web", "  replicas: 3\n  podManagementPolicy: Parallel")
		require.NoError(t, read(t, sets).Compare(between(t, pair[0], pair[1])).Document(View{}).Text(&text, render.Style{Width: 1000, Color: true}))
		require.Contains(t, strings.Split(text.String(), "\n")[1], colour, "%v", pair)
	}
}
