package reasons

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/sim/page"
)

// Way is a way out of where a StatefulSet is stuck. It was played as it is printed, pasted into a shell in one go.
type Way struct {
	// What says in words what it does: "deleting web-2".
	What string
	// Commands are its kubectl commands, one a line.
	Commands []string
	// Heals says that the set is whole at its end, or gone where it is being deleted.
	Heals bool
	// Fewest is how many of the Replicas serve at least while it goes on, Deleted how many pods it deletes, and Takes the
	// virtual time from its first command until the last thing happens to the set.
	Fewest, Replicas, Deleted int
	Takes                     time.Duration
	// Danger is what must be true before it is used, lest something is lost; Needs is what else it takes for granted. ""
	// is nothing.
	Danger, Needs string
	// Reverts says that it reverts the template, so that whoever keeps it in Git has to revert it there.
	Reverts bool
}

// Cost says in a line what the way costs, and what must be true before it is used.
func (w *Way) Cost() string {
	deleted := "no pod"
	if w.Deleted > 0 {
		deleted = page.Count(w.Deleted, "pod")
	}
	text := fmt.Sprintf("takes %s, deletes %s, and at least %d of %d serve meanwhile", page.Clock(w.rounded()), deleted,
		w.Fewest, w.Replicas)
	if w.Reverts {
		text += "; it reverts the template, which has to be reverted in Git too"
	}
	if w.Needs != "" {
		text += "; provided that " + w.Needs
	}
	if w.Danger != "" {
		text += "; DANGER: " + w.Danger
	}
	return text
}

// Line says in a line what the way does, what it costs and what must be true before it is used.
func (w *Way) Line() string { return page.Capital(w.What) + ": " + w.Cost() }

// rounded is the time that it takes: what was drawn is rounded to what can be told apart.
func (w *Way) rounded() time.Duration {
	switch {
	case w.Takes > time.Minute:
		return w.Takes.Round(time.Second)
	case w.Takes > time.Second:
		return w.Takes.Round(100 * time.Millisecond)
	}
	return w.Takes
}
