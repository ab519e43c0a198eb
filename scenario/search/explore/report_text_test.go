package explore_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestReportText compares what is printed of searches, with findings of every kind and without, with
// testdata/report.txt.
func TestReportText(t *testing.T) {
	tape := func(at ...int) (tape []search.Deviation) {
		for _, n := range at {
			tape = append(tape, search.Deviation{At: n, Answer: 1})
		}
		return tape
	}
	twins := &explore.Found{Promise: "one-process-an-identity", Kubernetes: "1.37", Deviations: 2, Runs: 31, Tape: tape(3, 9),
		Class: "twins", Breaks: []string{"stays", "twins"},
		Says: "two processes of web-0 run", Token: "TOKEN2", Lines: []explore.Line{
			{Says: "all run long: the network is slow", Deviates: "not in the plain run"},
			{At: "0s", Serving: "0 of 1", Says: "you create web"},
			{At: "1m04s", Serving: "0 of 1", Says: "its node falls silent", Deviates: "not in the plain run"},
			{At: "1m04s", Serving: "0 of 1", Says: "another sync would create web-0", Breaks: "stays"},
			{At: "1m05s", Serving: "0 of 1", Says: "a status is wrong", Breaks: "status-counts"},
			{At: "1m06s", Serving: "1 of 1", Says: "two processes of web-0 run", Breaks: "one-process-an-identity"},
		}}
	stays := &explore.Found{Promise: "stays", Kubernetes: "1.37", Deviations: 2, Runs: 31, Tape: tape(3, 9), Class: "stays",
		Breaks: []string{"stays"}, Says: "another sync would create web-0", Token: "TOKEN2",
		Lines: []explore.Line{{At: "0s", Says: "this line is not printed: the story of the other finding has all"}}}
	loop := &explore.Found{Promise: "comes-to-rest", Kubernetes: "1.37", Deviations: 1, Runs: 1, Tape: tape(2), Known: "hot-loop",
		Says: "the controller never comes to rest", Token: "TOKEN1", Scenario: "steps:\n- create: {name: web}\n"}
	late := &explore.Found{Promise: "keeps-serving", Kubernetes: "1.36", Deviations: 3, Runs: 200, Tape: tape(1, 2, 3), Says: "one pod too few serves", Random: true}
	part := func(found ...*explore.Found) *explore.Part {
		return &explore.Part{File: "web.yaml", Kubernetes: "1.37", Found: found, Result: search.Result{
			First: search.Counts{Runs: 20, States: 7}, Rest: search.Counts{Runs: 80, States: 14}, Complete: 1, Longest: 9, Widest: 3}}
	}
	random := part()
	random.Kubernetes, random.Result.Complete, random.Result.Stopped, random.Shards = "1.36", 2, true, search.Shards{"1/3", "3/3"}
	random.Result.Rest.Random, random.Result.Depth = 40, 3
	shallow := part()
	shallow.Result.Rest.Random, shallow.Result.Depth = 40, 1
	var text bytes.Buffer
	for _, c := range []struct {
		name  string
		parts []*explore.Part
		waive []string
	}{
		{"nothing is found", []*explore.Part{part()}, nil},
		{"one finding", []*explore.Part{part(loop)}, nil},
		{"three findings, the grave ones first, in two parts", []*explore.Part{part(late, loop, twins), random}, nil},
		{"one of them is waived", []*explore.Part{part(late, loop, twins), shallow}, []string{"hot-loop"}},
		{"another name is waived", []*explore.Part{part(loop)}, []string{"young-pods"}},
		{"all that is known is waived, and that is all", []*explore.Part{part(loop), random}, []string{explore.Everything}},
		{"one run breaks two promises", []*explore.Part{part(stays, twins)}, nil},
		{"what is not known is not waived", []*explore.Part{part(twins)}, []string{explore.Everything}},
	} {
		r := explore.NewReport(c.parts)
		r.Waive(c.waive)
		command := func(f *explore.Found) string { return "sim explore --again " + f.Token }
		fmt.Fprintf(&text, "# %s\n\n%s\n%+v\n\n", c.name, r.Headline(), r.Searched)
		require.NoError(t, explore.Text(&text, r, render.Style{Width: 100}, command))
		text.WriteString("\n")
		require.NoError(t, r.Document(command).Markdown(&text))
		text.WriteString("\n")
	}
	goldenfile.Equal(t, "testdata/report.txt", text.Bytes())
}
