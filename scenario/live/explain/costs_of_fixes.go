package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Costs says in a sentence what the way costs, and before that what it brings if that is not all.
func (w *WayOut) Costs() string {
	costs := "takes " + w.Time() + ", " + w.pods() + w.meanwhile() + "."
	if !w.Relieves {
		return costs
	}
	stays := slices.DeleteFunc(slices.Clone(w.Stays), func(pod string) bool {
		return slices.Contains(w.Removes, pod) || slices.Contains(w.Replaces, pod)
	})
	brings := fmt.Sprintf("%d of %d serve again after %s", w.ServesAfter, w.Replicas, w.Time())
	if len(stays) > 0 {
		brings += fmt.Sprintf("; %s %s", few(stays), render.Agree(len(stays), "stays as it is", "stay as they are"))
	}
	return brings + "; it " + strings.TrimPrefix(costs, "takes "+w.Time()+", ")
}

// pods says which pods the way replaces and removes. Those that the commands delete are among them, and those that the
// StatefulSet goes on to replace.
func (w *WayOut) pods() string {
	switch {
	case len(w.Removes) == 0 && len(w.Replaces) == 0:
		return "replaces no pod"
	case len(w.Removes) == 0:
		return "replaces " + few(w.Replaces)
	case len(w.Replaces) == 0:
		return "removes " + few(w.Removes)
	}
	return "replaces " + few(w.Replaces) + ", removes " + few(w.Removes)
}

// few names pods as a sentence does; of many only the first.
func few(pods []string) string {
	const most = 4
	if len(pods) > most+1 {
		return render.List(pods, most)
	}
	return render.And(pods)
}

// meanwhile says how many pods serve until the way has done its work. Where none serves now, it does not make that
// worse; and of a set that is being deleted none is to serve at the end.
func (w *WayOut) meanwhile() string {
	switch all := w.Replicas; {
	case w.of.going && w.of.serving > 0:
		return ", and then no pod serves"
	case all == 0 || w.of.going:
		return ""
	case w.Fewest == 0 && w.of.serving == 0:
		return ", and no pod serves at first"
	case w.Fewest == 0:
		return fmt.Sprintf(", and for a time none of %d serves", all)
	case w.Fewest >= all:
		return ", and " + render.Agree(all, "1 of 1 serves", fmt.Sprintf("all %d serve", all)) + " meanwhile"
	}
	return fmt.Sprintf(", and at least %d of %d serve meanwhile", w.Fewest, w.Replicas)
}

// leaves finds the pods that go when the commands of a way have begun: those that come back, in the order in which they
// go, and those that do not.
func leaves(way *reasons.Way, events []timeline.Event, key model.Key) (replaced, removed []string) {
	begin := -1
	for i := range events {
		if step := events[i].Step; step != nil && len(way.Commands) > 0 && step.Does == way.Commands[0] {
			begin = i
		}
	}
	if begin < 0 {
		return nil, nil
	}
	for i := begin; i < len(events); i++ {
		e := &events[i]
		if e.Kind != timeline.KindPod || e.Set != key || e.Bare {
			continue
		}
		switch e.State {
		case timeline.Gone:
			removed = append(removed, e.Pod)
		case timeline.Pending:
			at := slices.Index(removed, e.Pod)
			if at < 0 {
				continue
			}
			removed = slices.Delete(removed, at, at+1)
			if !slices.Contains(replaced, e.Pod) {
				replaced = append(replaced, e.Pod)
			}
		}
	}
	replaced = slices.DeleteFunc(replaced, func(pod string) bool { return slices.Contains(removed, pod) })
	return replaced, removed
}
