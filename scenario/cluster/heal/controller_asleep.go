package heal

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
)

// asleep are the reasons of a set that is stuck only because nothing wakes the controller: it does not watch claims, or
// it has missed a change of a pod.
var asleep = []model.Code{model.StaleClaim, model.TakenForGone, model.Unnoticed}

// touched is the name of the annotation that wakes the controller; it means nothing.
const touched = "touched"

// wakeUp returns the attempts for a set that only waits until somebody wakes the controller.
func wakeUp(x *situation) []attempt {
	if x.stuckFor(asleep...) < 0 {
		return nil
	}
	list := []attempt{wake(x.given.Key)}
	var taken []model.Key
	for _, stuck := range x.stuck {
		if stuck.Why.Code == model.TakenForGone {
			taken = append(taken, model.Key{Namespace: x.set.Namespace, Name: stuck.Why.Object})
		}
	}
	return append(list, attempt{what: "deleting " + names(taken) + ", which the controller believes to be gone",
		script: deletePods(taken, false)})
}

// wake returns the attempt that changes the set without changing anything.
func wake(key model.Key) attempt {
	return attempt{what: "annotating the StatefulSet, which wakes the controller",
		script: play.Script{play.Annotate(key, touched, "yes")}}
}
