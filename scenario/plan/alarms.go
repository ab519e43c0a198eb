package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/atlas"
	"github.com/statefulsim/statefulsim/scenario/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/plan/times"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Alarm is something about a change that people should look at before they make it.
type Alarm struct {
	// Set is the set, NAMESPACE/NAME.
	Set string `json:"set"`
	// Trap names the alarm: one of those that docs/plan.md lists, or a case that ends worse than it does with most
	// sets.
	Trap string `json:"trap"`
	// Sentence says what will happen, without the name of the set and without a full stop.
	Sentence string `json:"sentence"`
}

// The traps, the worst first.
const (
	TrapFirst       = "first-installation"
	TrapRefused     = "refused"
	TrapVolumes     = "volumes"
	TrapRemoved     = "removed"
	TrapOrdinals    = "ordinals"
	TrapClaims      = "claim-templates"
	TrapLoop        = "loop"
	TrapStops       = "stops"
	TrapUnavailable = "unavailable"
	TrapNone        = "scaled-to-zero"
	TrapNames       = "dns"
	TrapSelector    = "selector"
	TrapBudget      = "budget"
	TrapNotAtRest   = "not-at-rest"
	TrapRetention   = "volumes-later"
	TrapReady       = "no-readiness-probe"
	TrapGate        = "readiness-gate"
)

// severity is the order of the traps. Cases come before the traps that say how far a plan can be trusted.
var severity = []string{
	TrapNotAtRest, TrapFirst, TrapRefused, TrapVolumes, TrapRemoved, TrapOrdinals, TrapClaims, TrapMounts, TrapUser,
	TrapLoop, TrapStops, TrapUnavailable, TrapNone, TrapAutoscaler, TrapNames, TrapSelector, TrapBudget, "", TrapRetention,
	TrapReady, TrapGate,
}

// rank returns the place of a trap in the order of severity: smaller is worse. Traps of the atlas come before cases,
// the worst first. An unknown trap counts as a case.
func rank(trap string) int {
	at := slices.Index(severity, trap)
	if at < 0 {
		at = slices.Index(severity, "")
	}
	return at*(len(atlas.Traps)+1) + atlas.Rank(trap)
}

// alarm adds an alarm to a set.
func (s *Set) alarm(trap, format string, args ...any) {
	s.alarms = append(s.alarms, Alarm{Set: s.key.String(), Trap: trap, Sentence: fmt.Sprintf(format, args...)})
}

// warn adds the alarms of a set: what people should look at in its change. The set must have been played. traps are
// those of the atlas that the version has.
func (e *edit) warn(traps []*atlas.Trap) {
	s := e.set
	switch {
	case s.Refusal != nil && s.Refusal.invalid:
		s.alarm(TrapRefused, "%s: %s", s.Headline, render.Shorten(s.Refusal.Message, longestMessage))
	case s.Refusal != nil:
		s.alarm(TrapRefused, "the API server refuses the change%s", s.Refusal.fields())
	}
	e.warnOfFields()
	if s.Refusal == nil && s.Serving != nil {
		e.warnOfRollout()
	}
	for _, c := range e.warnOfTraps(traps) {
		s.alarm(c.Name, "if %s: %s", c.Asks, c.outcome)
	}
}

