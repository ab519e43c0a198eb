package plan

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// named is a set under another name.
func named(name, replicas, image string) string {
	return strings.ReplaceAll(web(replicas, image), "{name: web}", "{name: "+name+"}")
}

// TestWrongAmongOthers: one set that is not valid is told with its place, and the others are planned.
func TestWrongAmongOthers(t *testing.T) {
	before := named("fine", "2", "a:1") + "---\n" + named("less", "2", "a:1") + "---\n" + named("text", "2", "a:1")
	after := named("fine", "2", "a:2") + "---\n" + named("less", "-1", "a:2") + "---\n" + named("text", "two", "a:2")
	plan := plans(t, before, after, &Options{})
	require.Equal(t, 3, plan.Summary.Sets)
	require.Equal(t, [2]int{2, 1}, [2]int{plan.Summary.Refused, plan.Summary.Rolls})
	require.False(t, plan.Settles)
	require.Contains(t, plan.find("less").Refusal.Message, "spec.replicas: Invalid value: -1")
	require.Regexp(t, `^new.yaml:\d+:\d+: spec.replicas is "two"`, plan.find("text").Refusal.Message)
	require.Equal(t, Rolls, plan.find("fine").Does)
	_, err := Read(Stream{Name: "old.yaml", Data: []byte(web("2", "a:1"))},
		Stream{Name: "new.yaml", Data: []byte(web("-1", "a:1"))}, strict.Limits{})
	require.ErrorContains(t, err, "new.yaml:", "where no set is valid there is nothing to be planned")
}

// TestWrongWords: what is wrong with a set is told in its own name, and a question ends an alarm by itself.
func TestWrongWords(t *testing.T) {
	before := named("fine", "2", "a:1") + "---\n" + named("wrong", "2", "a:1")
	unknown := strings.Replace(before, "replicas: 2", "replcas: 2", 1)
	require.Contains(t, textOf(t, plans(t, before, unknown, &Options{})), "did you mean replicas?\n")
	bare := regexp.MustCompile("(?m)^  template:.*\n").ReplaceAllString(named("wrong", "2", "a:1"), "")
	in, err := Read(Stream{Name: "old.yaml", Data: []byte(bare)}, Stream{Name: "new.yaml", Data: []byte(before)}, strict.Limits{})
	require.NoError(t, err)
	plan, err := Of(in, &Options{Profiles: profiles(t, "1.37")})
	require.NoError(t, err)
	require.Contains(t, plan.find("wrong").Refusal.Message, `would not have accepted the set that runs now: StatefulSet.apps "wrong" is invalid`)
}

// TestFolder: the files of a folder are one stream, and each is named where something is wrong in it.
func TestFolder(t *testing.T) {
	folder := Stream{Name: "new", Files: []dump.Source{
		{Name: "new/a.yaml", Data: []byte(named("a", "2", "a:2"))}, {Name: "new/b.yaml", Data: []byte(named("b", "-2", "a:2"))},
	}}
	old := Stream{Name: "old.yaml", Data: []byte(named("a", "2", "a:1") + "---\n" + named("b", "2", "a:1"))}
	in, err := Read(old, folder, strict.Limits{})
	require.NoError(t, err)
	plan, err := Of(in, &Options{Profiles: profiles(t, "1.37")})
	require.NoError(t, err)
	require.Equal(t, Rolls, plan.find("a").Does)
	require.Contains(t, plan.find("b").Refusal.Message, "new/b.yaml:")
}

// TestInAnyOrder: a plan is the same in whatever order its sets are played.
func TestInAnyOrder(t *testing.T) {
	before, after := "", ""
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		before += named(name, "3", "a:1") + "---\n"
		after += named(name, map[string]string{"b": "5", "c": "1"}[name]+"3", "a:2") + "---\n"
	}
	text := func(o *Options) string {
		var b bytes.Buffer
		require.NoError(t, plans(t, before, after, o).Document().Text(&b, render.Style{Width: 100}))
		return b.String()
	}
	backwards := func(n int, work func(int)) {
		for i := range n {
			work(n - 1 - i)
		}
	}
	require.Equal(t, text(&Options{}), text(&Options{Each: backwards}))
}

// TestNamesThatNobodyTakes: an object whose name or namespace no API server takes is no case for a plan.
func TestNamesThatNobodyTakes(t *testing.T) {
	bad := strings.Replace(web("2", "a:1"), "{name: web}", `{name: web, namespace: "x$(touch y)"}`, 1)
	for _, c := range [][2]string{{bad, web("2", "a:1")}, {web("2", "a:1"), bad}} {
		_, err := Read(Stream{Name: "old.yaml", Data: []byte(c[0])}, Stream{Name: "new.yaml", Data: []byte(c[1])}, strict.Limits{})
		require.ErrorContains(t, err, `: metadata.namespace: no API server takes the name "x$(touch y)"`)
	}
}
