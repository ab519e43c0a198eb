package search_test

import (
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/sim/choose"
)

// place is a place in a run of a machine from which other runs continue.
type place struct{ state, step int }

// resumed plays a machine as play does, and lets other runs continue from each of its steps.
func (m *machine) resumed(r *search.Run) {
	at, _ := r.Resumes().(place)
	for ; at.step < m.steps; at.step++ {
		r.Mark(func() any { return at })
		if r.Enough() || r.State(uint64(at.state*m.steps+at.step)) {
			return
		}
		answer := r.Choose(choose.Tie, len(m.next[at.state]))
		if class := m.traps[[2]int{at.state, answer}]; class != "" {
			r.Found(search.Finding{Class: class, Detail: fmt.Sprintf("at step %d", at.step)})
		}
		at.state = m.next[at.state][answer]
	}
}

// TestMarksChangeNothing holds runs that continue from a mark to runs that are played from their beginning.
func TestMarksChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randomMachine(t)
		o := search.Options{
			Subject: m.play, Deviations: rapid.IntRange(0, 4).Draw(t, "deviations"), Runs: rapid.IntRange(0, 400).Draw(t, "runs"),
			Random: rapid.SampledFrom([]int{0, 25}).Draw(t, "random"), Seed: 1, Anew: true,
			Blind: rapid.Bool().Draw(t, "blind"),
		}
		want := search.Search(o)
		o.Subject, o.Anew = m.resumed, false
		require.Equal(t, want, search.Search(o))
	})
}

// switches is a run of so many choices, each of which may continue elsewhere; asked counts all that were made.
func switches(n int, asked *int) search.Subject {
	return func(r *search.Run) {
		at, _ := r.Resumes().(int)
		for ; at < n; at++ {
			r.Mark(func() any { return at })
			if r.Enough() {
				return
			}
			*asked++
			r.Choose(choose.Fault, 2)
		}
	}
}

// TestMarksSaveChoices: a run is played from its last deviation on, and not from its beginning.
func TestMarksSaveChoices(t *testing.T) {
	const n = 40
	asked := 0
	r := search.Search(search.Options{Subject: switches(n, &asked), Deviations: 1, Runs: 1000})
	require.Equal(t, n+1, r.First.Runs)
	// The plain run, once more for its marks, and of each other run what follows from its deviation.
	require.Equal(t, n+n+n*(n+1)/2, asked)

	asked = 0
	search.Search(search.Options{Subject: switches(n, &asked), Deviations: 2, Runs: 100_000})
	want := n + n + n*(n+1)/2
	for i := range n {
		if i < n-1 {
			want += n - i // Once more for its marks, from the mark of the plain run before its deviation.
		}
		want += i * (n - i) // The runs whose second deviation is here.
	}
	require.Equal(t, want, asked)
}

// fingerprint tells answers apart.
func fingerprint(answers []int) uint64 {
	print := uint64(1)
	for _, answer := range answers {
		print = 3*print + uint64(answer)
	}
	return print
}

// TestRandomRunsGoOnFromMarks: a random run that goes on from a mark deviates where it would from its beginning.
func TestRandomRunsGoOnFromMarks(t *testing.T) {
	subject := func(resumes bool) search.Subject {
		return func(r *search.Run) {
			var answers []int
			if saved, is := r.Resumes().([]int); is {
				answers = slices.Clone(saved)
			}
			for len(answers) < 12 {
				if resumes {
					r.Mark(func() any { return slices.Clone(answers) })
				}
				if r.Enough() || r.State(fingerprint(answers)) {
					return
				}
				answers = append(answers, r.Choose(choose.Fault, 3))
				if n := len(answers); n > 2 && answers[n-3]*answers[n-2]*answers[n-1] == 4 {
					r.Found(search.Finding{Class: fmt.Sprint(answers[n-3:], n)})
				}
			}
		}
	}
	o := search.Options{Subject: subject(false), Deviations: 1, Depth: 5, Runs: 3000, Random: 100, Seed: 3, Anew: true}
	want := search.Search(o)
	require.Greater(t, len(want.Found), 10)
	o.Subject, o.Anew = subject(true), false
	require.Equal(t, want, search.Search(o))

	classes := func(r search.Result) (names []string) {
		for _, f := range r.Found {
			names = append(names, f.Class)
		}
		slices.Sort(names)
		return names
	}
	o.Blind = true
	require.Equal(t, classes(want), classes(search.Search(o)), "a run does not stop at a known state before it has deviated")
}

// TestOneGroup: a shard that has only one group is complete as far as that group is.
func TestOneGroup(t *testing.T) {
	asked := 0
	o := search.Options{Subject: switches(5, &asked), Deviations: 3, Runs: 10_000, Shard: search.Shard{Index: 2, Of: search.Groups}}
	require.Equal(t, 3, search.Search(o).Complete)
}

