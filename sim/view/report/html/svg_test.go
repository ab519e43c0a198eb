package html

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

func drawing(t *testing.T, draw func(io.Writer, *report.Run) error, run *report.Run) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, draw(&out, run))
	for decoder := xml.NewDecoder(bytes.NewReader(out.Bytes())); ; {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return out.String()
		}
		require.NoError(t, err, "the picture is no XML")
	}
}

// TestSVG compares a picture with its golden file, which is also the place to see what it looks like.
func TestSVG(t *testing.T) {
	got := drawing(t, SVG, stuckRun())
	goldenfile.Equal(t, "testdata/stuck.svg", got)
}

// TestAnimatedSVG holds that an animated picture is the still one with what plays it, once and for no more than the five
// seconds that what cannot be stopped may last, and only for readers who want motion.
func TestAnimatedSVG(t *testing.T) {
	still := strings.TrimSuffix(drawing(t, SVG, stuckRun()), "</svg>\n")
	added, found := strings.CutPrefix(drawing(t, AnimatedSVG, stuckRun()), still)
	require.True(t, found)
	require.NotContains(t, still, "<style>")
	require.Contains(t, added, "@media (prefers-reduced-motion: no-preference){.curtain{animation:open 4.5s linear .5s ")
	require.NotContains(t, added, "infinite")
	outside := regexp.MustCompile(`<g class="curtain"><rect x="961.0"[^>]*><line x1="961.0"[^>]*></g></svg>\n$`)
	require.Regexp(t, outside, added, "where nothing is animated the curtain is outside of the picture")
	require.ErrorContains(t, AnimatedSVG(io.Discard, rolled(MostDrawn+1, 0)), "501 pods")
}

// TestSVGOfAnyRun holds that a hostile run, one with nodes and faults and one that is cut off anywhere are pictures, and
// that a run that is too large is refused.
func TestSVGOfAnyRun(t *testing.T) {
	require.NotContains(t, drawing(t, SVG, hostile()), "<img")
	drawing(t, SVG, troubled())
	whole := rolled(2, 1)
	for n := range len(whole.Events) {
		drawing(t, SVG, &report.Run{Name: "cut off", Events: whole.Events[:n]})
	}
	require.ErrorContains(t, SVG(io.Discard, rolled(MostDrawn+1, 0)), "the run has 501 pods, and a picture has room for 500")
}

// TestScale holds that instants stand in their order, with the creation folded and room for what lasts for ever.
func TestScale(t *testing.T) {
	data := gather([]*report.Run{stuckRun()})
	s := scaleOf(&data.Runs[0], 100, 1100)
	last := 0.0
	for i := range s.times {
		require.GreaterOrEqual(t, s.stop(i), last)
		last = s.stop(i)
	}
	require.InDelta(t, 160, s.at(6), 0.1, "the creation is folded")
	require.InDelta(t, 900, s.at(9), 0.1, "what lasts for ever has a fifth of the width")
	require.Equal(t, []mark{{100, "0s"}, {s.at(6.5), "6.5s"}, {s.at(7), "7s"}}, s.marks()[:3])
	data.Runs[0].End = "0"
	require.InDelta(t, 1, scaleOf(&data.Runs[0], 100, 1100).tail, 0, "where nothing happens the end is all there is")
}

// TestStill holds that a page of a small run has its picture for those who let it have no script.
func TestStill(t *testing.T) {
	require.Contains(t, text(t, write(t, rolled(2, 1)), "<noscript>", "</noscript>"), "web-1 ")
	require.NotContains(t, write(t, rolled(30, 0)), "<svg v")
	for kind, page := range map[string]string{"comparison": compared(t), "sheet": sheetPage(t, rolled(2, 1), stuckRun())} {
		require.Equal(t, 2, strings.Count(page, "<svg v"), kind)
		require.Contains(t, text(t, page, "<noscript>", "</noscript>"), "STUCK at 9s", kind)
	}
	many := []*report.Run{rolled(10, 0), rolled(10, 0), rolled(10, 0)}
	require.Equal(t, 2, strings.Count(write(t, many...), "<svg v"), "as far as there is room")
	require.NotContains(t, lessonPage(t), "<svg v", "which would give the answer away")
}

// TestStripesOfTemplates: what goes away has the stripes of its template's colour; without a template those of the first.
func TestStripesOfTemplates(t *testing.T) {
	for of, want := range map[int]string{0: "stripes1", 1: "stripes1", 2: "stripes2", 6: "stripes6", 7: "stripes1"} {
		var p picture
		p.state(box{w: 2, h: 9}, "Terminating", of)
		require.Contains(t, string(p.drawn()), `fill="url(#`+want+`)"`, of)
	}
}

// TestViewOfNoRun: a scenario that could not be played has its complaint on the page, and no numbers.
func TestViewOfNoRun(t *testing.T) {
	v := viewOf(0, &report.Run{Name: "broken", Complaint: "broken.yaml:1:1: unknown key"}, false)
	require.Equal(t, "broken.yaml:1:1: unknown key", v.Complaint)
	require.Empty(t, v.Numbers)
	require.Empty(t, v.Spent)
	require.NotEmpty(t, viewOf(0, rolled(2, 1), false).Numbers)
}

// TestChartHasRoomForAll: the chart of the pods that serve is as high as the replicas, and not only as those that do.
func TestChartHasRoomForAll(t *testing.T) {
	text := drawing(t, SVG, played(t, "web", "kubelet: {rules: [{match: {ordinal: 3}, ready: never}]}\n"+
		"steps: [{create: {name: web, replicas: 4, image: \"a:1\"}}]\n"))
	require.Regexp(t, `>4</text>`, text)
	require.NotContains(t, text, `>3</text>`)
}
