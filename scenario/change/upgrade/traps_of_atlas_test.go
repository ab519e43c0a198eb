package upgrade

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// rowOf is a case of the only set of a report.
func rowOf(t *testing.T, r *Report, name string) *Row {
	t.Helper()
	require.Len(t, r.Groups, 1)
	for _, row := range r.Groups[0].Rows {
		if row.Case == name {
			return row
		}
	}
	t.Fatalf("no case %s", name)
	return nil
}

// TestYoungPods: 1.37 takes a Parallel set down whole where its pods are younger than minReadySeconds, as the real
// controller does; a report says so, says that it is for the worse, and that nothing serves.
func TestYoungPods(t *testing.T) {
	const parallel = "  replicas: 4\n  podManagementPolicy: Parallel\n"
	for name, spec := range map[string]string{
		"young":    parallel + "  minReadySeconds: 60",
		"together": parallel,
	} {
		r := read(t, setText("web", spec)).Compare(between(t, "1.36", "1.37"))
		require.Equal(t, 1, r.Worse, name)
		row := rowOf(t, r, name)
		require.True(t, row.IsWorse)
		require.Equal(t, [2]int{3, 0}, [2]int{row.Outcomes[0].FewestServing, row.Outcomes[1].FewestServing})
		require.Contains(t, row.Endings[1], "at times none of 4 serves")
		require.Contains(t, row.Advice, "in a step of its own")
		var text bytes.Buffer
		require.NoError(t, r.Document(View{}).Text(&text, render.Style{Width: 120}))
		require.Contains(t, text.String(), "than on 1.36, for the worse")
		require.Contains(t, text.String(), "FOR THE WORSE: ")
		require.Contains(t, strings.Join(strings.Fields(text.String()), " "), "at times none of 4 serves")
	}
	for _, spec := range []string{"  replicas: 4\n  minReadySeconds: 60", "  replicas: 1\n  podManagementPolicy: Parallel"} {
		r := read(t, setText("web", spec)).Compare(between(t, "1.36", "1.37"))
		require.Zero(t, r.Worse, "OrderedReady and a single pod are not affected")
	}
}

// TestUndoneTooSoon: where minReadySeconds have not passed, a second change starts the hot loop of 1.37.
func TestUndoneTooSoon(t *testing.T) {
	const spec = "  replicas: 4\n  podManagementPolicy: Parallel\n  minReadySeconds: 10\n  updateStrategy: {type: RollingUpdate}"
	row := rowOf(t, read(t, setText("web", spec)).Compare(between(t, "1.36", "1.37")), "again")
	require.True(t, row.IsWorse)
	require.Contains(t, row.Endings[1], "never converges")
}

// TestPath: a cluster passes each minor version, and a patch that is worse than the newest one of its minor is named
// together with the one that avoids it.
func TestPath(t *testing.T) {
	o := between(t, "1.33.4", "1.37")
	path := Path(Stop{Name: o.Names[0], Profile: o.From}, Stop{Name: o.Names[1], Profile: o.To}, nil)
	var names []string
	for _, stop := range path {
		names = append(names, stop.Name)
	}
	require.Equal(t, []string{"1.33.4", "1.34", "1.35", "1.36", "1.37"}, names)
	o.Path = path

	const spec = "  replicas: 2\n  podManagementPolicy: Parallel"
	r := read(t, setText("web", spec), setText("quiet", "  replicas: 0")).Compare(o)
	require.Len(t, r.Path, 4)
	worse := map[string]int{}
	for _, hop := range r.Path {
		worse[hop.From+" "+hop.To] = hop.Worse
	}
	require.Equal(t, map[string]int{"1.33.4 1.34": 0, "1.34 1.35": 0, "1.35 1.36": 0, "1.36 1.37": 1}, worse)

	patches := r.Path[0].Patches
	require.Len(t, patches, 1)
	require.Equal(t, "1.34.0 to 1.34.1", patches[0].Versions)
	require.Equal(t, "1.34.2", patches[0].Avoid)
	require.Equal(t, []string{"default/web"}, patches[0].Worse)
	require.Equal(t, []string{"upgrade"}, patches[0].Cases)
	patches = r.Path[1].Patches
	require.Len(t, patches, 1, "two levels that are the same for the sets are told as one")
	require.Equal(t, "1.35.0 to 1.35.3", patches[0].Versions)
	require.Equal(t, "1.35.4", patches[0].Avoid)
	require.Contains(t, patches[0].Cases, "broken")
	require.Empty(t, r.Path[3].Patches)

	var text, markdown bytes.Buffer
	require.NoError(t, r.Document(View{}).Text(&text, render.Style{Width: 120}))
	require.Contains(t, text.String(), "1.36 to 1.37: 1 set behaves differently, for the worse")
	require.Contains(t, text.String(), "avoid 1.35.0 to 1.35.3, take 1.35.4 or later: 1 set is worse off")
	require.NoError(t, r.Document(View{}).Markdown(&markdown))
	require.Contains(t, markdown.String(), "⚠️ avoid 1.34.0 to 1.34.1")

	text.Reset()
	require.NoError(t, r.Document(View{OnlyWorse: true}).Text(&text, render.Style{Width: 120}))
	require.NotContains(t, text.String(), "only the status differs")
	require.Contains(t, text.String(), "FOR THE WORSE")
}

