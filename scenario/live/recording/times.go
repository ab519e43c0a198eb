package recording

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Times is what recordings show of a stage of a set's pods.
type Times struct {
	// Delay has each time as often as it was seen. Source says where and how often.
	Delay  behaviour.Delay
	Source string
}

// Of returns what the recordings say about a stage of a set's pods, or nil. What they saw is taken together.
func Of(recordings []*Recording, set model.Key, stage int) *Times {
	var samples []time.Duration
	var names []string
	for _, r := range recordings {
		if of := r.samples[set]; of != nil && len(of[stage]) > 0 {
			samples, names = append(samples, of[stage]...), append(names, r.name)
		}
	}
	if len(samples) == 0 {
		return nil
	}
	source := fmt.Sprintf("the recording %s (seen %s)", strings.Join(names, ", "), render.Count(len(samples), "time"))
	return &Times{distribution(samples), source}
}

// distribution returns the distribution of what was seen: each time as often as it was seen. It sorts the samples, of
// which there is at least one. It may have more options than a scenario may write.
func distribution(samples []time.Duration) behaviour.Delay {
	slices.Sort(samples)
	if samples[0] == samples[len(samples)-1] {
		return behaviour.Constant(samples[0])
	}
	var options []behaviour.Weighted
	for i := 0; i < len(samples); {
		n := i
		for n < len(samples) && samples[n] == samples[i] {
			n++
		}
		options = append(options, behaviour.Weighted{Value: behaviour.Constant(samples[i]), Weight: n - i})
		i = n
	}
	return behaviour.Choice(options)
}

// Observed lets the pods of a world that begins with a dump take as long as those of their sets took in recordings:
// the median. given are the times that the user has asked for: they win. What the dump shows to go wrong stays as it
// is. The configuration that is passed is not changed.
func Observed(config sim.Config, recordings []*Recording, given behaviour.Times) sim.Config {
	sets := map[model.Key]behaviour.Times{}
	for _, set := range config.Start.Sets {
		times, known := given, false
		for stage, to := range []*behaviour.Delay{&times.Stop, &times.Start, &times.Ready} {
			if seen := Of(recordings, set.Key(), stage); *to == nil && seen != nil {
				*to, known = behaviour.Constant(Typical(seen.Delay)), true
			}
		}
		if known {
			sets[set.Key()] = times
		}
	}
	config.Kubelet.Sets = sets
	return config
}

// Typical returns the median of a delay. It is 0 for one that never happens.
func Typical(d behaviour.Delay) time.Duration {
	ns, _ := d.Draw(choose.Func(func(_ choose.Kind, n int) int { return n / 2 }))
	return time.Duration(ns)
}
