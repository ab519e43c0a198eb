package plan

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// The parts of a plan that other packages make, under the names by which they are known.
type (
	// Options say how a change is to be predicted.
	Options = stored.Options
	// Stream is a file of manifests, or a dump of a live cluster.
	Stream = pair.Stream
	// Input is a change: the StatefulSets of two streams.
	Input = pair.Input
	// Alarm is something about a change that people should look at before they make it.
	Alarm = alarm.Alarm
	// Budget compares what a PodDisruptionBudget asks for with what the rollout leaves.
	Budget = run.Budget
	// Refusal is the API server's answer to a change that it does not accept, with a way around it.
	Refusal = run.Refusal
	// Case is something that may go wrong during the change, and its simulated result.
	Case = run.Case
	// Fix heals a set that the change leaves stuck.
	Fix = run.Fix
)

// Plan says what a change will do. As JSON it is the public form of a plan. Lists that JSON always has are never nil.
type Plan struct {
	// Versions are the versions of Kubernetes, that of the plan first.
	Versions []string `json:"versions"`
	// Kubernetes is the version of the plan, and what a dump shows of that of the cluster.
	Kubernetes release.Versions `json:"kubernetes"`
	// Summary counts what changes; Alarms are the things that somebody has to look at, the worst first.
	Summary Summary       `json:"summary"`
	Alarms  []alarm.Alarm `json:"alarms"`
	// Held is true if all requirements hold. Settles is true if the API server accepts all changes, and all sets of the
	// new files complete if nothing goes wrong. It is false if that is not certain for one of them.
	Held    bool `json:"held"`
	Settles bool `json:"settles"`
	// TooEarly is true if all that keeps it from settling are pods of which it is too early to say whether they become
	// Ready.
	TooEarly bool `json:"tooEarly,omitempty"`
	// Interrupted is true if the user ended it before everything was played.
	Interrupted bool `json:"interrupted,omitempty"`
	// Sets are the sets that change, the worst first.
	Sets []*Set `json:"sets"`
	// Untrusted names the sets about which nothing is certain, because the dump does not show their pods, with the
	// reason. Assumed lists the other assumptions about the state with which the plan begins.
	Untrusted []string `json:"untrusted,omitempty"`
	Assumed   []string `json:"assumed,omitempty"`
	// NotAtRest are the unchanged sets that are not at rest in the dump, each with what will happen to it.
	NotAtRest []*Set `json:"notAtRest,omitempty"`
	// Unchanged are the sets that the change does not touch; Missing are those that are not in the new stream.
	Unchanged []string `json:"unchanged,omitempty"`
	Missing   []string `json:"missing,omitempty"`
	// Ignored names the kinds of objects that have no effect.
	Ignored []string `json:"ignored,omitempty"`
	// Warnings are mistakes in the files that make the whole plan doubtful. Notes are other remarks on the input.
	Warnings []string `json:"warnings,omitempty"`
	Notes    []string `json:"notes,omitempty"`
	// NotModelled lists what a plan does not know.
	NotModelled string `json:"notModelled"`

	// others says that objects of other kinds change; live that the plan begins with the state of a dump; empty that the
	// new stream has no set. leftOut is the number of sets that an interrupted plan knows nothing of.
	others, live, empty bool
	leftOut             int
	// world is the cluster in which it was played, for Show.
	world *run.World
}

// Summary counts what a change does, in sets.
type Summary struct {
	// Sets is the number of sets that change or are removed; the others count how each changes.
	Sets    int `json:"sets"`
	Refused int `json:"refused"`
	Rolls   int `json:"rolls"`
	Scales  int `json:"scales"`
	// Moves counts the sets whose ordinals.start changes, and whose template does not.
	Moves   int `json:"moves"`
	Creates int `json:"creates"`
	Removes int `json:"removes"`
	// ReplacesNone counts, of Rolls, the sets of which no pod is replaced: by OnDelete, a partition, or no replicas.
	// Stuck counts the sets whose change does not complete by itself.
	ReplacesNone int `json:"replacesNone"`
	Stuck        int `json:"stuck"`
	// DeletesVolumes is the number of sets whose volumes are deleted.
	DeletesVolumes int `json:"deletesVolumes"`
	// Together are the sets whose pods are replaced at the same time, NAMESPACE/NAME; empty if there are fewer than
	// two.
	Together []string `json:"together"`
	// Alarms are the alarms of the plan.
	Alarms []alarm.Alarm `json:"alarms"`

	// halted is the number of the sets in Rolls and in Stuck whose rollout does not even start, between that of those
	// whose rollout starts only between two crashes of a pod.
	halted, between int
	// grow and shrink name the sets in Scales with their numbers of replicas, and none those in ReplacesNone.
	grow, shrink, none []string
	// young is the number of the sets in Rolls whose rollout waits for pods of which it is too early to say something.
	young int
}

