package html

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// size is a number of pods in a namespace. It matches a budget with its set, because a timeline does not say which
// pods a budget selects.
type size struct {
	namespace string
	pods      int32
}

// promises are the numbers of healthy pods that budgets ask for, by the number that they expect.
type promises struct {
	of map[size]map[string]int32
	// budgets are the sizes of the budgets, sets the sizes of the counted sets, and sized the sets by their sizes.
	budgets map[model.Key]size
	sets    map[model.Key]size
	sized   map[size]map[model.Key]bool
}

// needed returns the number of healthy pods that the only budget of that size asks for; 0 if there is not one.
func (p *promises) needed(of size) int {
	if len(p.of[of]) == 1 {
		for _, desired := range p.of[of] {
			return int(desired)
		}
	}
	return 0
}

// see takes in a status of a budget, and returns the sets whose needed number has changed.
func (p *promises) see(status *timeline.Budget) (changed []model.Key) {
	if p.of == nil {
		p.of, p.budgets = map[size]map[string]int32{}, map[model.Key]size{}
	}
	key := model.Key{Namespace: status.Namespace, Name: status.Name}
	is := size{status.Namespace, status.Expected}
	was, known := p.budgets[key]
	before, beforeIs := p.needed(was), p.needed(is)
	if known {
		delete(p.of[was], key.Name)
	}
	if p.of[is] == nil {
		p.of[is] = map[string]int32{}
	}
	p.of[is][key.Name], p.budgets[key] = status.Desired, is
	if known && was != is && before != p.needed(was) {
		changed = p.all(changed, was)
	}
	if beforeIs != p.needed(is) {
		changed = p.all(changed, is)
	}
	return changed
}

// all adds the sets of a size to a list.
func (p *promises) all(list []model.Key, of size) []model.Key {
	for key := range p.sized[of] {
		list = append(list, key)
	}
	return list
}

// resize notes the size of a set, and returns the number of its pods that are needed.
func (p *promises) resize(key model.Key, replicas int32) int {
	is := size{key.Namespace, replicas}
	if was, known := p.sets[key]; !known || was != is {
		if p.sets == nil {
			p.sets, p.sized = map[model.Key]size{}, map[size]map[model.Key]bool{}
		}
		delete(p.sized[was], key)
		if p.sized[is] == nil {
			p.sized[is] = map[model.Key]bool{}
		}
		p.sets[key], p.sized[is][key] = is, true
	}
	return p.needed(is)
}

// mark notes the sets whose counts an event may change.
func (g *gatherer) mark(event *timeline.Event) {
	if event.Budget != nil {
		for _, key := range g.promises.see(event.Budget) {
			g.changed[key] = true
		}
	}
	if event.Step != nil {
		g.markAll(event.Step.Sets, event.Step.Removed)
	}
	if event.Fault != nil {
		g.markAll(event.Fault.Sets, event.Fault.Removed)
	}
	g.changed[event.Set] = true
}

// markAll notes the sets that a step or a fault has changed or removed.
func (g *gatherer) markAll(sets []*model.StatefulSet, removed []model.Key) {
	for _, set := range sets {
		g.changed[set.Key()] = true
	}
	for _, key := range removed {
		g.changed[key] = true
	}
}
