package upgrade

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Moving is a set that a dump shows in the midst of something, and what the upgrade does to it as it is.
type Moving struct {
	// Set is NAMESPACE/NAME, Shows the state that the dump shows, in words that begin a sentence.
	Set   string `json:"set"`
	Shows string `json:"shows"`
	// Now says how it stands on the first version, as sim explain does; left out if the dump does not show its pods.
	Now *judge.Judgement `json:"now,omitempty"`
	// Known says that the dump shows its pods, so it was played: without the upgrade, and with an immediate upgrade.
	// Otherwise nothing is known.
	Known bool `json:"known"`
	// From and To are the versions of the first hop, which is the one that meets the set in this state. Endings are the
	// results for the set without the upgrade and with it, in words. Changes says that they differ, Worse that the
	// upgrade makes it worse: it no longer settles, or fewer pods serve on the way. All are empty unless Known.
	From    string    `json:"from,omitempty"`
	To      string    `json:"to,omitempty"`
	Endings [2]string `json:"endings,omitzero"`
	Changes bool      `json:"changes"`
	Worse   bool      `json:"worse"`
}

// ReadState reads the state of the sets from all input that was read, if it shows their pods; else it does nothing. It
// must be called after the last Read, as the pods of a set may stand in another file than the set. The error is that
// of dump.Read.
func (in *Input) ReadState(limits strict.Limits) error {
	if !in.pods {
		return nil
	}
	d, err := dump.Read(in.sources, dump.Options{Limits: limits})
	if err != nil {
		return err
	}
	in.live = d.Index()
	if in.anyMoves() {
		for _, sentence := range slices.Concat(d.Assumed, d.CrashAgain()) {
			if !slices.Contains(in.Unmodelled, sentence) {
				in.Unmodelled = append(in.Unmodelled, sentence)
			}
		}
	}
	in.Ignored = slices.DeleteFunc(in.Ignored, func(kind string) bool { return slices.Contains(dump.Kinds(), kind) })
	return nil
}

func (in *Input) anyMoves() bool {
	return slices.ContainsFunc(in.Sets, func(s *Set) bool { return in.live.Shows(s.Key) && !in.live.AtRest(s.Key) })
}

// live says what the first hop does to a set that is not at rest, nil of one that is. The run without the upgrade has a
// step that does nothing, so that both have a step 1 from which pods are counted. judged is how the set stands; nil if
// that is not known.
func (o *Options) live(in *Input, set *Set, h *hop, judged *judge.Set) *Moving {
	if in.live == nil || !in.live.Shows(set.Key) {
		if set.moving == "" {
			return nil
		}
		return &Moving{Set: set.Key.String(), Shows: set.moving}
	}
	if in.live.AtRest(set.Key) {
		return nil
	}
	m := &Moving{Set: set.Key.String(), Shows: in.live.Now(set.Key), Known: true, From: h.names[0], To: h.names[1]}
	part := in.live.Part(set.Key)
	if judged != nil {
		m.Now = &judged.Judgement
	}
	var outcomes [2]Outcome
	for side, script := range []play.Script{{play.Deed{Verb: "wait", Does: "wait"}}, {play.UpgradeControlPlane(h.to)}} {
		script[0].When = sim.When{Trigger: sim.At}
		lab := o.lab(part, h.from)
		events := lab.Run(script)
		outcomes[side] = liveOutcome(events, set.Key)
		outcomes[side].between(lab, script, part, events, set.Key)
	}
	a, b := outcomes[0], outcomes[1]
	m.Endings[0], m.Endings[1] = contrast(a, b, int(set.object.Spec.Replicas))
	m.Changes = a != b
	m.Worse = b.stops() > a.stops() || b.FewestServing < a.FewestServing
	return m
}

// judged says how the sets of a dump stand on a version; nil if there is no dump with pods, or if all are at rest.
func (o *Options) judged(in *Input, profile statefulset.Profile) map[model.Key]*judge.Set {
	if in.live == nil || !in.anyMoves() {
		return nil
	}
	sets, _ := judge.Of(in.live.Dump, o.lab(in.live.Dump, profile))
	return judge.ByKey(sets)
}

