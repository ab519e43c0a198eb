package expect

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// keeps are conditions by how many of their loops are kept.
var keeps = map[string]int{
	"pods.all(p, p.ready)":                                                         1,
	"pods.exists(p, p.available)":                                                  1,
	"pods.exists_one(p, p.state == 'Ready' && p.template == 2)":                    1,
	"pods.filter(p, p.available).size() >= spec.replicas - 1":                      1,
	"size(pods.filter(p, !p.terminating && p.phase in ['Running', 'Failed'])) > 1": 1,
	"pods.filter(serving, serving.ready).size() > ready":                           1,
	"pods.all(p, p.name.startsWith('web-') && [1, 2].exists(t, t == p.template))":  1,
	"spec.replicas > 2 && pods.exists(p, p.ready) && pods.all(q, q.restarts == 0)": 2,
	"pods.all(p, 10 / p.ordinal > 1)":                                              1,
	"pods.exists(p, p.ready && 10 / p.ordinal > 4)":                                1,
	"!pods.exists(p, p.ready) || now > 5":                                          1,
	"pods.all(p, p.age < 7)":                                                       0,
	"pods.all(p, p.template == spec.replicas)":                                     0,
	"pods.all(p, pods.exists(q, q.ready))":                                         1,
	"pods.filter(p, p.ready).all(p, p.ordinal > 0)":                                0,
	"pods.map(p, p.ready).size() > 1":                                              0,
	"pods.map(p, p.ready, p).size() > 1":                                           1,
	"pods.filter(p, p.ready)[0].ordinal == 0":                                      0,
	"type(pods.filter(p, p.ready)) == list":                                        0,
	"pods.all(p, p in pods)":                                                       0,
	"sets['default/web'].pods.all(p, p.ready)":                                     0,
	"pods.filter(p, p.ready).size() == 1 ? pods[0].ready : pods.size() > 1":        1,
	"pods.all(p, [p.ordinal].all(p, p >= 0))":                                      1,
	"[pods.filter(p, p.ordinal > 0)].all(pods, pods.all(p, p.ordinal > 0))":        0,
}

func TestWhichLoopsAreKept(t *testing.T) {
	for text, want := range keeps {
		c := compiled(t, text)
		assert.Len(t, c.Loops, want, text)
		if want > 0 {
			_, _, err := c.Short.Eval(&condition.Activation{
				Fold: folded(stepEvent(0, setOf(3))), Set: folded(stepEvent(0, setOf(3))).Set(web),
				Kept: &condition.Keeper{Loops: c.Loops}, In: &condition.Evaluation{},
			})
			assert.NoError(t, err, text)
		}
	}
}

// TestKeptAgainstPlain: a condition whose loops are kept always says what it says where each fixed point is looked at by
// itself.
func TestKeptAgainstPlain(t *testing.T) {
	conditions := map[string]*condition.Condition{}
	for text := range keeps {
		conditions[text] = compiled(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		events := []timeline.Event{stepEvent(0, setOf(3))}
		for range rapid.IntRange(1, 30).Draw(t, "events") {
			events = append(events, drawKeptEvent(t, events[len(events)-1].T))
		}
		r := newRun(events)
		kept := map[string]*condition.Evaluator{}
		for text, c := range conditions {
			e, problem := r.evaluator(c, web)
			require.Nil(t, problem)
			kept[text] = &e
		}
		seen := 0
		for f := range timeline.Ticks(events) {
			for text, e := range kept {
				for i := seen; i < f.Index; i++ {
					e.Kept.Note(&events[i], web)
				}
				plain := *e.Condition
				plain.Loops = nil
				want, wantErr := evaluatorOf(&plain).At(f)
				got, gotErr := e.At(f)
				require.Equal(t, want, got, "%s at %s", text, clock(f.T))
				require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(gotErr), text)
			}
			seen = f.Index
		}
	})
}

// drawKeptEvent draws an event of a pod, a change of its containers or of its owner, or what drawEvent does.
func drawKeptEvent(t *rapid.T, now model.Time) timeline.Event {
	e := drawEvent(t, now)
	if e.Kind != timeline.KindPod {
		return e
	}
	switch rapid.IntRange(0, 9).Draw(t, "as") {
	case 0:
		e.Kind, e.State = timeline.KindContainer, timeline.NoState
		e.Containers = &model.Containers{Restarts: rapid.IntRange(0, 2).Draw(t, "restarts")}
	case 1:
		e.Kind = timeline.KindOwner
		e.Owned = &timeline.Owned{Change: timeline.OwnerChange(rapid.IntRange(1, 3).Draw(t, "change"))}
	case 2:
		e.Bare = true
	case 3:
		e.UID = model.UID(rapid.IntRange(1, 3).Draw(t, "uid"))
	}
	return e
}

// TestEachQuestionCosts: each pod of which a loop asks something for the first time, or again, costs 1.
func TestEachQuestionCosts(t *testing.T) {
	events := crowd(100)
	r := newRun(events)
	r.meter = &condition.Meter{}
	e, problem := r.evaluator(compiled(t, "pods.filter(p, p.ready).size() <= 1000"), web)
	require.Nil(t, problem)
	f := folded(events...)
	_, err := e.At(f)
	require.NoError(t, err)
	first := r.meter.Spent
	require.Greater(t, first, int64(100), "all pods are asked")
	e.Kept.Note(&events[len(events)-2], web)
	e.Kept.Note(&events[len(events)-3], web)
	e.Seen = nil
	_, err = e.At(f)
	require.NoError(t, err)
	require.Equal(t, first-100+2, r.meter.Spent-first, "two pods are asked again")
}

// TestKeptCost: a condition over 1,000 pods is asked of each pod when it changes, and not of all at each fixed point.
func TestKeptCost(t *testing.T) {
	const pods = 1000
	events := crowd(pods)
	list, problems := Load("f.yaml", []byte("- always: pods.filter(p, p.ready).size() <= 1000\n  since: 1\n"), strict.Limits{}, events)
	require.Empty(t, problems)
	verdicts := JudgeUntil(list, events, Guard{Cost: 6 * pods})
	require.Equal(t, Held, verdicts[0].Outcome, verdicts[0].Detail)
}
