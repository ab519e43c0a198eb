package search_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/sim/choose"
)

// machine is a small world to search: a table says for each state and answer which state comes next. Some moves are
// traps.
type machine struct {
	next  [][]int
	traps map[[2]int]string
	steps int
}

func (m *machine) play(r *search.Run) {
	state := 0
	for step := range m.steps {
		if r.State(uint64(state*m.steps + step)) {
			return
		}
		answer := r.Choose(choose.Tie, len(m.next[state]))
		if class := m.traps[[2]int{state, answer}]; class != "" {
			r.Found(search.Finding{Class: class, Detail: fmt.Sprintf("at step %d", step)})
		}
		state = m.next[state][answer]
	}
}

func randomMachine(t *rapid.T) *machine {
	m := &machine{traps: map[[2]int]string{}, steps: rapid.IntRange(1, 7).Draw(t, "steps")}
	states := rapid.IntRange(1, 6).Draw(t, "states")
	for state := range states {
		moves := rapid.SliceOfN(rapid.IntRange(0, states-1), 1, 4).Draw(t, "moves")
		m.next = append(m.next, moves)
		for answer := range moves {
			if rapid.IntRange(0, 9).Draw(t, "trap") == 0 {
				m.traps[[2]int{state, answer}] = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "class")
			}
		}
	}
	return m
}

// deviations counts, by walking over all runs, with how few deviations each class shows.
func (m *machine) deviations(most int) map[string]int {
	least := map[string]int{}
	var walk func(state, step, used int)
	walk = func(state, step, used int) {
		if step == m.steps {
			return
		}
		for answer, next := range m.next[state] {
			now := used
			if answer > 0 {
				now++
			}
			if now > most {
				continue
			}
			if class := m.traps[[2]int{state, answer}]; class != "" {
				if old, found := least[class]; !found || now < old {
					least[class] = now
				}
			}
			walk(next, step+1, now)
		}
	}
	walk(0, 0, 0)
	return least
}

// TestSearchFindsAllThereIs holds the search to a walk over all runs: each class is found, with the fewest deviations
// that show it, whether the search knows states or not.
func TestSearchFindsAllThereIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randomMachine(t)
		most := rapid.IntRange(0, 4).Draw(t, "deviations")
		for _, blind := range []bool{false, true} {
			r := search.Search(search.Options{Subject: m.play, Deviations: most, Runs: 1_000_000, Blind: blind})
			require.Equal(t, most, r.Complete)
			found := map[string]int{}
			for _, f := range r.Found {
				found[f.Class] = len(f.Tape)
			}
			require.Equal(t, m.deviations(most), found, "blind: %v", blind)
		}
	})
}

// TestPartsMakeTheWhole holds what several workers and several shards find to what one does alone, in every count.
func TestPartsMakeTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randomMachine(t)
		o := search.Options{
			Subject: m.play, Deviations: rapid.IntRange(0, 4).Draw(t, "deviations"),
			Runs: rapid.IntRange(1, 400).Draw(t, "runs"), Random: rapid.SampledFrom([]int{0, 25, 100}).Draw(t,
				"random"), Seed: 1,
		}
		whole := search.Search(o)
		require.LessOrEqual(t, whole.First.Plus(whole.Rest).Runs, o.Runs)
		o.Every = atOnce
		require.Equal(t, whole, search.Search(o), "many workers")
		of := rapid.IntRange(2, 9).Draw(t, "shards")
		var merged search.Result
		for i := range of {
			o.Shard = search.Shard{Index: (i + 3) % of, Of: of}
			part, err := search.Search(o), error(nil)
			if i == 0 {
				merged = part
				continue
			}
			merged, err = search.Merge(merged, part)
			require.NoError(t, err)
		}
		require.Equal(t, whole, merged, "%d shards", of)
	})
}

func atOnce(n int, part func(int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { part(i) })
	}
	all.Wait()
}

// TestFindingsPlayAgain plays each finding again, from its token.
func TestFindingsPlayAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randomMachine(t)
		r := search.Search(search.Options{Subject: m.play, Deviations: 2, Runs: 300, Random: 50, Depth: 4})
		for _, f := range r.Found {
			token := search.Token("3f9c2a10ff", f.Tape)
			require.LessOrEqual(t, len(token), search.MaxToken)
			tape, err := search.Tape("3f9c2a10ff", token)
			require.NoError(t, err)
			found, err := search.Play(m.play, nil, tape)
			require.NoError(t, err)
			require.Contains(t, found, f.Finding)
		}
	})
}

