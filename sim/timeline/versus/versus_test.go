package versus

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

var web = model.Key{Namespace: "default", Name: "web"}

// seconds is an instant.
func seconds(n int) model.Time { return model.Time(0).Add(time.Duration(n) * time.Second) }

// pod is a pod's change of state by the controller.
func pod(t int, name string, template int, state timeline.State) timeline.Event {
	return timeline.Entry{
		T: seconds(t), Kind: timeline.KindPod, Actor: timeline.Controller, Set: web, Pod: name, Template: template,
		State: state, Why: model.Why{Code: model.CodeUpdateRevision, Object: name, Rule: model.RuleRollingUpdate},
	}.Event()
}

func step(t, number int, effect timeline.Effect, refusal string) timeline.Event {
	return timeline.Entry{T: seconds(t), Kind: timeline.KindStep, Actor: timeline.User, Step: &timeline.Step{
		Number: number, Verb: "patch", Does: "change web", Effect: effect, Refusal: refusal,
	}}.Event()
}

func reported(t int, updated int32) timeline.Event {
	return timeline.Entry{T: seconds(t), Kind: timeline.KindStatus, Set: web, Status: &model.Status{Updated: updated}}.Event()
}

func wait(t int, ended bool) timeline.Event {
	return timeline.Entry{
		T: seconds(t), Kind: timeline.KindWait, Set: web, Wait: &timeline.Wait{Ended: ended},
		Why: model.Why{Code: model.WaitingForReady, Object: "web-1", Rule: model.RuleRollingUpdate},
	}.Event()
}

// by is the same event, caused by somebody else.
func by(actor timeline.Actor, e timeline.Event) timeline.Event {
	e.Actor = actor
	return e
}

func result(t int, verdict timeline.Verdict) timeline.Event {
	return timeline.Entry{T: seconds(t), Kind: timeline.KindResult, Result: &timeline.Result{Verdict: verdict}}.Event()
}

