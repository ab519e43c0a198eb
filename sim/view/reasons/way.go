package reasons

import (
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Way is a way out for a stuck StatefulSet. It was played as it is printed, pasted into a shell in one go; its
// costs were observed then.
type Way struct {
	// What says in words what the commands do: "deleting web-2".
	What string `json:"what"`
	// Commands are its kubectl commands, one a line.
	Commands []string `json:"commands"`
	// Heals means that the set is complete at the end, or gone if it is being deleted. Another way may make it better.
	Heals bool `json:"heals"`
	// Fewest is the least number of pods that serve on the way, Deleted the number of pods that are deleted.
	Fewest  int `json:"fewestServing"`
	Deleted int `json:"podsDeleted"`
	// Replicas are the pods that the set asks for, and Takes the virtual time from the first command until the last thing
	// happens to the set.
	Replicas int           `json:"-"`
	Takes    time.Duration `json:"-"`
	// Most is the time that it takes if each pod needs all of its grace period to stop; Takes, or 0, if that is known.
	Most time.Duration `json:"-"`
	// About says how well Takes is known: "about", "at most" or "at least"; "" if it is certain, or the reader is told in
	// another way.
	About string `json:"-"`
	// Danger is the condition under which the commands do no harm; Needs is another condition that they assume. Both
	// are the ends of sentences. "" means none.
	Danger string `json:"danger,omitempty"`
	Needs  string `json:"needs,omitempty"`
	// Loses are the PVCs whose data the commands delete, which their Danger names too.
	Loses []string `json:"-"`
	// Later is a sentence about what remains to be done after the commands; "" means nothing.
	Later string `json:"later,omitempty"`
	// Unblocks means that a drain continues, although the set is not complete at the end.
	Unblocks bool `json:"unblocks,omitempty"`
	// Relieves means that more pods serve at the end than without it, although the set is not complete: ServesAfter.
	Relieves    bool `json:"relieves,omitempty"`
	ServesAfter int  `json:"servesAfter,omitempty"`
	// Stays are the pods that do not serve then.
	Stays []string `json:"-"`
	// Besides are sentences about what it does besides what it is for: what it breaks, and who takes it back.
	Besides []string `json:"besides,omitempty"`
	// Reverts means that it reverts the template, so that a copy in Git has to be reverted too.
	Reverts bool `json:"reverts,omitempty"`
}

// Cost says what the way costs.
func (w *Way) Cost() string {
	deleted := "no pod"
	if w.Deleted > 0 {
		deleted = render.Count(w.Deleted, "pod")
	}
	if named := w.named(); named > 0 && w.Deleted > named {
		deleted += " in all"
	}
	serve := fmt.Sprintf("at least %d of %d serve meanwhile", w.Fewest, w.Replicas)
	if w.Fewest == 0 {
		serve = "at times no pod serves"
	}
	return fmt.Sprintf("takes %s, deletes %s, and %s", w.Time(), deleted, serve)
}

// Time says how long the way takes, and how well that is known. For live pods, fractions of seconds are left out.
func (w *Way) Time() string {
	text := "about " + render.Clock(w.Takes.Round(time.Second))
	switch {
	case w.About != "about":
		return strings.TrimSpace(w.About + " " + render.Clock(w.Rounded()))
	case w.Takes < time.Second:
		return "less than 1s"
	case w.Most > w.Takes:
		text += " (at most " + render.Clock(w.Most.Round(time.Second)) + ")"
	}
	return text
}

// named counts the pods that the commands delete by name. A rollout that then continues may delete more.
func (w *Way) named() int {
	count := 0
	for _, command := range w.Commands {
		if _, pods, found := strings.Cut(command, " delete pod "); found {
			for _, word := range strings.Fields(pods) {
				if !strings.HasPrefix(word, "-") {
					count++
				}
			}
		}
	}
	return count
}

// Conditions says in sentences what must be true before the way is used, and what remains to be done. The danger
// comes last, right before the commands.
func (w *Way) Conditions() []string {
	var sentences []string
	if w.Reverts {
		sentences = append(sentences, "Revert the template in Git too, or the next apply brings it back.")
	}
	if w.Needs != "" {
		sentences = append(sentences, "This assumes that "+w.Needs+".")
	}
	if w.Later != "" {
		sentences = append(sentences, w.Later+".")
	}
	sentences = append(sentences, w.Besides...)
	if w.Danger != "" {
		sentences = append(sentences, "DANGER: do this "+w.Danger+".")
	}
	return sentences
}

// Line says what the way does, and what it costs.
func (w *Way) Line() string { return render.Capital(w.What) + ": " + w.Cost() }

// Lead returns the lines before the commands of the way: one about what they do, and one for each condition.
func (w *Way) Lead(line string) []string {
	conditions := w.Conditions()
	if len(conditions) == 0 {
		return []string{line + ":"}
	}
	return append([]string{line + "."}, conditions...)
}

// Rounded returns Takes rounded for people.
func (w *Way) Rounded() time.Duration {
	switch {
	case w.Takes > time.Minute:
		return w.Takes.Round(time.Second)
	case w.Takes > time.Second:
		return w.Takes.Round(100 * time.Millisecond)
	}
	return w.Takes
}
