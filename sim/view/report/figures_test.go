package report

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestFigures holds the numbers that runs come to, as compare and sweep print them.
func TestFigures(t *testing.T) {
	took := func(d time.Duration) *time.Duration { return &d }
	web := model.Key{Namespace: "default", Name: "web"}
	rest := newFilm(0)
	rest.to(4)
	rest.result(timeline.Result{Verdict: timeline.Settled})
	change := twoPods()
	change.to(50)
	change.step(timeline.Step{Verb: "scale", Does: "scale web to 3", Effect: timeline.Configured})
	change.to(53)
	change.create("web-2")
	change.to(55)
	change.kubelet("web-2", timeline.Ready)
	change.to(90)
	change.result(timeline.Result{Verdict: timeline.Settled})
	for _, c := range []struct {
		name string
		run  *Run
		want Figures
	}{
		{"no step", &Run{Events: rest.events}, Figures{Duration: 4 * time.Second}},
		{"the last step of two", &Run{Events: change.events}, Figures{Duration: 90 * time.Second, LastStep: took(5 * time.Second),
			Sets: []SetFigures{{Key: web, Complete: true, Fewest: 2, FewestOf: 2, Replicas: 2, FewestAt: 7e9}}}},
		{"a pod is replaced", canaryRun(), Figures{Duration: 93250 * time.Millisecond, LastStep: took(0), Replaced: 1,
			Sets: []SetFigures{{Key: web, Complete: true, Fewest: 1, FewestOf: 2, Replicas: 2, FewestAt: 90e9}}}},
		{"it is stuck", stuckRun(), Figures{Duration: 9 * time.Second, Replaced: 1,
			Sets: []SetFigures{{Key: web, Complete: true, Fewest: 1, FewestOf: 2, Replicas: 2, FewestAt: 7e9}}}},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, Figure(c.run)) })
	}
}

// TestLeast: the set that came down the furthest by its share, and the first of two alike.
func TestLeast(t *testing.T) {
	set := func(name string, fewest, replicas int) SetFigures {
		return SetFigures{Key: model.Key{Name: name}, Complete: true, Fewest: fewest, FewestOf: replicas, Replicas: replicas}
	}
	never := set("never", 0, 3)
	never.Complete = false
	// Scaled to 2 when only 2 of 2 served, and to 5 then.
	grown := SetFigures{Key: model.Key{Name: "grown"}, Complete: true, Fewest: 2, FewestOf: 2, Replicas: 5}
	// Scaled to none and back: none of none is no share.
	emptied := SetFigures{Key: model.Key{Name: "emptied"}, Complete: true, Replicas: 3}
	for _, c := range []struct {
		want string
		sets []SetFigures
	}{
		{"b", []SetFigures{set("a", 2, 3), set("b", 5, 9), set("c", 4, 5)}},
		{"a", []SetFigures{set("a", 1, 2), set("b", 2, 4)}},
		{"b", []SetFigures{grown, set("b", 3, 4)}},
		{"b", []SetFigures{emptied, set("b", 3, 4)}},
		{"b", []SetFigures{set("none", 0, 0), never, set("b", 3, 3)}},
		{"", []SetFigures{set("none", 0, 0), never}},
	} {
		least := (&Figures{Sets: c.sets}).Least()
		if c.want == "" {
			require.Nil(t, least)
			continue
		}
		require.Equal(t, c.want, least.Key.Name)
	}
}

