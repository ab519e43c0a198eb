package whatif

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// Subject is a set that something happens to, and a change of it. Plans and upgrades fill it in; cases read it.
type Subject struct {
	Key model.Key
	// Live is the set as it runs, nil if there is none yet. Wanted is what the change makes of it.
	Live, Wanted *model.StatefulSet
	// Change is the change.
	Change play.Deed
	// Template is the number of the template that the change brings, the N of @N in the runs.
	Template int
	// Replaced are the pods that the change replaces, in the order in which they are deleted; maybe none.
	Replaced []string
	// Created are the pods that come with it and that were not there before.
	Created []string
	// Touched is the first pod that the change does anything to, "" if it does nothing to any.
	Touched string
	// Rolls says that the change brings another template. Staged says that some pods have that template already.
	Rolls, Staged bool
	// Low is the pod that is deleted, or not Ready, if the case is about one: one that the update comes to late.
	Low string
	// Begun is the time from the change until the first pod that it replaces is being deleted, Middle until that has been
	// deleted and is coming back. Pause is how long before the change something else has happened.
	Begun, Middle, Pause time.Duration
	// Grace is the time for which a node may be silent before it counts as not Ready.
	Grace time.Duration
	// Times are the times of the stages of the set's pods.
	Times behaviour.Times
	// Unprobed says that the pods have no readiness probe.
	Unprobed bool
	// Guarded says that a PodDisruptionBudget allows no eviction of a pod while another one is down.
	Guarded bool
	// Images are the changes of the image that an upgrade tries; a plan has none.
	Images *Images
}

// Images are changes of a set's image, each complete in itself.
type Images struct {
	// New is a good one, Broken one that never starts, Unready one that never becomes Ready; Revert goes back.
	New, Broken, Unready, Revert play.Deed
	// Slower is New, and together with it minReadySeconds are raised.
	Slower play.Deed
}

// Serves says how many pods of the set serve before anything happens to it.
func (s *Subject) Serves() int {
	if s.Live == nil {
		return 0
	}
	return int(s.Live.Spec.Replicas)
}

// ByHand says whether the new template comes only to pods that somebody deletes.
func (s *Subject) ByHand() bool {
	return s.Rolls && s.Wanted.Spec.Strategy.Type == model.OnDeleteStrategy && s.Serves() > 0 && s.Wanted.Spec.Replicas > 0
}

// replaces says whether the change gives a pod another template, by itself.
func (s *Subject) replaces() bool { return len(s.Replaced) > 0 }

// pod returns the key of a pod of the set.
func (s *Subject) pod(name string) model.Key {
	return model.Key{Namespace: s.Key.Namespace, Name: name}
}

// index returns the pod with an index among the replicas.
func (s *Subject) index(i int) model.Key { return s.pod(s.Wanted.PodName(s.Wanted.Start() + i)) }

// rule returns a rule by which some pods of the set behave otherwise than the set's own times say.
func (s *Subject) rule(match behaviour.Match, change func(*behaviour.Times)) []behaviour.Rule {
	match.Namespace, match.StatefulSet = s.Key.Namespace, s.Key.Name
	times := s.Times
	change(&times)
	return []behaviour.Rule{{Match: match, Times: times}}
}

// renewed matches the pods that the change brings: those of its template.
func (s *Subject) renewed() behaviour.Match { return behaviour.Match{Template: s.Template} }

// of matches one pod once it has the template of the change.
func (s *Subject) of(pod string) behaviour.Match {
	_, ordinal := model.SplitPodName(pod)
	return behaviour.Match{Ordinal: &ordinal, Template: s.Template}
}
