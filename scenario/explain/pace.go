package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// pace says which times the simulation takes for the pods of a set, and where they come from. No dump shows how long a
// pod takes to stop.
func (s *LiveSet) pace(template *model.Template, d *dump.Dump, lab *play.Lab) {
	times := s.times(lab)
	list := []struct{ does, from string }{
		{"start in " + spell(times.Start), source(times.Start, s.othersTook.start, defaultStart)},
		{"become Ready in " + spell(times.Ready), source(times.Ready, s.othersTook.ready, defaultReady)},
		{"stop in " + spell(times.Stop), source(times.Stop, nil, defaultStop)},
	}
	if list[2].from == assumed && template.Grace > 0 {
		list[2].from += "; at most their grace period, " + whole(template.Grace)
	}
	var groups, does []string
	for i, one := range list {
		if strings.HasPrefix(one.from, assumed) && s.comes(stages[i], d) {
			s.guessed = append(s.guessed, one.does)
		}
		does = append(does, one.does)
		if i+1 == len(list) || list[i+1].from != one.from {
			groups, does = append(groups, fmt.Sprintf("%s (%s)", render.And(does), one.from)), nil
		}
	}
	s.Pace = "pods " + strings.Join(groups, "; ")
}

// stages are the states in which the stages of a pod's life end: it starts, becomes Ready, and stops.
var stages = [...]timeline.State{timeline.Running, timeline.Ready, timeline.Gone}

// comes says whether a pod of the set is to enter a state. One that is slow to stop is told by itself.
func (s *LiveSet) comes(state timeline.State, d *dump.Dump) bool {
	return slices.ContainsFunc(s.Next, func(next string) bool {
		name, is := strings.CutSuffix(next, " "+state.String())
		p := d.Pod(model.Key{Namespace: s.Namespace, Name: name})
		return is && (state != timeline.Gone || p == nil || !d.Slow(p))
	})
}

// completes says when the set is complete, and with which times if nobody knows them.
func (s *LiveSet) completes() string {
	text := "it completes by itself in about " + roughly(s.Takes)
	if len(s.guessed) > 0 {
		text += " if pods " + render.And(s.guessed)
	}
	return text
}

// times are the times of the pods of a set: those of a recording of the set, or else those of all sets.
func (s *LiveSet) times(lab *play.Lab) *behaviour.Times {
	kubelet := &lab.World.Kubelet
	for i := range kubelet.Rules {
		m := &kubelet.Rules[i].Match
		if m.StatefulSet == s.Name && m.Namespace == s.Namespace && m.That == nil {
			return &kubelet.Rules[i].Times
		}
	}
	return &kubelet.Default
}

// The times that a world which begins with a dump takes if neither the dump nor the user gives them.
const (
	defaultStart = time.Second
	defaultReady = 2 * time.Second
	defaultStop  = 2 * time.Second
)

// The sources of a time.
const (
	shown   = "as in the dump"
	assumed = "assumed"
	given   = "as given"
)

// source says where a time comes from: the median of what pods of the dump took, what is assumed for want of such pods,
// or else the user.
func source(delay behaviour.Delay, seen []time.Duration, otherwise time.Duration) string {
	switch constant, is := delay.(behaviour.Constant); {
	case is && len(seen) > 0 && time.Duration(constant) == seen[len(seen)/2]:
		return shown
	case is && len(seen) == 0 && time.Duration(constant) == otherwise:
		return assumed
	}
	return given
}

// spell renders a time, or the distribution that it is drawn from.
func spell(delay behaviour.Delay) string {
	if constant, is := delay.(behaviour.Constant); is {
		return whole(time.Duration(constant))
	}
	return delay.String()
}