// fields names the fields that a refusal is about. Where none of them is one that cannot be changed it says why.
func (r *Refusal) fields() string {
	var paths []string
	for _, c := range r.Changes {
		if !slices.Contains(paths, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	if len(paths) > 0 {
		return ": " + render.List(paths, 3) + " cannot be changed"
	}
	if _, why, found := strings.Cut(r.Message, " is invalid: "); found {
		return ": " + render.Shorten(why, longestMessage)
	}
	return ""
}

// warnOfFields adds the alarms about fields that change, whether or not the API server accepts the change.
func (e *edit) warnOfFields() {
	s := e.set
	if e.live == nil {
		return
	}
	live, wanted := &e.live.Spec, &e.wanted.Spec
	if live.ServiceName != wanted.ServiceName {
		e.warnOfNames(e.live.PodName(e.live.Start()), live.ServiceName, wanted.ServiceName)
	}
	if live.Selector.Data != wanted.Selector.Data {
		s.alarm(TrapSelector, "the selector changes: a set that is created again finds only pods that have the new labels")
	}
	e.warnOfClaims()
	e.warnOfMounts()
	was, is := retention(live), retention(wanted)
	if len(wanted.ClaimTemplates) > 0 && is.DeleteWithSet && !was.DeleteWithSet {
		s.alarm(TrapRetention, "whenDeleted becomes Delete: from now on deleting the set deletes its volumes")
	}
	if len(wanted.ClaimTemplates) > 0 && is.DeleteWhenScaled && !was.DeleteWhenScaled && len(s.Volumes) == 0 {
		s.alarm(TrapRetention, "whenScaled becomes Delete: from now on a scale-down deletes the volumes of the removed pods")
	}
}

// retention returns the retention policy of a spec; without one nothing is deleted.
func retention(spec *model.Spec) model.Retention {
	if spec.Retention == nil {
		return model.Retention{}
	}
	return *spec.Retention
}

// warnOfRollout adds the alarms about what the change does to the pods, in the run in which nothing goes wrong.
func (e *edit) warnOfRollout() {
	s := e.set
	e.warnOfVolumes()
	if lost := e.lostOrdinals(); e.renumbers() && lost != "" {
		s.alarm(TrapOrdinals, "%s", lost)
	}
	switch {
	case s.verdict == timeline.Livelock:
		s.alarm(TrapLoop, "%s", s.Ends)
	case !s.Completes && !s.young:
		s.alarm(TrapStops, "%s", s.Ends)
	case s.provided != "":
		s.alarm(TrapNotAtRest, "%s", s.Ends)
	}
	down, may := together((&facts{moves: s.Moves}).of(replaced)), e.mayBeDown()
	switch {
	case down > may:
		s.alarm(TrapUnavailable, "up to %d pods are down at once, and %s, although maxUnavailable is %d%s",
			down, serve(s.Serving.Fewest, s.Serving.Replicas), may, e.becauseYoung())
	case s.Serving.Fewest == 0 && s.Serving.Before > 1 && s.Serving.Replicas > 0:
		s.alarm(TrapUnavailable, "at times none of its pods serves")
	}
	if s.Serving.Before > 0 && s.Serving.Replicas == 0 {
		s.alarm(TrapNone, "scales to 0: nothing serves afterwards")
	}
	for _, b := range s.Budgets {
		if !b.Kept() {
			s.alarm(TrapBudget, "goes %s", b.short())
		}
	}
	e.warnOfTrust()
}

// warnOfVolumes adds the alarms about the claims that go on the way: those that a scale-down deletes, and those that
// somebody has deleted before. The latter exist only as long as their pods do (the finalizer pvc-protection).
func (e *edit) warnOfVolumes() {
	var scaled, doomed []string
	for _, name := range e.set.Volumes {
		if e.terminating(name) {
			doomed = append(doomed, name)
		} else {
			scaled = append(scaled, name)
		}
	}
	if len(scaled) > 0 {
		e.set.alarm(TrapVolumes, "deletes %s permanently, with %s (whenScaled: Delete)", render.List(scaled, 4),
			render.Agree(len(scaled), "its volume", "their volumes"))
	}
	if len(doomed) > 0 {
		e.set.alarm(TrapVolumes, "loses %s permanently, with %s: %s been deleted already, and only the running %s; before "+
			"you apply this, sim explain DUMP says how to save the data",
			render.List(doomed, 4), render.Agree(len(doomed), "its volume", "their volumes"),
			render.Agree(len(doomed), "it has", "they have"),
			render.Agree(len(doomed), "pod keeps it", "pods keep them"))
	}
}

// terminating says whether a claim is being deleted before the change comes.
func (e *edit) terminating(claim string) bool {
	if e.part == nil {
		return false
	}
	found := e.part.Claim(model.Key{Namespace: e.pair.Key.Namespace, Name: claim})
	return found != nil && found.Terminating()
}

// mayBeDown returns the number of pods that an update may make unavailable: maxUnavailable as the API server has
// stored it, a percentage rounded down, at least 1; 1 without it.
func (e *edit) mayBeDown() int {
	block := e.wanted.Spec.Strategy.RollingUpdate
	if block == nil || block.MaxUnavailable == nil {
		return 1
	}
	if m := block.MaxUnavailable; m.Percent {
		return max(1, int(int64(m.Value)*int64(e.wanted.Spec.Replicas)/100))
	}
	return max(1, int(block.MaxUnavailable.Value))
}

// warnOfNames says which names of the pods stop resolving. A set without a serviceName gives its pods none.
func (e *edit) warnOfNames(pod, was, is string) {
	text := fmt.Sprintf("serviceName goes from %q to %q: ", was, is)
	switch "" {
	case was:
		text += fmt.Sprintf("%s.%s does not resolve before the pod is created again", pod, is)
	case is:
		text += fmt.Sprintf("%s.%s resolves until the pod is created again, and from then on the pod has no name", pod, was)
	default:
		text += fmt.Sprintf("%s.%s does not resolve before the pod is created again, and then %s.%s no longer does",
			pod, is, pod, was)
	}
	e.set.alarm(TrapNames, "%s", text)
}

// becauseYoung says why more pods are down at once than maxUnavailable says, if the reason is known.
func (e *edit) becauseYoung() string {
	if e.wanted.Spec.MinReadySeconds == 0 || e.wanted.Spec.PodManagement != model.Parallel {
		return ""
	}
	return ": a pod that has been Ready for less than minReadySeconds counts as broken. Change minReadySeconds alone, " +
		"wait for that long, and then make the change"
}

// warnOfTrust adds the alarms about how far the plan can be trusted.
func (e *edit) warnOfTrust() {
	s, template := e.set, e.wanted.Spec.Template
	switch {
	case e.pair.deleting:
		s.alarm(TrapNotAtRest, "somebody has deleted it: the change is lost with it, so apply it again when the set is gone")
	case e.early() != "":
		s.alarm(TrapNotAtRest, "%s", e.early())
	case s.doubt != "":
		s.alarm(TrapNotAtRest, "do not trust this plan: %s, the dump does not show the pods, and the plan assumes that "+
			"the set is at rest", s.doubt)
	}
	restarts := len((&facts{moves: s.Moves}).of(replaced))
	if restarts > 1 && unprobed(template) {
		s.alarm(TrapReady, "the pods have no readiness probe: nothing waits for the application, and a pod that runs "+
			"counts as serving%s", s.crashing())
	}
	if restarts > 0 && strings.Contains(template.Data, `"readinessGates"`) {
		s.alarm(TrapGate, "the pods have readiness gates: the rollout waits until somebody sets their conditions on each "+
			"new pod; assumed: that happens at once")
	}
}

// unprobed says whether the case is the one in which a revision crashes and no readiness probe notices.
func (c *Case) unprobed() bool { return c.kind != nil && c.kind.Name == crashes }

// crashing says what a crashing revision does to a set whose pods have no readiness probe.
func (s *Set) crashing() string {
	for _, c := range s.Cases {
		if c.unprobed() {
			return ". If the new revision crashes, the rollout continues, and " + serve(c.Fewest, s.Serving.Replicas)
		}
	}
	return ""
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
	Alarms []Alarm `json:"alarms"`

	// halted is the number of the sets in Rolls and in Stuck whose rollout does not even start, between that of those
	// whose rollout starts only between two crashes of a pod.
	halted, between int
	// young is the number of the sets in Rolls whose rollout waits for pods of which it is too early to say something.
	young int
}

// conclude sorts the sets, the worst first, and sums the plan up. It comes last, when all sets have their alarms.
func (plan *Plan) conclude() {
	plan.NotModelled = plan.notModelled()
	plan.Alarms = []Alarm{}
	s := &plan.Summary
	s.Together = []string{}
	for _, set := range plan.NotAtRest {
		plan.Alarms = append(plan.Alarms, set.alarms...)
	}
	plan.Untrusted = untrusted(slices.Concat(plan.Sets, plan.NotAtRest))
	for _, set := range plan.Sets {
		s.count(set)
		slices.SortStableFunc(set.alarms, func(a, b Alarm) int { return cmp.Compare(rank(a.Trap), rank(b.Trap)) })
		plan.Alarms = append(plan.Alarms, set.alarms...)
	}
	if len(s.Together) == 1 {
		s.Together = []string{}
	}
	slices.SortStableFunc(plan.Alarms, func(a, b Alarm) int { return cmp.Compare(rank(a.Trap), rank(b.Trap)) })
	slices.SortStableFunc(plan.Sets, func(a, b *Set) int { return cmp.Compare(a.urgency(), b.urgency()) })
	s.Alarms = plan.Alarms
	all := slices.Concat(plan.Sets, plan.NotAtRest)
	for _, set := range all {
		set.list()
	}
	plan.Held = !slices.ContainsFunc(all, func(s *Set) bool { return !s.held() })
	known := plan.leftOut+len(plan.Untrusted) == 0 && !slices.ContainsFunc(all, func(s *Set) bool {
		return s.Refusal != nil || !s.Completes && !s.young
	})
	young := slices.ContainsFunc(all, func(s *Set) bool { return s.young })
	plan.Settles, plan.TooEarly = known && !young, known && young
	if plan.Sets == nil {
		plan.Sets = []*Set{}
	}
}

// list makes the lists of a set that are nil empty, so that programs find a list in the JSON and no null.
func (s *Set) list() {
	if s.Changes == nil {
		s.Changes = []diff.Change{}
	}
	if s.Order == nil {
		s.Order = []string{}
	}
	if s.Moves == nil {
		s.Moves = []Move{}
	}
	if s.Duration != nil && s.Duration.Timings == nil {
		s.Duration.Timings = []*times.Timing{}
	}
}

// count counts a set in its line of the summary.
func (s *Summary) count(set *Set) {
	s.Sets++
	switch set.Does {
	case Refused:
		s.Refused++
	case Rolls:
		s.Rolls++
		switch none := len((&facts{moves: set.Moves}).of(replaced)) == 0; {
		case none && (set.Completes || set.onDelete):
			s.ReplacesNone++
		case none && set.young:
			s.young++
		case none && set.between:
			s.between++
		case none:
			s.halted++
		}
	case Renumbers:
		s.Moves++
	case Creates:
		s.Creates++
	case Removes:
		s.Removes++
	}
	if set.Refusal == nil && !set.Completes && !set.young {
		s.Stuck++
	}
	if set.scales {
		s.Scales++
	}
	if len(set.Volumes) > 0 {
		s.DeletesVolumes++
	}
	if set.Does != Removes && len(set.Moves) > 0 {
		s.Together = append(s.Together, set.key.String())
	}
}

// urgency returns the place of a set in the order in which people should look at the sets. It depends on its worst
// alarm, and on what the change does.
func (s *Set) urgency() int {
	worst := rank("") + len(severity)*(len(atlas.Traps)+1)
	if len(s.alarms) > 0 {
		worst = rank(s.alarms[0].Trap)
	}
	return worst*len(deeds) + slices.Index(deeds, s.Does)
}

// deeds are the possible effects of a change on a set, the most important first.
var deeds = []string{Refused, Removes, Rolls, Renumbers, Scales, Creates, Policy, Labels, ""}