// between completes the outcome of a set that is stuck on a pod which crashes again and again, and is Ready at times:
// the run assumed that it stays not Ready. It plays what the controller does while the pod is Ready.
func (o *Outcome) between(lab *play.Lab, script play.Script, part *dump.Dump, events []timeline.Event, key model.Key) {
	_, stuck := events[len(events)-1].Result.Of(key)
	pod := part.ReadyAgain(stuck)
	if pod == "" {
		return
	}
	crashing := *lab
	crashing.World, o.comes = part.BetweenCrashes(lab.World, key.Namespace)
	if !o.comes {
		return
	}
	o.Ending += "; it continues " + dump.BetweenTwo(pod)
	if liveOutcome(crashing.Run(script), key).verdict == timeline.Settled {
		o.Ending += ", and may then complete"
	}
}

// stops orders the outcomes of a set that a dump shows: it settles, or continues between two crashes only, or does
// neither.
func (o *Outcome) stops() int {
	switch {
	case o.verdict == timeline.Settled:
		return 0
	case o.comes:
		return 1
	}
	return 2
}

// lab returns the laboratory in which a set continues from the state of a dump. The Behaviour is empty: each pod takes
// the times that the pods of the dump took, which Begin fills in.
func (o *Options) lab(part *dump.Dump, profile statefulset.Profile) *play.Lab {
	return &play.Lab{Profile: profile, World: part.Begin(release.Config(profile, sim.Config{
		MaxEvents: o.MaxEvents, Interrupted: o.Interrupted,
		Kubelet: behaviour.Behaviour{}, Header: timeline.Run{Scenario: part.State.From},
	}))}
}

// liveOutcome returns the result of a set from the first step on. The run may have other sets, which may be stuck by
// themselves: if this one has come to rest, its verdict is Settled.
func liveOutcome(events []timeline.Event, key model.Key) Outcome {
	verdict, stuck := events[len(events)-1].Result.Of(key)
	o := Outcome{verdict: verdict}
	o.FewestServing, _ = play.Cost(events, key, 1)
	begin := play.StepAt(events, 1)
	takes := time.Duration(0)
	for i := range events {
		if e := &events[i]; i > begin && e.Set == key && e.Kind == timeline.KindPod {
			takes = e.T.Sub(events[begin].T)
			if e.State == timeline.Terminating {
				o.Deleted++
			}
		}
	}
	switch {
	case o.verdict == timeline.IsStuck:
		o.Ending = fmt.Sprintf("is stuck: %s (%s)", stuck.Why.Sentence(), stuck.Why.Code)
	case o.verdict != timeline.Settled:
		o.Ending = Ending(events)
	default:
		o.Ending = liveSettles(takes)
	}
	return o
}

// liveSettles words that a set settles; a set to which nothing happens takes no time.
func liveSettles(takes time.Duration) string {
	if takes == 0 {
		return "stays as it is"
	}
	return "settles after " + render.Clock(takes)
}

func (m *Moving) urgency() int {
	switch {
	case m.Worse:
		return 0
	case m.Changes:
		return 1
	case m.Known:
		return 2
	}
	return 3
}

func (m *Moving) says() string {
	from, to := m.Endings[0], m.Endings[1]
	switch {
	case m.Now != nil && m.Now.State == judge.TooEarly && !m.Worse && !m.Changes:
		return fmt.Sprintf("%s. It is too early to say more: wait for %s. The upgrade to %s changes nothing about it",
			m.Shows, render.Clock(time.Duration(m.Now.Until).Round(time.Second)), m.To)
	case m.Worse:
		return fmt.Sprintf("%s. %son %s it %s; upgraded to %s it %s", m.Shows, worse, m.From, from, m.To, to)
	case m.Changes:
		return fmt.Sprintf("%s. On %s it %s; upgraded to %s it %s", m.Shows, m.From, from, m.To, to)
	}
	return fmt.Sprintf("%s. It %s, and the upgrade to %s changes nothing about it", m.Shows, from, m.To)
}