// TestGatesOnTheWay: a gate that a version on the way does not know is not set there.
func TestGatesOnTheWay(t *testing.T) {
	o := between(t, "1.33", "1.37")
	gates := map[string]bool{"StatefulSetSemanticRevisionComparison": false}
	path := Path(Stop{Name: "1.33", Profile: o.From}, Stop{Name: "1.37", Profile: o.To}, gates)
	require.False(t, path[3].Profile.Gate("StatefulSetSemanticRevisionComparison"))
	path = Path(Stop{Name: "1.36", Profile: o.From}, Stop{Name: "1.37", Profile: o.To}, gates)
	require.Len(t, path, 2)
}

// TestPatchesHaveTheGates: the patches of a minor version are compared with the gates that the user set. 1.35.0 to
// 1.35.3 are worse because of a gate that is on by default there, and no worse if it is off.
func TestPatchesHaveTheGates(t *testing.T) {
	for _, c := range []struct {
		gates map[string]bool
		want  int
	}{{nil, 1}, {map[string]bool{"MaxUnavailableStatefulSet": true}, 0}, {map[string]bool{"MaxUnavailableStatefulSet": false}, 0}} {
		o := between(t, "1.34", "1.35")
		var err error
		o.To, err = o.To.WithGates(c.gates)
		require.NoError(t, err)
		o.ToGates = c.gates
		r := read(t, setText("web", "  replicas: 2\n  podManagementPolicy: Parallel")).Compare(o)
		require.Len(t, r.Path[0].Patches, c.want, "%v", c.gates)

		o.To, o.ToGates, o.Names[1] = between(t, "1.34", "1.36").To, nil, "1.36"
		o.Path = Path(Stop{Name: "1.34", Profile: o.From}, Stop{Name: "1.36", Profile: o.To}, c.gates)
		r = read(t, setText("web", "  replicas: 2\n  podManagementPolicy: Parallel")).Compare(o)
		require.Len(t, r.Path[0].Patches, c.want, "on the way: %v", c.gates)
	}
}

// TestLevels: the patches of a minor version that behave alike.
func TestLevels(t *testing.T) {
	var names []string
	for _, l := range levels(35, nil) {
		names = append(names, l.versions())
	}
	require.Equal(t, []string{"1.35.0", "1.35.1 to 1.35.3", "1.35.4 and later"}, names)
	require.Empty(t, levels(7, nil))
}

// TestNames: a long list of sets is cut, unless all are asked for; machines get all of them always.
func TestNames(t *testing.T) {
	var sets []string
	for i := range 30 {
		sets = append(sets, setText("w"+strings.Repeat("x", i), "  replicas: 4\n  podManagementPolicy: Parallel"))
	}
	r := read(t, sets...).Compare(between(t, "1.36", "1.37"))
	require.Len(t, r.Groups[0].Sets, 30)
	var text bytes.Buffer
	require.NoError(t, r.Document(View{}).Text(&text, render.Style{Width: 120}))
	require.Contains(t, text.String(), "and 10 more (--all names them)")
	text.Reset()
	require.NoError(t, r.Document(View{All: true}).Text(&text, render.Style{Width: 120}))
	require.NotContains(t, text.String(), " more ")
	var document bytes.Buffer
	r.Checklist = nil // it names them once more
	require.NoError(t, render.JSON(&document, r))
	for _, set := range r.Groups[0].Sets {
		require.Equal(t, 2, strings.Count(document.String(), `"`+set+`"`), "between the two, and in the one hop")
	}
}

