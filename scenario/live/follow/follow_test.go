package follow_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/follow"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// look is a look at shop/web so many seconds after noon: pods are "web-1 Ready 0", with the second in which they were
// created, and next are the changes that are forecast, "web-1 Terminating 5", with the second.
func look(second int, state judge.State, pods, next string) *follow.Look {
	at := func(second int) time.Time { return noon.Add(time.Duration(second) * time.Second) }
	l := &follow.Look{At: at(second), Set: &judge.Set{Key: model.Key{Namespace: "shop", Name: "web"}, Now: &timeline.Set{Spec: &model.StatefulSet{}}}}
	l.Set.State, l.Set.Now.Spec.Spec.Replicas = state, 2
	each := func(list string, do func(name string, state timeline.State, second int)) {
		for _, one := range strings.Split(list, ", ") {
			var name, state string
			var second int
			if n, _ := fmt.Sscan(one, &name, &state, &second); n == 3 {
				do(name, timeline.StateOf(state), second)
			}
		}
	}
	each(pods, func(name string, state timeline.State, created int) {
		l.Pods = append(l.Pods, follow.Pod{Name: name, State: state, Created: at(created)})
		if state == timeline.Ready {
			l.Serving++
		}
	})
	each(next, func(name string, state timeline.State, when int) {
		l.Next = append(l.Next, follow.Due{Pod: name, State: state, At: at(when)})
		l.Set.Takes = judge.Seconds(at(when).Sub(l.At))
	})
	return l
}

const (
	both    = "web-0 Ready -60, web-1 Ready -60"
	rollout = "web-1 Terminating 1, web-1 Gone 3, web-1 Pending 3, web-1 Running 4, web-1 Ready 6, web-0 Terminating 6, web-0 Gone 8, " +
		"web-0 Pending 8, web-0 Running 9, web-0 Ready 11"
)

// TestLines: what is told from one look to the next.
func TestLines(t *testing.T) {
	fewer := look(2, judge.Continues, "web-0 Unready -60, web-1 Terminating -60", rollout)
	changed := look(2, judge.Continues, both, rollout)
	changed.Set.Now.Spec.Generation = 3
	for name, c := range map[string]struct {
		next *follow.Look
		want string
	}{
		"as forecast":       {look(2, judge.Continues, "web-0 Ready -60, web-1 Terminating -60", rollout), "  web-1 Terminating"},
		"too few":           {fewer, "  web-1 Terminating|  web-0 Unready|! 0 of 2 serve; the forecast was at least 1"},
		"between two looks": {look(7, judge.Continues, "web-0 Terminating -60, web-1 Ready 3", ""), "  web-1 Terminating, Gone, Pending, Running, Ready|  web-0 Terminating"},
		"out of order":      {look(2, judge.Continues, "web-0 Terminating -60, web-1 Ready -60", ""), "  web-0 Terminating|! web-0 is deleted before web-1 is deleted, which the forecast had first"},
		"a pod more":        {look(2, judge.Continues, both+", web-2 Pending 1", rollout), "  web-2 Pending|! web-2 is created, which the forecast did not have"},
		"nothing":           {look(2, judge.Continues, both, rollout), ""},
		"changed":           {changed, "! the StatefulSet was changed|  shop/web: 2 of 2 serve; forecast: in this order web-1, web-0; complete in about 9s, at 12:00:11"},
		"stuck":             {look(2, judge.Stuck, both, ""), "! shop/web: 2 of 2 serve; it probably does not continue by itself"},
		"early":             {look(2, judge.TooEarly, both, ""), ""},
		"deleted":           {&follow.Look{At: noon.Add(2 * time.Second)}, "! shop/web does not exist any more"},
	} {
		first := look(0, judge.Continues, both, rollout)
		first.Fewest = 1
		f := follow.Begin(first).Next(c.next)
		var told []string
		for _, line := range f.Lines[len(f.Lines)-f.New:] {
			told = append(told, strings.TrimPrefix(line.Told(), line.At.Format("15:04:05 ")))
		}
		require.Equal(t, c.want, strings.Join(told, "|"), name)
	}
}

