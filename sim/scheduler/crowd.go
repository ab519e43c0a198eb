package scheduler

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Crowd are the pods that share a node, counted by their templates: most questions of a filter depend on these
// alone, and a node may have thousands of pods of a few templates. Nil is an empty crowd.
type Crowd struct {
	pods    keyed.Map[*model.Pod]
	tallies []Tally
	// at has the place of each template in tallies.
	at map[*model.Template]int
}

// Tally is how many pods a template has; Template is nil for pods without one.
type Tally struct {
	Template *model.Template
	Pods     int
}

// Len returns the number of pods.
func (c *Crowd) Len() int {
	if c == nil {
		return 0
	}
	return c.pods.Len()
}

// Tallies counts the pods by their templates, each once, in no order that means anything.
func (c *Crowd) Tallies() []Tally {
	if c == nil {
		return nil
	}
	return c.tallies
}

// Pods returns the pods in the order of their keys. O(k log k) for k pods after a change.
func (c *Crowd) Pods() []*model.Pod {
	if c == nil {
		return nil
	}
	return c.pods.Values()
}

// put adds a pod, or a newer version of it.
func (c *Crowd) put(pod *model.Pod) {
	c.remove(pod.Key())
	c.pods.Put(pod.Key(), pod)
	i, known := c.at[pod.Template]
	if !known {
		i = len(c.tallies)
		c.tallies = append(c.tallies, Tally{Template: pod.Template})
		if c.at == nil {
			c.at = map[*model.Template]int{}
		}
		c.at[pod.Template] = i
	}
	c.tallies[i].Pods++
}

// remove takes a pod out, if it is there.
func (c *Crowd) remove(key model.Key) {
	pod := c.pods.Get(key)
	if pod == nil {
		return
	}
	c.pods.Delete(key)
	i, last := c.at[pod.Template], len(c.tallies)-1
	if c.tallies[i].Pods--; c.tallies[i].Pods > 0 {
		return
	}
	delete(c.at, pod.Template)
	if i < last {
		c.tallies[i] = c.tallies[last]
		c.at[c.tallies[i].Template] = i
	}
	c.tallies = slices.Delete(c.tallies, last, last+1)
}
