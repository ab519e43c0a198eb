package judged_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/follow"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// poll is the time between two looks, mostPolls how many there are.
const (
	poll      = 2 * time.Second
	mostPolls = 150
)

// TestFollow follows the rollouts of random worlds, from the last step on. In a world without troubles each ends, nothing
// departs from the forecast, and it is complete when the first forecast said, if a pod had shown how long pods take. In
// one with troubles what is said to be stuck for certain never completes.
func TestFollow(t *testing.T) {
	said := sayings{}
	rapid.Check(t, func(t *rapid.T) {
		w := judgedWorlds.Draw(t, "world")
		w.part, w.given = "everything", true
		f, end, completes := w.followed(t)
		if f == nil {
			return
		}
		healthy := w.trouble.kind == "none"
		switch {
		case end == nil:
			said.count("not ended after the last look", true)
			require.False(t, healthy && completes && f.Last.Set.State != judge.TooEarly, "not ended: %s\n%v", w, f.Lines)
		case end.Outcome == follow.IsStuck:
			said.count("stuck for certain", !completes)
			require.False(t, completes, "%s\n%s\n%v", end.Sentence, w, f.Lines)
		case end.Outcome == follow.Complete:
			said.count("complete", true)
			if healthy && f.First.Serving > 0 && f.First.Set.State == judge.Continues {
				// That it is complete is seen a poll later.
				early, late := f.Last.At.Add(poll).Before(f.Earliest), f.Last.At.After(f.Latest.Add(2*poll))
				said.count("complete as forecast", !early && !late)
				if os.Getenv("JUDGED_WRONG") != "" && (early || late) {
					fmt.Printf("early %v late %v, forecast %v to %v\n%s\n%v\n", early, late, f.Earliest, f.Latest, w, f.Lines)
				}
			}
		}
		departs := false
		for _, line := range f.Lines {
			departs = departs || strings.Contains(line.Text, "which the forecast")
		}
		if healthy {
			said.count("in the order of the forecast", !departs)
			require.False(t, departs, "%s\n%v", w, f.Lines)
		}
	})
	t.Log("\n" + said.String())
}

// followed plays a world and looks at it after its last step, again and again. It returns what was followed, how it ended,
// and whether the set is complete long after; nil if the world has no set web then.
func (w *judged) followed(t require.TestingT) (f *follow.Followed, end *follow.End, completes bool) {
	s, err := scenario.Parse("world.yaml", []byte(w.text), nil, scenario.Options{})
	require.NoError(t, err, w.text)
	key, now := model.Key{Namespace: "default", Name: "web"}, model.Time(0)
	config := s.Config(scenario.RunOptions{})
	w.trouble.configure(&config, func() model.Time { return now })
	begin := model.Time(lastStep(w.text) + 100*time.Millisecond)
	steps := s.Steps
	for i := range mostPolls {
		at := sim.When{Trigger: sim.At, D: time.Duration(begin) + time.Duration(i)*poll}
		steps = append(steps, sim.Step{Verb: "look", When: at, Act: func(*sim.User) sim.Outcome { return sim.Outcome{Effect: timeline.None} }})
	}
	next := begin
	config.Watch = func(world *sim.World) {
		now = world.Now()
		completes = complete(world, key)
		if now < next || end != nil {
			return
		}
		next = now + model.Time(poll)
		look := w.looked(t, world.State(), now, key, f)
		switch {
		case f == nil && look.Set == nil:
			return
		case f == nil:
			begun := follow.Begin(look)
			f = &begun
		default:
			after := f.Next(look)
			f = &after
		}
		end = f.End(nil)
	}
	config.Until, config.MaxEvents, config.Cycles = time.Duration(begin)+horizon, 20_000, false
	sim.New(config).Run(steps)
	return f, end, completes
}

// looked is a look at the world at an instant, after those that were followed before.
func (w *judged) looked(t require.TestingT, state *sim.State, now model.Time, key model.Key, f *follow.Followed) *follow.Look {
	w.state, w.at = state, now
	at := taken.Add(time.Duration(now))
	d, err := dump.Read([]dump.Source{{Name: "dump.json", Data: w.dumpedAt(t, state, now, at)}}, dump.Options{At: at})
	require.NoError(t, err)
	if f == nil {
		return follow.See(d, w.lab(t, d), key)
	}
	return f.See(d, w.lab(t, d))
}

// TestFollowPrinted: what is told of a rollout, once as an example.
func TestFollowPrinted(t *testing.T) {
	w := judged{version: "1.37", part: "everything", text: "kubernetes: \"1.37\"\nnodes: {count: 2}\n" +
		"kubelet: {start: 1s, ready: 5s, stop: 3s}\nsteps:\n- create: {name: web, image: \"app:v1\", replicas: 3}\n" +
		"- {at: 60s, setImage: {statefulset: web, image: \"app:v2\"}}\n"}
	w.trouble.kind = "none"
	f, end, _ := w.followed(t)
	var text string
	for _, line := range f.Lines {
		text += line.Told() + "\n"
	}
	require.Equal(t, `12:01:00   default/web: 2 of 3 serve; forecast: in this order web-2, web-1, web-0; complete in about 23.9s (18s to 1m48s), at 12:01:24; at least 2 serve meanwhile
12:01:04   web-2 Gone, Pending, Running
12:01:10   web-2 Ready
12:01:10   web-1 Terminating
12:01:12   web-1 Gone, Pending
12:01:14   web-1 Running
12:01:18   web-1 Ready
12:01:18   web-0 Terminating
12:01:22   web-0 Gone, Pending, Running
12:01:28   web-0 Ready
complete after 28s (the forecast was 23.9s); at least 2 served
`, text+fmt.Sprintln(end.Sentence))
}
