package html

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestScatter: each point leads to its run, the larger the more it loses, and words of a file are only words.
func TestScatter(t *testing.T) {
	sheet := Sheet{Title: "advice", Header: []string{"Setting"}, Scatter: &Scatter{
		X: "how long", Y: "fewest serving", Of: 5, Points: []Point{
			{Name: "quick", Label: "1", X: time.Minute, Y: 3, Size: 1, Run: 1},
			{Name: `slow"><script>`, Label: "2", X: 2 * time.Minute, Y: 4, Here: true},
		},
	}}
	var b bytes.Buffer
	require.NoError(t, sheet.Write(&b))
	_, figure, _ := strings.Cut(b.String(), `<figure class="scatter">`)
	figure, _, _ = strings.Cut(figure, "</figure>")
	points := regexp.MustCompile(`<a href="[^"]*" aria-label="[^"]*"><circle[^>]*>`).FindAllString(figure, -1)
	require.Equal(t, []string{
		`<a href="#run=1" aria-label="quick"><circle class="point" cx="382" cy="93.2" r="20"/>`,
		`<a href="#rows" aria-label="slow&#34;&gt;&lt;script&gt;"><circle class="point here" cx="694" cy="59.6" r="9"/>`,
	}, points)
	require.NotContains(t, figure, "<script")
}

func TestTicks(t *testing.T) {
	for most, want := range map[int][]int{0: {0}, 1: {0, 1}, 5: {0, 1, 2, 3, 4, 5}, 7: {0, 2, 4, 6, 7}, 100: {0, 20, 40, 60, 80, 100}} {
		require.Equal(t, want, ticksOf(most))
	}
}