// TestForecastLater: a forecast is told as soon as there is one.
func TestForecastLater(t *testing.T) {
	f := follow.Begin(look(0, judge.TooEarly, "web-0 Ready -60, web-1 Running -2", ""))
	require.Equal(t, "12:00:00   shop/web: 1 of 2 serve; it is too early to say whether it is stuck", f.Lines[0].Told())
	f = f.Next(look(2, judge.Continues, "web-0 Ready -60, web-1 Ready -2", "web-0 Terminating 3, web-0 Ready 9"))
	require.Equal(t, "12:00:02   shop/web: 2 of 2 serve; forecast: in this order web-0; complete in about 7s, at 12:00:09", f.Lines[2].Told())
}

// TestEnd: what ends it, and under which bound.
func TestEnd(t *testing.T) {
	begun := follow.Begin(look(0, judge.Continues, both, rollout))
	certain := look(9, judge.Stuck, "web-0 Ready -60, web-1 Pending 3", "")
	certain.Set.Certain, certain.Set.Causes = true, []judge.Cause{{Sentence: "the image does not exist"}}
	short := look(2, judge.Continues, "web-0 Ready -60", rollout)
	short.Short = "quorum"
	onDelete := func(l *follow.Look, old ...bool) *follow.Look {
		l.Set.Now.Spec.Spec.Strategy.Type = model.OnDeleteStrategy
		for i := range old {
			l.Pods[i].Outdated = old[i]
		}
		return l
	}
	for name, c := range map[string]struct {
		last          *follow.Look
		bound         string
		end, sentence string
	}{
		"complete": {look(12, judge.AtRest, both, ""), "", "complete", "complete after 12s (the forecast was 11s); at least 2 served"},
		"OnDelete": {onDelete(look(12, judge.AtRest, both, ""), true, true), "", "waits for you",
			"nothing is left to follow after 12s: OnDelete. 2 of 2 pods are at the old revision; each gets the new one when you delete it"},
		"OnDelete, one": {onDelete(look(12, judge.AtRest, both, ""), true), follow.OnStuck, "waits for you",
			"nothing is left to follow after 12s: OnDelete. 1 of 2 pods is at the old revision; it gets the new one when you delete it"},
		"OnDelete, new":  {onDelete(look(12, judge.AtRest, both, "")), "", "complete", "complete after 12s (the forecast was 11s); at least 2 served"},
		"certain":        {certain, "", "stuck", "stuck after 9s; it does not continue by itself: the image does not exist"},
		"likely":         {look(9, judge.Stuck, both, ""), "", "", ""},
		"likely, bound":  {look(9, judge.Stuck, both, ""), follow.OnStuck, "stuck", "stuck after 9s; it probably does not continue by itself"},
		"slow":           {look(22, judge.Continues, both, rollout), follow.OnTooSlow, "too slow", "not complete after 22s; the forecast was 11s"},
		"not slow":       {look(21, judge.Continues, both, rollout), follow.OnTooSlow, "", ""},
		"slow, no bound": {look(90, judge.Continues, both, rollout), "", "", ""},
		"budget":         {short, follow.OnBelowBudget, "below budget", "the PodDisruptionBudget quorum asks for more pods than the 1 that serve"},
		"deleted":        {&follow.Look{At: noon.Add(2 * time.Second)}, "", "deleted", "the StatefulSet was deleted"},
	} {
		end := begun.Next(c.last).End(map[string]bool{c.bound: true})
		if c.end == "" {
			require.Nil(t, end, name)
			continue
		}
		require.NotNil(t, end, name)
		require.Equal(t, c.end+": "+c.sentence, string(end.Outcome)+": "+end.Sentence, name)
	}
	stopped := begun.Next(look(5, judge.Continues, both, rollout)).Stopped(follow.TimedOut)
	require.Equal(t, "timeout after 5s; shop/web: 2 of 2 serve; it completes in about 6s", stopped.Sentence)
	require.Len(t, begun.Lines, 1, "what was followed before is as it was")
}

// TestBoard: a line a pod, with what comes next.
func TestBoard(t *testing.T) {
	require.Equal(t, []string{"web-0  Ready; web-0 is deleted at 12:00:06", "web-1  Ready; web-1 is deleted at 12:00:01"},
		follow.Begin(look(0, judge.Continues, both, rollout)).Board())
}