// TestDeviatesUntilTheLast: a run deviates up to its last deviation, and is plain from then on.
func TestDeviatesUntilTheLast(t *testing.T) {
	var says []bool
	subject := func(r *search.Run) {
		for range 4 {
			says = append(says, r.Deviates())
			r.Choose(choose.Tie, 2)
		}
		says = append(says, r.Deviates())
		require.Equal(t, 4, r.Length())
	}
	_, err := search.Play(subject, nil, []search.Deviation{{At: 0, Answer: 1}, {At: 2, Answer: 1}})
	require.NoError(t, err)
	require.Equal(t, []bool{true, true, true, false, false}, says)
}

// TestStopped: a search that is ended from outside ends before its next run, wherever it is, and says so.
func TestStopped(t *testing.T) {
	asked := 0
	o := search.Options{Subject: switches(12, &asked), Deviations: 2, Runs: 1000, Random: 50, Depth: 8, Seed: 1}
	all := search.Search(o)
	require.False(t, all.Stopped)
	require.Positive(t, all.Rest.Random)
	for _, most := range []int{0, 1, 7, 13, 14, 50, 500, 999} {
		left := most
		o.Stop = func() bool { left--; return left < 0 }
		r := search.Search(o)
		require.True(t, r.Stopped, most)
		require.Equal(t, most, r.First.Plus(r.Rest).Runs)
		complete := 1 // The first level has the plain run and one with each deviation.
		if most == 0 {
			complete = -1
		} else if most < 13 {
			complete = 0
		}
		require.Equal(t, complete, min(r.Complete, 1), most)
	}
	for runs, complete := range map[int]int{0: -1, 1: 0, 12: 0, 13: 1} {
		require.Equal(t, complete, search.Search(search.Options{Subject: o.Subject, Deviations: 1, Runs: runs}).Complete, runs)
	}
}

// TestRandomRunsHaveTheirShare: what is kept for the random search is not used up before, and it gets what is left.
func TestRandomRunsHaveTheirShare(t *testing.T) {
	asked := 0
	o := search.Options{Subject: switches(60, &asked), Deviations: 3, Runs: 1061, Seed: 1, Blind: true}
	require.Zero(t, search.Search(o).Rest.Random)
	o.Random = 25
	r := search.Search(o)
	require.Equal(t, 61, r.First.Runs)
	require.Equal(t, 1000, r.Rest.Runs)
	require.InDelta(t, 250, r.Rest.Random, search.Groups, "rounded down in each group")
	require.Equal(t, 3, r.Depth)
	o.Deviations, o.Depth = 2, 1
	require.Equal(t, 1, search.Search(o).Depth)
	o.Deviations = 1
	require.Equal(t, 1000, search.Search(o).Rest.Random)
}

// TestSimplest: of a run that was found at random the deviations that are not needed are left out, and of the answers to
// the others the lowest is kept that shows the same.
func TestSimplest(t *testing.T) {
	longest := 0
	r := search.Search(search.Options{Deviations: 0, Depth: 40, Runs: 9, Random: 100, Seed: 1, Subject: func(r *search.Run) {
		var high []int
		for range 40 {
			if answer := r.Choose(choose.Fault, 6); answer >= 3 {
				high = append(high, answer)
			}
		}
		longest = max(longest, len(high))
		if len(high) >= 2 {
			r.Found(search.Finding{Class: "high", Detail: fmt.Sprint(high)})
			r.Found(search.Finding{Class: "high", Detail: "once more"})
		}
	}})
	require.Greater(t, longest, 8, "chance deviates more often than is needed")
	require.Len(t, r.Found, 1)
	require.Equal(t, "[3 3]", r.Found[0].Detail)
	require.Len(t, r.Found[0].Tape, 2)
	require.Equal(t, 6, r.Widest)
	require.Equal(t, 40, r.Longest)
}

// TestChance: what is deeper than the random runs go is never met; the runs that are needed follow from the chance.
func TestChance(t *testing.T) {
	r := search.Result{Depth: 2, Longest: 10, Widest: 3}
	require.InDelta(t, 1/(2*10.0*2), r.Chance(1), 1e-12)
	require.InDelta(t, 1/(2*100.0*4), r.Chance(2), 1e-12)
	require.Zero(t, r.Chance(3))
	require.Zero(t, (&search.Result{Depth: 2, Widest: 1}).Chance(1), "there is no choice")
	require.InDelta(t, 1/20.0, (&search.Result{Depth: 2, Longest: 10, Widest: 1}).Chance(1), 1e-12)
	// 1-(1-1/40)^119 is more than 95 %, with 118 runs it is less.
	require.InDelta(t, 119, r.RunsFor(1), 0)
	require.Greater(t, r.RunsFor(3), 1e300)
}