// TestFind holds on which level and where two runs part, and what is told of each.
func TestFind(t *testing.T) {
	begin := []timeline.Event{
		timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{}}.Event(), step(0, 1, timeline.Created, ""), pod(0, "web-0", 1, timeline.Pending),
	}
	tests := []struct {
		name  string
		a, b  []timeline.Event
		level Level
		at    int
		does  [2]string
	}{
		{
			name: "a pod more",
			a:    []timeline.Event{wait(4, false), result(9, timeline.Settled)},
			b:    []timeline.Event{pod(5, "web-1", 1, timeline.Terminating), result(9, timeline.Settled)},
			at:   5,
			does: [2]string{
				"waits: web-1 is not Running and Ready; the rolling update does not move to lower ordinals until it is (WaitingForReady, rule rolling-update)",
				"deletes web-1@1 because web-1 is at an old revision, and all higher ordinals are up to date (UpdateRevision, rule rolling-update)",
			},
		},
		{
			name: "nothing is waited for any more",
			a:    []timeline.Event{wait(3, false), wait(4, true), result(9, timeline.Settled)},
			b:    []timeline.Event{pod(5, "web-1", 1, timeline.Failed), result(9, timeline.Settled)},
			at:   5,
			does: [2]string{"does nothing here", "has web-1@1 Failed"},
		},
		{
			name: "later",
			a:    []timeline.Event{pod(5, "web-1", 1, timeline.Ready), result(9, timeline.Settled)},
			b:    []timeline.Event{pod(6, "web-1", 1, timeline.Ready), result(9, timeline.Settled)},
			at:   5,
			does: [2]string{"has web-1@1 Ready", "does nothing here"},
		},
		{
			name: "a step that acts earlier",
			a:    []timeline.Event{step(5, 2, timeline.Configured, "")},
			b:    []timeline.Event{step(6, 2, timeline.Configured, "")},
			at:   5,
			does: [2]string{"has nothing left to do, so that step 2 (change web) acts", "does nothing here"},
		},
		{
			name: "a refusal",
			a:    []timeline.Event{step(5, 2, timeline.Configured, "")},
			b:    []timeline.Event{step(5, 2, timeline.Refused, "invalid")},
			at:   5,
			does: [2]string{"has nothing left to do, so that step 2 (change web) acts", "refuses step 2: invalid"},
		},
		{
			name: "the words of a refusal",
			a:    []timeline.Event{step(5, 2, timeline.Refused, "forbidden")},
			b:    []timeline.Event{step(5, 2, timeline.Refused, "invalid")},
			at:   5, level: Words,
			does: [2]string{"refuses the step with: forbidden", "refuses the step with: invalid"},
		},
		{
			name: "the end",
			a:    []timeline.Event{result(9, timeline.Settled)},
			b:    []timeline.Event{result(9, timeline.Livelock)},
			at:   9,
			does: [2]string{"does nothing here", "ends as livelock"},
		},
		{
			name: "one of them ends with a step that both take",
			a:    []timeline.Event{step(5, 2, timeline.Configured, ""), result(5, timeline.Livelock)},
			b:    []timeline.Event{step(5, 2, timeline.Configured, ""), pod(7, "web-1", 1, timeline.Ready)},
			at:   5,
			does: [2]string{"ends there as livelock", "goes on"},
		},
		{
			name: "one of them ends with a step, and the other deletes a pod with it",
			a:    []timeline.Event{step(5, 2, timeline.Configured, ""), result(5, timeline.Livelock)},
			b:    []timeline.Event{step(5, 2, timeline.Configured, ""), pod(5, "web-1", 1, timeline.Failed)},
			at:   5,
			does: [2]string{"ends as livelock", "has web-1@1 Failed"},
		},
		{
			name: "one of them ends well with what both do",
			a:    []timeline.Event{pod(5, "web-1", 1, timeline.Ready), result(5, timeline.Settled)},
			b:    []timeline.Event{pod(5, "web-1", 1, timeline.Ready), pod(7, "web-1", 1, timeline.Failed), result(7, timeline.Settled)},
			at:   7,
			does: [2]string{"does nothing here", "has web-1@1 Failed"},
		},
		{
			name: "of what both do, nothing is told",
			a:    []timeline.Event{pod(5, "web-0", 1, timeline.Failed), pod(5, "web-0", 1, timeline.Failed)},
			b:    []timeline.Event{pod(5, "web-0", 1, timeline.Failed), pod(5, "web-1", 1, timeline.Ready)},
			at:   5,
			does: [2]string{"has web-0@1 Failed", "has web-1@1 Ready"},
		},
		{
			name: "the words of a later refusal",
			a:    []timeline.Event{step(5, 2, timeline.Refused, "forbidden"), step(6, 3, timeline.Refused, "invalid")},
			b:    []timeline.Event{step(5, 2, timeline.Refused, "forbidden"), step(6, 3, timeline.Refused, "conflict")},
			at:   6, level: Words,
			does: [2]string{"refuses the step with: invalid", "refuses the step with: conflict"},
		},
		{
			name: "a user deletes the pod",
			a:    []timeline.Event{by(timeline.User, pod(5, "web-1", 1, timeline.Terminating))},
			b:    []timeline.Event{by(timeline.Controller, pod(5, "web-0", 1, timeline.Ready))},
			at:   5,
			does: [2]string{"has web-1@1 Terminating", "has web-0@1 Ready"},
		},
		{
			name: "the status", level: Status,
			a:    []timeline.Event{reported(4, 1), result(9, timeline.Settled)},
			b:    []timeline.Event{reported(4, 1), reported(5, 2), result(9, timeline.Settled)},
			at:   5,
			does: [2]string{"has status.updatedReplicas 1", "has status.updatedReplicas 2"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := append(begin[:3:3], tt.a...), append(begin[:3:3], tt.b...)
			p := Find(a, b)
			require.NotNil(t, p)
			require.Equal(t, tt.level, p.Level)
			require.Equal(t, seconds(tt.at), p.T)
			require.Equal(t, tt.does, p.Does())
			require.True(t, p.Same(Find(a, b)))
			require.Nil(t, Find(a, a))
			require.Nil(t, Find(b, b))
			back := Find(b, a)
			require.Equal(t, [2]string{tt.does[1], tt.does[0]}, back.Does(), "the other way round")
			require.False(t, p.Same(nil))
			told := p.Told(func(text string) string { return text })
			require.Equal(t, tt.does, told.Does())
			require.Equal(t, [2]Side{}, told.Sides, "no event of the runs is kept")
			require.Equal(t, []any{p.Level, p.T, p.StepT, p.Step == nil}, []any{told.Level, told.T, told.StepT, told.Step == nil})
			if p.Step != nil {
				require.Equal(t, p.Step.Does, told.Step.Does)
			}
		})
	}
}

// TestWaitsThatHoldNothingBack: what Parallel waits for is told where it is all that a side waits for.
func TestWaitsThatHoldNothingBack(t *testing.T) {
	idle := wait(1, false)
	idle.Why = model.Why{Code: model.WaitingForReady, Object: "web-2", Rule: model.RuleParallel}
	other := []timeline.Event{pod(5, "web-1", 1, timeline.Failed)}
	alone := Find([]timeline.Event{idle}, other).Does()[0]
	require.Contains(t, alone, "web-2")
	require.Contains(t, alone, "rule parallel")
	both := Find([]timeline.Event{idle, wait(2, false)}, other).Does()[0]
	require.Contains(t, both, "web-1")
	require.NotContains(t, both, "web-2")
}