// TestNumbers: the line of the numbers; of several sets it names the one that came down the furthest.
func TestNumbers(t *testing.T) {
	took := 20 * time.Second
	set := func(name string, complete bool) SetFigures {
		return SetFigures{Key: model.Key{Name: name}, Complete: complete, Fewest: 3, FewestOf: 4, Replicas: 9, FewestAt: 12e9}
	}
	for want, f := range map[string]Figures{
		"duration 0s; fewest serving: never all at once; replaced 0 pods": {},
		"duration 32s, last step 20s; fewest serving 3 of 4 at 12s; replaced 4 pods": {
			Duration: 32 * time.Second, LastStep: &took, Replaced: 4, Sets: []SetFigures{set("web", true)}},
		"duration 1m32s; fewest serving 3 of 4 of db at 12s, and web never all at once; replaced 1 pod": {
			Duration: 92 * time.Second, Replaced: 1, Sets: []SetFigures{set("web", false), set("db", true)}},
		"duration 0s; fewest serving: 0 replicas at the end; replaced 0 pods": {
			Sets: []SetFigures{{Key: model.Key{Name: "web"}, Complete: true}}},
	} {
		require.Equal(t, want, f.line())
	}
}

// TestLongestWait: the first of the longest waits; one that is open lasts to the end of the run, and resting is no wait.
func TestLongestWait(t *testing.T) {
	for _, c := range []struct {
		name, object string
		lasts        time.Duration
		play         func(*film)
	}{
		{"the longer one", "web-1", 3 * time.Second, func(f *film) {
			f.wait(forReady("web-0"))
			f.to(2)
			f.waited(0, forReady("web-0"))
			f.wait(forReady("web-1"))
			f.to(5)
			f.waited(2, forReady("web-1"))
		}},
		{"the first of two", "web-0", 2 * time.Second, func(f *film) {
			f.wait(forReady("web-0"))
			f.to(2)
			f.waited(0, forReady("web-0"))
			f.wait(forReady("web-1"))
			f.to(4)
			f.waited(2, forReady("web-1"))
		}},
		{"an open one", "web-1", 7 * time.Second, func(f *film) {
			f.wait(forReady("web-0"))
			f.to(2)
			f.waited(0, forReady("web-0"))
			f.wait(forReady("web-1"))
			f.to(9)
			f.create("web-2")
		}},
		{"an end without a beginning", "web-0", time.Second, func(f *film) {
			f.waited(0, forReady("web-9"))
			f.to(1)
			f.wait(forReady("web-0"))
			f.to(2)
			f.waited(1, forReady("web-0"))
		}},
		{"rest", "", 0, func(f *film) {
			f.wait(model.Why{Code: model.OnDelete, Have: 1})
			f.to(9)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFilm(3)
			c.play(f)
			longest := longestWait(f.events)
			if c.object == "" {
				require.Nil(t, longest)
				return
			}
			require.Equal(t, c.object, longest.why.Object)
			require.Equal(t, c.lasts, longest.d)
		})
	}
}

// TestLastChange: the last thing that happened to a pod or by a step; a status is no change, and neither is the end.
func TestLastChange(t *testing.T) {
	f := twoPods()
	require.Equal(t, model.Time(7e9), lastChange(f.events))
	f.to(20)
	f.status(1, 0, "v1")
	require.Equal(t, model.Time(7e9), lastChange(f.events))
	f.step(timeline.Step{Verb: "scale"})
	f.to(30)
	f.result(timeline.Result{Verdict: timeline.Settled})
	require.Equal(t, model.Time(20e9), lastChange(f.events))
}

// TestPodSentence: what is said of the pod that a set is stuck on.
func TestPodSentence(t *testing.T) {
	for want, pod := range map[string]timeline.Pod{
		"@2, Pending since 12s":                  {Template: 2, State: timeline.Pending, Since: 12e9},
		"@2, Pending since 0s: ImagePullBackOff": {Template: 2, State: timeline.Pending, Reason: "ImagePullBackOff"},
		"@1, Running since 1m00s: a: b":          {Template: 1, State: timeline.Running, Since: 60e9, Reason: "a", Message: "b"},
		"@1, Running since 0s, 1 restart":        {Template: 1, State: timeline.Running, Restarts: 1},
		"@1, Running since 0s: a, 4 restarts":    {Template: 1, State: timeline.Running, Message: "a", Restarts: 4},
	} {
		require.Equal(t, want, podSentence(&pod))
	}
}