// TestShards: the parts of a search are put together in their order, each once, and are the whole when all are there.
func TestShards(t *testing.T) {
	all := search.Shards{"10/12"}
	for _, i := range []int{2, 0, 11, 1, 3, 9, 8, 4, 7, 6, 5} {
		require.Equal(t, all, all.Settled())
		with, err := all.With(search.Shards{search.Shard{Index: i, Of: 12}.String()})
		require.NoError(t, err)
		all = with
	}
	require.Equal(t, "0/12", all[0])
	require.Equal(t, []string{"9/12", "10/12", "11/12"}, []string(all[9:]))
	require.Nil(t, all.Settled())
	_, err := all.With(search.Shards{"3/12"})
	require.ErrorContains(t, err, "the shard 3/12 occurs twice")
}

// TestMerge: what is found in parts is found in the whole, in its shortest run; what one part has not done is not done.
func TestMerge(t *testing.T) {
	found := func(class string, at ...int) search.Found {
		f := search.Found{Finding: search.Finding{Class: class}}
		for _, n := range at {
			f.Tape = append(f.Tape, search.Deviation{At: n, Answer: 1})
		}
		return f
	}
	a := search.Result{Complete: 2, Rest: search.Counts{Runs: 5, Random: 1, States: 2},
		Found: []search.Found{found("x", 3), found("y", 1, 2)}}
	b := search.Result{Complete: 1, Rest: search.Counts{Runs: 7, Random: 2, States: 4}, Stopped: true,
		Found: []search.Found{found("y", 4), found("x", 5), found("z", 0, 9)}}
	for _, pair := range [][2]search.Result{{a, b}, {b, a}} {
		m, err := search.Merge(pair[0], pair[1])
		require.NoError(t, err)
		require.Equal(t, search.Result{Complete: 1, Rest: search.Counts{Runs: 12, Random: 3, States: 6}, Stopped: true,
			Found: []search.Found{found("x", 3), found("y", 4), found("z", 0, 9)}}, m)
	}
	for _, other := range []search.Result{{Longest: 1}, {Widest: 1}, {Depth: 1}, {First: search.Counts{States: 1}}} {
		_, err := search.Merge(search.Result{}, other)
		require.Error(t, err)
	}
}

// TestOrder: runs with fewer deviations come first, then those that deviate earlier, then those with lower answers, and
// what was found systematically before what was found at random.
func TestOrder(t *testing.T) {
	tapes := [][]search.Deviation{
		nil, {{At: 1, Answer: 2}}, {{At: 2, Answer: 1}}, {{At: 2, Answer: 3}}, {{At: 0, Answer: 2}, {At: 1, Answer: 1}},
	}
	require.True(t, slices.IsSortedFunc(tapes, search.CompareTapes))
	for i := range tapes {
		for j := range tapes {
			require.Equal(t, i < j, search.CompareTapes(tapes[i], tapes[j]) < 0)
		}
	}
	require.Negative(t, search.FalseFirst(false, true))
	require.Positive(t, search.FalseFirst(true, false))
	require.Zero(t, search.FalseFirst(true, true))
}

// TestDamagedTokens: numbers that no token has are refused, and not played.
func TestDamagedTokens(t *testing.T) {
	token := func(numbers ...uint64) string {
		var packed []byte
		for _, n := range numbers {
			packed = binary.AppendUvarint(packed, n)
		}
		return "sx1.3f9c2a10." + base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(packed)
	}
	tape, err := search.Tape("3f9c2a10", " "+token(0, 1<<30, 1<<30, 1)+"\n")
	require.NoError(t, err)
	require.Equal(t, []search.Deviation{{At: 0, Answer: 1 << 30}, {At: 1 << 30, Answer: 1}}, tape)
	for _, numbers := range [][]uint64{{1<<30 + 1, 1}, {0, 1<<30 + 1}, {1, 0}, {1}, {1, 1 << 63}} {
		_, err := search.Tape("3f9c2a10", token(numbers...))
		require.ErrorContains(t, err, "1 is not a deviation", numbers)
	}
	_, err = search.Tape("3f9c2a10", token(4, 1, 0, 1))
	require.ErrorContains(t, err, "2 is not a deviation")
	_, err = search.Tape("3f9c2a10", "sx1.3f9c2a10")
	require.ErrorContains(t, err, "is not a token")
	_, err = search.Tape("3f9c2a10", "ab1.3f9c2a10.GMBA")
	require.ErrorContains(t, err, "is not a token")
}
