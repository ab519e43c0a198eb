package html

import (
	"bytes"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// filled sets every text below a value, and gives every list two entries; a list within one of its own kind has none, as
// it would have no end.
func filled(v reflect.Value, text string, within ...reflect.Type) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		for i := range v.NumField() {
			filled(v.Field(i), text, within...)
		}
	case reflect.Slice:
		if len(within) > 1 && within[len(within)-2] == v.Type() {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			filled(v.Index(i), text, append(within, v.Type())...)
		}
	}
}

// TestSheetHidesNothing: no text of a sheet, wherever it stands, can turn the direction of what follows it.
func TestSheetHidesNothing(t *testing.T) {
	var sheet Sheet
	filled(reflect.ValueOf(&sheet).Elem(), "turn\u202eed")
	sheet.Rows[0].Cells[0].Image, sheet.Rows[0].Cells[0].Href = "", ""
	var page bytes.Buffer
	require.NoError(t, sheet.Write(&page))
	require.Contains(t, page.String(), `turn\u202eed`)
	require.NotContains(t, page.String(), "\u202e")
	require.Equal(t, "turn\u202eed", sheet.Sections[1].Items[1].Commands[1], "the sheet itself stays as it was")
}

// TestEveryStateIsDrawn: a picture shows each state of a pod in another way.
func TestEveryStateIsDrawn(t *testing.T) {
	rects := regexp.MustCompile(`<rect[^>]*>`)
	seen := map[string]timeline.State{}
	for _, state := range []timeline.State{timeline.Pending, timeline.Running, timeline.Ready, timeline.Unready, timeline.Failed,
		timeline.Succeeded, timeline.Terminating} {
		r := &roll{key: model.Key{Namespace: "default", Name: "web"}}
		r.step(1, 1)
		r.pod(timeline.Kubelet, "web-0", 1, state, "")
		r.now = at(5)
		r.add(timeline.Entry{Kind: timeline.KindResult, Result: &timeline.Result{Verdict: timeline.Settled}}.Event())
		drawn := drawing(t, SVG, &report.Run{Name: "x", Events: r.events})
		key := strings.Join(rects.FindAllString(drawn, -1), "")
		require.NotContains(t, seen, key, "%s is drawn like %s", state, seen[key])
		require.Equal(t, state == timeline.Succeeded, strings.Contains(drawn, `opacity="0.45"`), "what has ended well is faint")
		seen[key] = state
	}
}

// TestWaitsAreDrawnOnce: a wait that is recorded again while it lasts is one bar, which ends when the wait does; its end
// without a beginning is none.
func TestWaitsAreDrawnOnce(t *testing.T) {
	r := &roll{key: model.Key{Namespace: "default", Name: "web"}}
	r.step(1, 1)
	r.waits("web-1", "other", true)
	r.waits("web-0", "ordered-replicas", false)
	r.now = at(1)
	r.waits("web-0", "ordered-replicas", false)
	r.now = at(3)
	r.waits("web-0", "ordered-replicas", true)
	r.add(timeline.Entry{Kind: timeline.KindResult, Result: &timeline.Result{Verdict: timeline.Settled}}.Event())
	data := gather([]*report.Run{{Name: "x", Events: r.events}})
	waits := data.Runs[0].Sets[0].Waits
	require.Len(t, waits, 6)
	require.Equal(t, []string{"0", "3"}, []string{string(data.Runs[0].Times[waits[0]]), string(data.Runs[0].Times[waits[1]])})
}

// TestCompareNeedsARun: a page of a comparison needs one run, and one is enough.
func TestCompareNeedsARun(t *testing.T) {
	require.Error(t, Compare(&bytes.Buffer{}, &report.Comparison{}))
	var page bytes.Buffer
	require.NoError(t, Compare(&page, &report.Comparison{Name: "x", Versions: []report.VersionRun{{Version: "1.37", Run: rolled(2, 1)}}}))
	require.Contains(t, page.String(), "1.37")
}

// TestStepsNameTheirSets: a step that removes a set and creates it again, as kubectl replace --force does, names it once.
func TestStepsNameTheirSets(t *testing.T) {
	r := &roll{key: model.Key{Namespace: "default", Name: "web"}}
	r.step(1, 1)
	r.life("web-0", 1)
	r.step(2, 1)
	r.events[len(r.events)-1].Step.Removed = []model.Key{r.key}
	r.add(timeline.Entry{Kind: timeline.KindResult, Result: &timeline.Result{Verdict: timeline.Settled}}.Event())
	data := gather([]*report.Run{{Name: "x", Events: r.events}})
	require.Equal(t, []int{0}, data.Runs[0].Steps[0].Sets)
	require.Equal(t, []int{0}, data.Runs[0].Steps[1].Sets)
}

// TestEveryStopHasItsLines: the data of a page has the lines of the story that belong to each stop.
func TestEveryStopHasItsLines(t *testing.T) {
	data := gather([]*report.Run{rolled(2, 1)})
	run := &data.Runs[0]
	require.Len(t, run.Lines, len(run.Times))
	for stop, lines := range run.Lines {
		require.Zero(t, len(lines)%3)
		require.NotEmpty(t, lines, "stop %d", stop)
		require.NotEmpty(t, data.Words[lines[2]])
	}
}

// TestPathReachesTheLowestPod: the critical path of a picture leads along the lanes of all pods that were waited for, the
// first one too.
func TestPathReachesTheLowestPod(t *testing.T) {
	drawn := regexp.MustCompile(`<path d="(M[^"]*)" fill="none" stroke-linejoin`).FindStringSubmatch(drawing(t, SVG, rolled(2, 1)))
	require.NotNil(t, drawn)
	require.Equal(t, 1, strings.Count(drawn[1], "V"), "from web-1 to web-0: %s", drawn[1])
}
