package html

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// played is the run of a scenario, as the command gives it to a page.
func played(t *testing.T, name, text string) *report.Run {
	t.Helper()
	s, err := scenario.Parse("folder/"+name+".yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	return &report.Run{Name: name, File: "folder/" + name + ".yaml", Events: s.Run(scenario.RunOptions{}).Timeline, Source: text,
		StepLines: s.StepLines, FaultLines: s.FaultLines}
}

const crashing = `nodes: 2
until: 10m
steps:
- create: {name: web, replicas: 2, image: "app:v1"}
- create: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}}
- crash: {pod: web-1, again: 3s, times: 3}
- create: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: other}, spec: {replicas: 1, serviceName: db, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: app, image: "db:v1"}]}}}}
`

// said are the words of the bars of a pod from its beginning: what kubectl shows as READY and STATUS, and its RESTARTS.
func said(p *pageData, pod *podData) (words []string) {
	for bars := pod.Bars; len(bars) > 0; bars = bars[barWidth:] {
		words = append(words, fmt.Sprintf("%s %s %d", p.Words[bars[3]], p.Words[bars[4]], bars[9]))
	}
	return slices.Compact(words)
}

// TestCrashes: a bar says what kubectl shows of a pod, also where the pod stays in its state and its container does not.
func TestCrashes(t *testing.T) {
	p := gather([]*report.Run{played(t, "crash", crashing)})
	web := p.Runs[0].Sets[0]
	require.Equal(t, []string{"0/1 Pending 0", "0/1 Running 0", "1/1 Running 0"}, said(&p, &web.Pods[0]))
	require.Equal(t, []string{
		"0/1 Pending 0", "0/1 Running 0", "1/1 Running 0", "0/1 Running 1", "1/1 Running 1", "0/1 CrashLoopBackOff 1",
		"0/1 Running 2", "1/1 Running 2", "0/1 CrashLoopBackOff 2", "0/1 Running 3", "1/1 Running 3",
	}, said(&p, &web.Pods[1]), "the first restart comes at once, the others after a back-off")
}

// TestWhere: steps stand where they do in their file, and sets are called by their namespaces where there are several.
func TestWhere(t *testing.T) {
	run := gather([]*report.Run{played(t, "crash", crashing)}).Runs[0]
	var lines []int
	for _, step := range run.Steps {
		lines = append(lines, step.Line)
	}
	require.Equal(t, []int{4, 5, 6, 7}, lines)
	require.Equal(t, []string{"default/web", "other/db"}, []string{run.Sets[0].Name, run.Sets[1].Name})
	require.Equal(t, []string{"web", "db"}, []string{run.Sets[0].Plain, run.Sets[1].Plain})
	only := gather([]*report.Run{played(t, "one", "steps:\n- create: {name: web, replicas: 1, image: \"app:v1\"}\n")}).Runs[0]
	require.Equal(t, "web", only.Sets[0].Name)
	require.Equal(t, "default/web", only.Sets[0].Key)
}

// TestNeeded: the budget of the size of a set says how many of its pods are needed, from when there is one.
func TestNeeded(t *testing.T) {
	const set = "steps:\n- create: {name: web, replicas: 3, image: \"app:v1\"}\n"
	budget := func(name, most string) string {
		return "- create: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: " + name + "}, spec: {" + most +
			", selector: {matchLabels: {app: web}}}}\n"
	}
	for text, want := range map[string]int{
		set: 0, set + budget("web", "maxUnavailable: 1"): 2, set + budget("web", "minAvailable: 1"): 1,
		set + budget("web", "maxUnavailable: 1") + budget("other", "maxUnavailable: 2"): 0,
		set + budget("web", "maxUnavailable: 1") + "- scale: {replicas: 5}\n":           4,
	} {
		data := gather([]*report.Run{played(t, "budget", text)})
		counts := data.Runs[0].Sets[0].Counts
		require.Equal(t, want, counts[len(counts)-1], text)
	}
}

// TestTitles: several runs are called by their number, and by their file where they are all of one.
func TestTitles(t *testing.T) {
	one, two := played(t, "a", "steps:\n- create: {name: web, replicas: 1, image: \"app:v1\"}\n"), rolled(1, 0)
	title := func(runs ...*report.Run) string {
		_, rest, _ := strings.Cut(write(t, runs...), "<title>")
		text, _, _ := strings.Cut(rest, "</title>")
		return text
	}
	require.Contains(t, title(one), "a")
	require.Contains(t, title(one, two), "2 runs on one axis")
	require.NotContains(t, title(one, two), ": a")
	require.Contains(t, title(one, one, one), "3 runs on one axis: a")
}

// TestThumbnailIsPlain: a thumbnail has no shape without a colour or without a width.
func TestThumbnailIsPlain(t *testing.T) {
	picture := ThumbnailSVG(played(t, "short", crashing+"- delete: statefulset/web\n"))
	require.NotContains(t, picture, `fill=""`)
	require.NotContains(t, picture, "h-0z")
	require.NotContains(t, picture, "NaN")
}