// Set says what a change does to one set.
type Set struct {
	// Namespace and Name are those of the StatefulSet.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Does is rolls, scales, moves, policy, labels, creates, refused, removes or stays; Headline
	// says it in a sentence.
	Does     string `json:"does"`
	Headline string `json:"headline"`
	// Now says how it stands in a dump before the change, Then how the change leaves it; they are left out where no
	// dump shows its pods. Shows is the state in which the dump shows it, in words; "" if it is at rest or no dump
	// shows it.
	Now   *judge.Judgement `json:"now,omitempty"`
	Then  *judge.Judgement `json:"then,omitempty"`
	Shows string           `json:"shows,omitempty"`
	// Changes are the fields that change, Notes are remarks on them.
	Changes []diff.Change `json:"changes"`
	Notes   []string      `json:"notes,omitempty"`
	// Refusal is set if the API server does not accept the change; then only the ways around it were played.
	Refusal *Refusal `json:"refusal,omitempty"`
	// Order is the order in which pods are deleted and created, in words; Moves is the same pod by pod.
	Order []string  `json:"order"`
	Moves run.Moves `json:"moves"`
	// Completes says whether the change completes if nothing goes wrong; Ends says how it ends.
	Completes bool   `json:"completes"`
	Ends      string `json:"ends"`
	// Fix heals a change that does not complete from the state of a dump; it is left out if none is needed or known.
	// Duration says how long the change takes.
	Fix      *run.Fix      `json:"fix,omitempty"`
	Duration *run.Duration `json:"duration,omitempty"`
	// Serving counts the serving pods. It is left out if nothing was played, and so is Duration.
	Serving *Serving `json:"serving,omitempty"`
	// Volumes are the claims that the change deletes, with their volumes. Budgets are the PodDisruptionBudgets of its
	// pods, Requirements what --require and the annotation ask for, and Cases what happens if something goes wrong.
	Volumes      []string       `json:"volumes,omitempty"`
	Budgets      []*run.Budget  `json:"budgets,omitempty"`
	Requirements []*Requirement `json:"requirements,omitempty"`
	Cases        []*run.Case    `json:"cases,omitempty"`
	// Gates is what the deploy tools say that wait for the change. It is left out if nothing was played.
	Gates []*gated.Answer `json:"gates,omitempty"`
	// Differences say what is different on the other versions.
	Differences []Difference `json:"differences,omitempty"`

	key    model.Key
	pair   *pair.Pair
	alarms []alarm.Alarm
	// verdict is that of the run in which nothing goes wrong.
	verdict timeline.Verdict
	// scales says that the number of replicas changes, onDelete that the strategy of the new set is OnDelete, between
	// that its rollout starts only between two crashes of a pod.
	scales, onDelete, between bool
	// from is the number of replicas before, of a set that scales.
	from int
	// young is true if it is stuck only on pods of which it is too early to say that they do not become Ready.
	young bool
	// doubt says why nothing about it is certain; "" if it can be trusted. provided is what must be true, and a dump
	// does not show, so that it completes.
	doubt, provided string
}

// What a change does to a set.
const (
	Rolls  = "rolls"
	Scales = "scales"
	// Renumbers: ordinals.start changes, so that pods go for good and others come.
	Renumbers = "moves"
	Policy    = "policy"
	Labels    = "labels"
	Creates   = "creates"
	Refused   = "refused"
	// Removes: the set is not in the new files.
	Removes = "removes"
	// Stays: nothing changes in the set, which is not at rest.
	Stays = "stays"
)

// Serving counts the pods that are Ready and not Terminating.
type Serving struct {
	// Before is the number when the change comes, Fewest the least on the way, After the number at its end, of
	// Replicas.
	Before   int `json:"before"`
	Fewest   int `json:"fewest"`
	After    int `json:"after"`
	Replicas int `json:"replicas"`
}

// String says it in a line; nil is "".
func (s *Serving) String() string {
	switch {
	case s == nil:
		return ""
	case s.Before == 0:
		return fmt.Sprintf("%d of %d after; none before", s.After, s.Replicas)
	case s.Replicas == 0:
		return fmt.Sprintf("%d before, %d after", s.Before, s.After)
	case s.Fewest == 0:
		return fmt.Sprintf("at times none of %d; %d before, %d after", s.Replicas, s.Before, s.After)
	case s.Fewest == s.Replicas && s.Before == s.After && s.After == s.Replicas:
		return fmt.Sprintf("%d of %d all the time", s.Fewest, s.Replicas)
	}
	return fmt.Sprintf("at least %d of %d on the way; %d before, %d after", s.Fewest, s.Replicas, s.Before, s.After)
}

// Requirement is a bound that a change must keep to.
type Requirement struct {
	// Text is the requirement as it was given, Source the place where it was given.
	Text   string `json:"text"`
	Source string `json:"source"`
	// Held is false too if the value is not known.
	Held bool `json:"held"`
	// Got is the result, or the reason why there is none.
	Got string `json:"got"`
}

// String says it in a line.
func (r *Requirement) String() string {
	word := "FAILED"
	if r.Held {
		word = "held"
	}
	return fmt.Sprintf("%s: %s (%s; %s)", word, r.Text, r.Got, r.Source)
}

// Difference is an answer that is different on another version.
type Difference struct {
	// Version is the other version.
	Version string `json:"version"`
	// What names the answer that differs; Here is what the other version answers.
	What string `json:"what"`
	Here string `json:"here"`

	// usual says that it is about a case that goes as with most sets, on both versions.
	usual bool
}

func (s *Set) held() bool {
	return !slices.ContainsFunc(s.Requirements, func(r *Requirement) bool { return !r.Held })
}

func (s *Set) has(name string) bool {
	return slices.ContainsFunc(s.Cases, func(c *run.Case) bool { return c.Name == name })
}

// full returns a list that is not nil, so that programs find a list in the JSON and no null.
func full[S ~[]E, E any](items S) S {
	if items == nil {
		return S{}
	}
	return items
}

func names(sets []*Set) []string {
	var list []string
	for _, s := range sets {
		list = append(list, s.key.String())
	}
	return list
}