// deep hides a trap behind four answers that only chance gives within the runs allowed.
func deep(r *search.Run) {
	hits := 0
	for range 12 {
		if r.Choose(choose.Fault, 2) == 1 {
			hits++
		}
	}
	if hits >= 4 {
		r.Found(search.Finding{Class: "deep", Detail: fmt.Sprint(hits)})
	}
}

func TestRandomSearchGoesDeeperAndShrinks(t *testing.T) {
	r := search.Search(search.Options{Subject: deep, Deviations: 2, Depth: 8, Runs: 2_000, Random: 50})
	require.Len(t, r.Found, 1)
	require.True(t, r.Found[0].Random)
	require.Len(t, r.Found[0].Tape, 4, "what is not needed is left out")
	require.Equal(t, "4", r.Found[0].Detail)
	require.Equal(t, 2, r.Complete)
	require.Equal(t, 2_000, r.First.Runs+r.Rest.Runs, "the number of runs is exact")
	require.InDelta(t, 1/(8*12.0*12*12*12), r.Chance(4), 1e-12)
	require.Zero(t, r.Chance(9))
}

func TestOnlyWhatIsOpenIsSearched(t *testing.T) {
	faults := func(k choose.Kind) bool { return k == choose.Fault }
	subject := func(r *search.Run) {
		require.Zero(t, r.Choose(choose.Tie, 5))
		r.Choose(choose.Fault, 2)
	}
	require.Equal(t, 2, search.Search(search.Options{Subject: subject, Open: faults, Deviations: 3,
		Runs: 100}).First.Runs)
}

// TestTimingsAreTriedAtTheirEnds tries of many quantiles the first, the middle and the last.
func TestTimingsAreTriedAtTheirEnds(t *testing.T) {
	var drawn []int
	subject := func(r *search.Run) { drawn = append(drawn, r.Choose(choose.Timing, 1001)) }
	search.Search(search.Options{Subject: subject, Deviations: 1, Runs: 100, Anew: true})
	require.Equal(t, []int{0, 500, 1000}, drawn)
}

func TestAReplayOfAnotherRunIsRefused(t *testing.T) {
	subject := func(r *search.Run) { r.Choose(choose.Tie, 2) }
	_, err := search.Play(subject, nil, []search.Deviation{{At: 0, Answer: 2}})
	require.ErrorContains(t, err, "question 0 (tie) has 2 answers")
	_, err = search.Play(subject, nil, []search.Deviation{{At: 3, Answer: 1}})
	require.ErrorContains(t, err, "it ended after 1 questions")
}

func TestTokensOfSomethingElse(t *testing.T) {
	good := search.Token("3f9c2a10", []search.Deviation{{At: 6, Answer: 1}, {At: 200, Answer: 12}})
	for token, want := range map[string]string{
		"nonsense":             "is not a token",
		"sx9" + good[3:]:       "of another version",
		"sx1.00000000.GMBA":    "made for another file",
		"sx1.3f9c2a10.0!":      "damaged",
		"sx1.3f9c2a10.74":      "ends in the middle",
		"sx1.3f9c2a10.GAAA":    "1 is not a deviation",
		"sx1.3f9c2a10.GMBAAAI": "is not a deviation",
	} {
		_, err := search.Tape("3f9c2a10", token)
		require.ErrorContains(t, err, want, token)
	}
	require.Empty(t, search.Token("3f9c2a10", make([]search.Deviation, 40)), "too long for a token")
}

func TestMergeRefusesPartsOfDifferentSearches(t *testing.T) {
	_, err := search.Merge(search.Result{First: search.Counts{Runs: 3}},
		search.Result{First: search.Counts{Runs: 4}})
	require.ErrorContains(t, err, "different searches")
}

// TestShardsThatDoNotMakeAWholeAreRefused: two halves of a search and three quarters of it are no whole, even if there
// are as many of them as parts.
func TestShardsThatDoNotMakeAWholeAreRefused(t *testing.T) {
	half := search.Shards{"0/2"}
	for want, other := range map[string]search.Shards{
		"the shard 0/2 occurs twice":          {"0/2"},
		"the shards 0/2 and 1/4 do not fit":   {"1/4"},
		"one of the reports covers the whole": nil,
		"one is of 2 parts, the other of 3":   {"1/3", "2/3"},
	} {
		_, err := half.With(other)
		require.ErrorContains(t, err, want)
	}
	_, err := search.Shards(nil).With(nil)
	require.ErrorContains(t, err, "covers the whole", "a report that is merged with itself")
	all, err := half.With(search.Shards{"1/2"})
	require.NoError(t, err)
	require.Nil(t, all.Settled())
}