// TestAlike: the order of different pods within an instant, reasons, a status that is overtaken in its instant, the
// words of events, and the time of a good end are no differences.
func TestAlike(t *testing.T) {
	a := []timeline.Event{
		step(0, 1, timeline.Created, ""), pod(0, "web-0", 1, timeline.Pending), pod(0, "web-1", 1, timeline.Pending),
		reported(0, 1), reported(0, 2), wait(0, false), result(9, timeline.Settled),
	}
	other := pod(0, "web-0", 1, timeline.Pending)
	other.Why = model.Why{Code: model.CodeCreate}
	b := []timeline.Event{
		step(0, 1, timeline.Created, ""), pod(0, "web-1", 1, timeline.Pending), other, reported(0, 2),
		timeline.Entry{T: seconds(5), Kind: timeline.KindK8sEvent, Set: web, Message: "Create Pod"}.Event(), result(12, timeline.Settled),
	}
	require.Nil(t, Find(a, b))
	// The order of what happens to one pod is one.
	c := []timeline.Event{pod(0, "web-0", 1, timeline.Pending), pod(0, "web-0", 1, timeline.Terminating)}
	d := []timeline.Event{c[1], c[0]}
	require.NotNil(t, Find(c, d))
}

// TestGroups: what is alike is together, whatever stands between.
func TestGroups(t *testing.T) {
	x := []timeline.Event{pod(0, "web-0", 1, timeline.Pending)}
	y := []timeline.Event{pod(1, "web-0", 1, timeline.Pending)}
	require.Equal(t, [][]int{{0, 2, 4}, {1, 3}}, Groups([][]timeline.Event{x, y, x, y, x}))
}

// TestLastStep: the step before the parting is that of the run that got further, but never one after the parting.
func TestLastStep(t *testing.T) {
	a := []timeline.Event{step(0, 1, timeline.Created, ""), step(4, 2, timeline.Done, ""), pod(4, "web-0", 1, timeline.Failed)}
	b := []timeline.Event{step(0, 1, timeline.Created, ""), step(4, 2, timeline.Done, ""), step(4, 3, timeline.Done, "")}
	p := Find(a, b)
	require.Equal(t, 2, p.Step.Number)
	require.Equal(t, seconds(4), p.StepT)
}

// TestAlign: moments of one time stand in one row, and steps at one instant in rows of their own.
func TestAlign(t *testing.T) {
	a := []timeline.Event{step(0, 1, timeline.Created, ""), pod(0, "web-0", 1, timeline.Pending), pod(3, "web-0", 1, timeline.Ready),
		step(3, 2, timeline.Done, ""), pod(3, "web-0", 1, timeline.Terminating)}
	b := []timeline.Event{step(0, 1, timeline.Created, ""), pod(0, "web-0", 1, timeline.Pending), pod(2, "web-0", 1, timeline.Ready),
		pod(3, "web-0", 1, timeline.Failed), step(3, 2, timeline.Done, ""), pod(3, "web-0", 1, timeline.Terminating)}
	rows := Align([][]timeline.Event{a, b})
	require.Len(t, rows, 4)
	require.Equal(t, []bool{true, false, false, true}, []bool{rows[0].Same, rows[1].Same, rows[2].Same, rows[3].Same})
	require.Nil(t, rows[1].Moments[0])
	require.Equal(t, []string{"web-0@1 Ready"}, rows[1].Moments[1].Entries())
	require.Equal(t, []string{"web-0@1 Failed"}, rows[2].Moments[1].Entries())
	require.Equal(t, 2, rows[3].Moments[0].Step.Number)
}

// TestEntries: Running, and Gone before a new life, are left out, and what repeats is counted.
func TestEntries(t *testing.T) {
	m := &Moment{}
	add := func(e timeline.Event) { m.Changes = append(m.Changes, &e) }
	add(pod(0, "web-0", 1, timeline.Gone))
	for range 5 {
		add(pod(0, "web-0", 1, timeline.Pending))
		add(pod(0, "web-0", 1, timeline.Running))
		add(pod(0, "web-0", 1, timeline.Terminating))
		add(pod(0, "web-0", 1, timeline.Gone))
	}
	add(pod(0, "web-1", 0, timeline.Ready))
	require.Equal(t, []string{"web-0@1 Pending, web-0@1 Terminating (5 times)", "web-0@1 Gone", "web-1 Ready"}, m.Entries())
}

