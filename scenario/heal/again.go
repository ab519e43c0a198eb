package heal

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/command"
)

// again adds to the attempts that finish the deletion of a set what creates it again.
func (s *Stuck) again(list []attempt) []attempt {
	if len(s.Again) == 0 {
		return list
	}
	for i := range list {
		if a := &list[i]; len(a.script) > 0 {
			a.what += ", and applying again"
			a.script = a.script.Then(s.Again...)
		}
	}
	return list
}

// WaitGone waits until a set is gone: what is applied before goes with it.
func WaitGone(set model.Key) play.Deed {
	return play.Deed{
		Verb:    "wait",
		Kubectl: command.In(set.Namespace, "wait", "statefulset/"+set.Name, "--for=delete", command.NoTimeout),
		Returns: func(*play.Moment) func(*play.Moment) bool {
			return func(now *play.Moment) bool { return now.Set(set) == nil }
		},
	}
}
