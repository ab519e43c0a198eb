package report

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/page"
)

// Cure is a way out for a set that is stuck at the end of a run. It was played behind the run, and it healed the set.
type Cure struct {
	Set model.Key
	// Commands are the kubectl commands, in their order; each waits for the world to settle.
	Commands []string
	// Danger is what must be true before the commands are used, lest something is lost; "" is nothing.
	Danger string
	// Reverts says that the template is reverted, so that whoever keeps it in Git has to revert it there.
	Reverts bool
	// Takes is the virtual time from the first command until the set is whole again.
	Takes time.Duration
	// Deleted is how many pods it deletes; Fewest is how many of the Replicas serve at the least while it goes on.
	Deleted, Fewest, Replicas int
}

// Cost says in words what the way out costs.
func (c *Cure) Cost() string {
	deleted := "no pod"
	if c.Deleted > 0 {
		deleted = page.Count(c.Deleted, "pod")
	}
	text := fmt.Sprintf("takes %s, deletes %s, and at least %d of %d serve meanwhile", page.Clock(c.Takes), deleted,
		c.Fewest, c.Replicas)
	if c.Reverts {
		text += "; it reverts the template, which has to be reverted in Git too"
	}
	return text
}

// cures writes the ways out, or else the command that looks for the reason.
func (p sheet) cures(run *Run) {
	for i := range run.Cures {
		cure := &run.Cures[i]
		p.Wrapped("  ", "Fix (verified by simulation; "+cure.Cost()+"):", page.Good)
		if cure.Danger != "" {
			p.Wrapped("    ", "DANGER: "+cure.Danger, page.Bad)
		}
		for _, command := range cure.Commands {
			p.Verbatim(4, command, page.Bold)
		}
	}
	if run.Explain != "" {
		p.Verbatim(2, "try: "+run.Explain, page.Plain)
	}
}
