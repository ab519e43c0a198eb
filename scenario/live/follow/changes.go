package follow

import (
	"slices"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// change is a change of a pod that happened between two looks.
type change struct {
	pod   string
	state timeline.State
}

// lives are the states that a pod enters on its way to a state.
var lives = map[timeline.State][]timeline.State{
	timeline.Pending:   {timeline.Pending},
	timeline.Running:   {timeline.Pending, timeline.Running},
	timeline.Ready:     {timeline.Pending, timeline.Running, timeline.Ready},
	timeline.Unready:   {timeline.Pending, timeline.Running, timeline.Ready, timeline.Unready},
	timeline.Failed:    {timeline.Pending, timeline.Running, timeline.Failed},
	timeline.Succeeded: {timeline.Pending, timeline.Running, timeline.Succeeded},
}

// changes returns what happened between two looks, as far as they show it: pod after pod, in the order of the ordinals.
func changes(before, after *Look) []change {
	var list []change
	for _, name := range names(before, after) {
		for _, state := range path(find(before, name), find(after, name)) {
			list = append(list, change{name, state})
		}
	}
	return list
}

// names returns the names of the pods of two looks, the highest ordinal first, as a rollout takes them.
func names(before, after *Look) []string {
	var list []string
	for _, p := range slices.Concat(before.Pods, after.Pods) {
		if !slices.Contains(list, p.Name) {
			list = append(list, p.Name)
		}
	}
	slices.Reverse(list)
	return list
}

// find returns the pod of a name; nil if there is none.
func find(look *Look, name string) *Pod {
	for i := range look.Pods {
		if look.Pods[i].Name == name {
			return &look.Pods[i]
		}
	}
	return nil
}

// path returns the states that a name has been through from one look to the next. nil is no pod.
func path(before, after *Pod) []timeline.State {
	switch {
	case before == nil && after == nil:
		return nil
	case before == nil:
		return born(after)
	case after == nil:
		return dying(before, timeline.Gone)
	case !before.Created.Equal(after.Created):
		return append(dying(before, timeline.Gone), born(after)...)
	case after.State == timeline.Terminating:
		return dying(before, timeline.Terminating)
	case before.State == after.State:
		return nil
	}
	known := lives[after.State]
	if at := slices.Index(known, before.State); at >= 0 {
		return known[at+1:]
	}
	return []timeline.State{after.State}
}

// born returns the states of a new pod.
func born(p *Pod) []timeline.State {
	if p.State == timeline.Terminating {
		return []timeline.State{timeline.Pending, timeline.Terminating}
	}
	return lives[p.State]
}

// dying returns the states of a pod that ends, up to Terminating or Gone.
func dying(p *Pod, to timeline.State) []timeline.State {
	var list []timeline.State
	if p.State != timeline.Terminating {
		list = append(list, timeline.Terminating)
	}
	if to == timeline.Gone {
		list = append(list, timeline.Gone)
	}
	return list
}

// ordered says whether the controller is who decides on a change: it deletes and creates pods. What follows from that
// is the kubelet's, and its order among pods is left to chance.
func ordered(state timeline.State) bool {
	return state == timeline.Terminating || state == timeline.Pending
}

// passed removes what happened from a forecast.
func passed(next []Due, happened []change) []Due {
	left := slices.Clone(next)
	for _, c := range happened {
		at := slices.IndexFunc(left, func(d Due) bool { return d.Pod == c.pod && d.State == c.state })
		if at >= 0 {
			left = slices.Delete(left, at, at+1)
		}
	}
	return left
}

// departure says how what happened departs from a forecast; "" if it does not. Of the pods that the controller was to
// delete or create, none may be passed over for one that was to come at a later instant. When a pod is created whose
// name another one still has is up to the kubelet that stops it.
func departure(next []Due, happened []change) string {
	var missed *Due
	left := slices.Clone(happened)
	for i := range next {
		d := &next[i]
		at := slices.Index(left, change{d.Pod, d.State})
		switch {
		case !ordered(d.State):
		case at < 0 && missed == nil && !goesFirst(next[:i], d.Pod):
			missed = d
		case at >= 0:
			left = slices.Delete(left, at, at+1)
			if missed != nil && missed.At.Before(d.At) {
				return says(d.Pod, d.State) + " before " + says(missed.Pod, missed.State) + ", which the forecast had first"
			}
		}
	}
	for _, c := range left {
		if ordered(c.state) {
			return says(c.pod, c.state) + ", which the forecast did not have"
		}
	}
	return ""
}

// goesFirst says whether a pod of a name is to go in a part of a forecast.
func goesFirst(next []Due, pod string) bool {
	return slices.ContainsFunc(next, func(d Due) bool { return d.Pod == pod && d.State == timeline.Gone })
}

// says says what happens to a pod.
func says(pod string, state timeline.State) string {
	switch state {
	case timeline.Terminating:
		return pod + " is deleted"
	case timeline.Pending:
		return pod + " is created"
	}
	return pod + " is " + state.String()
}
