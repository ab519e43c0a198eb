package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Refusal is what the API server says to a change that it does not take.
type Refusal struct {
	// Message is in the API server's words. Changes are the fields that it means.
	Message string   `json:"message"`
	Changes []Change `json:"changes"`
	// Way says how to get there nevertheless and, where it was played, what comes of it. Commands are its commands.
	Way      string   `json:"way"`
	Commands []string `json:"commands,omitempty"`

	events []timeline.Event
}

// Instead is the name of the run of the way around a refusal.
const Instead = "instead"

// around finds the way around a refusal: to delete the set without its pods, and to make it anew.
func (e *edit) around(w *world) {
	r, p := e.set.Refusal, e.pair
	alone := *w
	alone.pairs = []*Pair{p}
	var script script
	script.before(alone.pairs, nil)
	script.orphan(p)
	number := script.change(alone.pairs)
	events := alone.play(script.steps)
	at := indexOf(events, number)
	if at < 0 {
		r.Way = "it could not be played: raise --max-events"
		return
	}
	if step := events[at].Step; step.Effect == timeline.Refused {
		r.Way = "the new set would be refused even where there is no old one: " + step.Refusal
		return
	}
	r.events = events
	r.Commands = []string{
		fmt.Sprintf("kubectl -n %s delete statefulset %s --cascade=orphan", p.Key.Namespace, p.Key.Name),
		fmt.Sprintf("kubectl -n %s apply -f %s", p.Key.Namespace, quoted(p.New.File)),
	}
	f := gather(events, p.Key, number)
	r.Way = "delete the set without its pods, and apply: " + adoption(f)
	if f.verdict == timeline.IsStuck {
		r.heal(p.Key, func(more []sim.Step) []timeline.Event {
			return alone.play(append(script.steps[:len(script.steps):len(script.steps)], more...))
		})
	}
	if len(e.wanted.Spec.ClaimTemplates) > 0 {
		r.Way += "; claims that are there stay as they are"
	}
}

// heal adds what leads out where the new set does not get along with the pods that it finds.
func (r *Refusal) heal(key model.Key, play heal.Play) {
	cure, _ := heal.Find(r.events, key, play)
	if cure == nil {
		r.Way += ". None of the tried fixes works"
		return
	}
	r.events, r.Commands = cure.Events, append(r.Commands, cure.Commands...)
	r.Way += ". With the commands that follow it heals (played)"
}

// adoption says what becomes of pods that a new set finds.
func adoption(f *facts) string {
	if f.verdict != timeline.Settled {
		return f.ending()
	}
	if len(f.moves) == 0 {
		return "the pods stay, none is touched, and the new set adopts them"
	}
	return fmt.Sprintf("the new set adopts the pods, and then: %s; %s", strings.Join(f.order(), "; "), f.serve())
}

// quoted is a word for a shell.
func quoted(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\n'\"\\$&|;<>()*?[]#~`!{}") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// orphan deletes a set and leaves its pods.
func (s *script) orphan(p *Pair) {
	s.step("delete", "delete "+p.Key.Name+" without its pods", func(u *sim.User) sim.Outcome {
		if err := u.DeleteSet(p.Key, sim.Orphan); err != nil {
			return refused(err)
		}
		return sim.Outcome{Effect: timeline.Deleted, Removed: []model.Key{p.Key}}
	})
}

// mutable are the fields of the spec that every version lets change.
var mutable = []string{
	"spec.replicas", "spec.ordinals", "spec.template", "spec.updateStrategy", "spec.minReadySeconds",
	"spec.persistentVolumeClaimRetentionPolicy",
}

// meant are the changes of fields that may not be changed.
func meant(changes []Change, profile statefulset.Profile) []Change {
	return slices.DeleteFunc(under(changes, "spec."), func(c Change) bool {
		may := func(field string) bool { return c.Path == field || strings.HasPrefix(c.Path, field+".") }
		return slices.ContainsFunc(mutable, may) || profile.MutableHistoryLimit && may("spec.revisionHistoryLimit")
	})
}