// TestNotAtRest: a set that a dump shows in the midst of something is named, and sets that differ in claims are told
// apart.
func TestNotAtRest(t *testing.T) {
	status := "status: {replicas: 2, readyReplicas: 1, currentRevision: a, updateRevision: a}"
	claims := "  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: " +
		"{requests: {storage: 1Gi}}}}]"
	in := read(t, setText("web", "  replicas: 2\n"+status), setText("db", "  replicas: 2\n"+claims))
	require.Equal(t, []string{"default/web"}, in.Compare(between(t, "1.36", "1.37")).NotAtRest)
	require.Equal(t, "OrderedReady, 2 replicas, 1 claim template", in.Sets[1].Describe())
}

// TestRelease: versions as clusters print them.
func TestRelease(t *testing.T) {
	for version, want := range map[string]string{
		"v1.33.4": "1.33.4", "v1.33.4-gke.100": "1.33.4", "v1.34.1+k3s1": "1.34.1", "1.36": "1.36", "1.37.0-rc.1": "1.37.0",
	} {
		require.Equal(t, want, statefulset.Release(version))
		_, err := statefulset.Lookup(version)
		require.NoError(t, err, version)
	}
	for _, version := range []string{"v", "-", "+1.36", "v2.0", "vv1.36", "1.99", "1.36.999"} {
		_, err := statefulset.Lookup(version)
		require.Error(t, err, version)
	}
}

// TestHeadline: how many sets differ is said in one line, whatever the numbers.
func TestHeadline(t *testing.T) {
	for want, b := range map[string]Between{
		"0 of 1 set behaves differently on B than on A":                            {Alike: 1},
		"0 of 2 sets behave differently on B than on A":                            {Alike: 2},
		"1 of 1 set behaves differently on B than on A":                            {Differing: 1},
		"1 of 2 sets behaves differently on B than on A, for the worse":            {Differing: 1, Alike: 1, Worse: 1},
		"2 of 2 sets behave differently on B than on A, all of them for the worse": {Differing: 2, Worse: 2},
		"2 of 5 sets behave differently on B than on A, 1 of them for the worse":   {Differing: 2, Alike: 3, Worse: 1},
	} {
		b.From, b.To = "A", "B"
		require.Equal(t, want, (&Report{Between: b}).headline())
		require.Equal(t, want+" (interrupted: not all sets were looked at)", (&Report{Between: b, Interrupted: true}).headline())
	}
}

// TestTrapsAreNamed: a set that has the shape of a trap which only the later version has is named after it, in every
// form.
func TestTrapsAreNamed(t *testing.T) {
	const parallel = "  replicas: 3\n  podManagementPolicy: Parallel\n"
	typeOnly := parallel + "  updateStrategy: {type: RollingUpdate}"
	in := read(t, setText("typed", typeOnly), setText("whole", parallel+"  updateStrategy: {rollingUpdate: {partition: 0}}"))
	r := in.Compare(between(t, "1.36", "1.37"))
	named := map[string][]string{}
	for _, g := range r.Path[0].Groups {
		named[g.Sets[0]] = g.Traps
	}
	require.Equal(t, map[string][]string{"default/typed": {"hot-loop"}, "default/whole": nil}, named)
	const says = "can run into the known trap hot-loop, which 1.37 has and 1.36 does not have: The controller creates and deletes one"
	var text, markdown bytes.Buffer
	require.NoError(t, r.Document(View{}).Text(&text, render.Style{Width: 10_000}))
	require.NoError(t, r.Document(View{}).Markdown(&markdown))
	require.Equal(t, 1, strings.Count(text.String(), says))
	require.Equal(t, 1, strings.Count(markdown.String(), says))
	path := between(t, "1.35", "1.37")
	var err error
	path.Path = Path(Stop{Name: "1.35", Profile: path.From}, Stop{Name: "1.37", Profile: path.To}, nil)
	for _, g := range in.Compare(path).Groups {
		require.Equal(t, named[g.Sets[0]], g.Traps, "all hops together have the traps of the last one")
	}

	gated := between(t, "1.36", "1.37")
	gated.To, err = gated.To.WithGates(map[string]bool{"MaxUnavailableStatefulSet": false})
	require.NoError(t, err)
	for _, g := range in.Compare(gated).Groups {
		require.Empty(t, g.Traps, "the atlas knows nothing of versions with other gates")
	}
}
