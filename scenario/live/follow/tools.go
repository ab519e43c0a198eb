package follow

import (
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Tools are the deploy tools that wait for the set that is followed, from the first look on. Unlike Followed they change
// with each look.
type Tools struct{ live *gated.Live }

// Wait lets tools begin to wait at a first look. It tells what each says there, or will say as forecast. The Tools are nil
// if there are none.
func (f Followed) Wait(gates []*gate.Gate) (Followed, *Tools) {
	if len(gates) == 0 {
		return f, nil
	}
	t := &Tools{gated.Begin(f.First.Set.Key, gates)}
	f = t.Hear(f)
	for _, a := range f.First.Forecast(t.live.Open()) {
		f = f.tell(false, "forecast: %s %s", a.Gate, a.Verdict())
	}
	return f, t
}

// Hear tells what tools say that end at the last look.
func (t *Tools) Hear(f Followed) Followed {
	if t == nil {
		return f
	}
	var set *timeline.Set
	if f.Last.Set != nil {
		set = f.Last.Set.Now
	}
	for _, heard := range t.live.See(f.Last.At.Sub(f.First.At), set) {
		f = f.tell(heard.Wrong, "%s", heard.Text)
	}
	return f
}

// Answers are what the tools have said up to the last look. Those that still wait will say what is forecast from there.
func (t *Tools) Answers(f Followed) []*gated.Answer {
	if t == nil {
		return nil
	}
	return t.live.Answers(f.Last.Forecast(t.live.Open()))
}