// TestEntriesThatRepeat: what happens three times and more is counted, to the end of the moment; what happens twice is
// written twice. A pod of the same name in another namespace is not the next life of one that is gone.
func TestEntriesThatRepeat(t *testing.T) {
	moment := func(events ...timeline.Event) *Moment {
		m := &Moment{}
		for i := range events {
			m.Changes = append(m.Changes, &events[i])
		}
		return m
	}
	ready, failed := pod(0, "web-0", 1, timeline.Ready), pod(0, "web-0", 1, timeline.Failed)
	require.Equal(t, []string{"web-0@1 Ready, web-0@1 Failed (3 times)"},
		moment(ready, failed, ready, failed, ready, failed).Entries())
	require.Equal(t, []string{"web-0@1 Ready", "web-0@1 Failed", "web-0@1 Ready", "web-0@1 Failed"},
		moment(ready, failed, ready, failed).Entries())
	require.Equal(t, []string{"web-0@1 Failed (3 times)"}, moment(failed, failed, failed).Entries())

	require.Equal(t, []string{"web-0@1 Pending"},
		moment(pod(0, "web-0", 1, timeline.Gone), pod(0, "web-0", 1, timeline.Pending)).Entries())
	elsewhere := pod(0, "web-0", 1, timeline.Pending)
	elsewhere.Set = model.Key{Namespace: "other", Name: "web"}
	require.Equal(t, []string{"web-0@1 Gone", "web-0@1 Pending"},
		moment(pod(0, "web-0", 1, timeline.Gone), elsewhere).Entries())
}

// TestMoments: an instant in which nothing happens to pods or to a status is none, and neither is one in which the status
// is written as it is.
func TestMoments(t *testing.T) {
	moments := Moments([]timeline.Event{
		step(0, 1, timeline.Created, ""), reported(1, 1), wait(2, false), reported(3, 1), pod(4, "web-0", 1, timeline.Ready),
		wait(5, true), result(6, timeline.Settled),
	})
	var at []model.Time
	for _, m := range moments {
		at = append(at, m.T)
	}
	require.Equal(t, []model.Time{seconds(0), seconds(1), seconds(4), seconds(6)}, at)
}

// TestManyActs: what one side does is told in a few words, however much it is.
func TestManyActs(t *testing.T) {
	var b []timeline.Event
	for _, name := range []string{"web-0", "web-1", "web-2", "web-3", "web-4", "web-5"} {
		e := pod(1, name, 1, timeline.Pending)
		e.Why = model.Why{Code: model.CodeCreate, Object: name}
		b = append(b, e)
	}
	require.Equal(t, "creates web-0@1, creates web-1@1, creates web-2@1, creates web-3@1, and 2 more", Find(nil, b).Does()[1])
	again := []timeline.Event{b[0], b[0], b[0], b[0], b[0], b[0]}
	require.Equal(t, "creates web-0@1, again and again", Find(nil, again).Does()[1])
	both := []timeline.Event{b[0], b[1], b[0], b[1], b[0], b[1]}
	require.Equal(t, "creates web-0@1, creates web-1@1, again and again", Find(nil, both).Does()[1])
	require.Equal(t, "creates web-0@1, creates web-1@1", Find(nil, both[:5]).Does()[1], "not each of them three times")
	thrice := []timeline.Event{b[0], b[0], b[0], b[0]}
	require.Equal(t, "creates web-0@1", Find(nil, thrice).Does()[1], "what is so little is no repetition")

	var removed []timeline.Event
	for i := range b {
		e := pod(1, b[i].Pod, 1, timeline.Terminating)
		e.Actor, e.Cause = timeline.Controller, &timeline.Cause{Why: model.Why{Code: model.CodeScaleDown, Object: b[i].Pod,
			Rule: model.RuleOrderedScaleDown}}
		removed = append(removed, e)
	}
	gone := []timeline.Event{removed[0], pod(1, "web-0", 1, timeline.Gone), by(timeline.User, pod(1, "web-1", 1, timeline.Gone))}
	require.Equal(t, "deletes web-0@1 because web-0 is outside the range of spec.replicas (ScaleDown, rule ordered-scale-down), "+
		"has web-1@1 Gone", Find(nil, gone).Does()[1], "that it is gone then is not told")

	require.Equal(t, "deletes web-0@1 because web-0 is outside the range of spec.replicas (ScaleDown, rule ordered-scale-down), "+
		"and for the same reason web-1@1, web-2@1, web-3@1, web-4@1 and 1 more", Find(nil, removed).Does()[1])
}
