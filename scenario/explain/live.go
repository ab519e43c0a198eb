package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/command"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Live describes a live cluster: its sets, those that need somebody first.
type Live struct {
	// At is the time at which the dump was taken (RFC 3339): the newest time in it, unless it was given. It is left out if
	// the dump has no time at all. All other times are seconds that count from there. Sets are its StatefulSets, those
	// that need somebody first.
	At   time.Time  `json:"at,omitzero"`
	Sets []*LiveSet `json:"sets"`
	// Causes are what several of the stuck sets have in common, those of the most sets first.
	Causes []Cause `json:"causes,omitempty"`
	// Assumed says what is assumed because a kind is missing. Notes are observations beside the sets.
	Assumed []string `json:"assumed,omitempty"`
	Notes   []string `json:"notes,omitempty"`

	// setless is true if the dump has pods of sets but no sets: then nothing can be said of them.
	setless bool
}

// LiveSet is a set of a live cluster.
type LiveSet struct {
	// Namespace and Name are those of the StatefulSet.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Replicas is spec.replicas, Serving the number of its pods that are Ready and not Terminating.
	Replicas int `json:"replicas"`
	Serving  int `json:"serving"`
	// AtRest: the set matches its spec. GoesOn: it does not, but will by itself. At most one of them is true; if neither
	// is, it is stuck, or nobody knows (Unknown). StuckOn is the pod that the set, or a drain of its node, is stuck on,
	// if it is a pod.
	AtRest  bool   `json:"atRest"`
	GoesOn  bool   `json:"goesOn"`
	StuckOn string `json:"stuckOn,omitempty"`
	// Unknown is what the status shows of a set that is not at rest and whose pods are not in the dump: nobody can say
	// whether it continues. It is "" for every other set.
	Unknown string `json:"unknown,omitempty"`
	// Assumes is the assumption under which it is stuck: that a running pod stays unready; "" means none. TooEarly says
	// that it is too early to assume that, and how long to wait.
	Assumes  string `json:"assumes,omitempty"`
	TooEarly string `json:"tooEarly,omitempty"`
	// Provided is an assumption under which it continues by itself; "" means none. There are two: the node of a
	// terminating pod answers, although the dump does not show the node; or an unknown storage class gives volumes.
	Provided string `json:"provided,omitempty"`
	// Why is the cause in a sentence, Facts what the dump shows of it.
	Why   string   `json:"why,omitempty"`
	Facts []string `json:"facts,omitempty"`
	// Next are the next changes of its pods, as POD STATE, in order, and NextClaims those of its claims; Takes is the
	// time from the dump until the last one. They are those of the simulated run, so they are only as good as its Pace.
	Next       []string `json:"next,omitempty"`
	NextClaims []string `json:"nextClaims,omitempty"`
	Takes      Instant  `json:"takes,omitempty"`
	// Pace says which times the simulation takes for the pods, and where they come from.
	Pace string `json:"pace,omitempty"`
	// Pods are sorted by ordinal, without those of other owners. Waits are, of a set that is stuck, what keeps it there,
	// StuckOn first; of one that goes on, what the controller waits for, the oldest first; of one at rest, only what a
	// drain would wait for.
	Pods  []Pod   `json:"pods"`
	Waits []*Wait `json:"waits"`
	// AtRisk are the PVCs of its pods that are being deleted: they are gone when their pods are.
	AtRisk []*Risk `json:"atRisk,omitempty"`
	// WaysOut are the commands that people use, each played from the state of the dump. Those that heal the set come
	// first, the best one at the top.
	WaysOut []WayOut `json:"waysOut,omitempty"`

	key model.Key
	// othersTook are the times that the Ready pods of the dump took.
	othersTook times
	// draining is the node whose drain would wait for ever for StuckOn. going is true if the set is being deleted, and old
	// says how many of its pods have an old revision, and why it leaves them.
	draining string
	going    bool
	old      string
	// only says under which condition it continues, or is whole, that may come about by itself; "" if there is none.
	only string
	// guessed are the times that are only assumed and that Takes rests on: "stop in 2s".
	guessed []string
	// unseen is true if the dump does not show its pods. now is the set as the dump has it.
	unseen bool
	now    *timeline.Set
}

// Stuck says whether a set gets nowhere by itself.
func (s *LiveSet) Stuck() bool { return !s.AtRest && !s.GoesOn && s.Unknown == "" }

// Well says whether nobody needs to look at a set: it is at rest, no drain waits for it, and no data is at risk.
func (s *LiveSet) Well() bool { return s.AtRest && s.StuckOn == "" && len(s.AtRisk) == 0 }

// Key returns the name of a set.
func (s *LiveSet) Key() model.Key { return s.key }

// Held says whether all sets are at rest, or get there by themselves. It is false if that is not known of a set, or if
// the dump shows only the pods of sets.
func (l *Live) Held() bool {
	return !l.setless && !slices.ContainsFunc(l.Sets, func(s *LiveSet) bool { return s.Stuck() || s.Unknown != "" })
}

// Whole says whether the dump shows the pods of all its sets, so that a run can begin with it.
func (l *Live) Whole() bool {
	return !slices.ContainsFunc(l.Sets, func(s *LiveSet) bool { return s.unseen })
}

// ExplainLive explains the sets of a dump: those that need somebody first, then those that lack the most. The
// laboratory is one whose worlds begin with it. It plays what happens by itself, once for all sets, and the ways out of
// each stuck set in a world of its namespace. Neither of the two is changed, and Sets is never nil.
func ExplainLive(d *dump.Dump, lab *play.Lab) *Live { return explainLive(d, lab, "") }

// ExplainPod explains the sets that have a pod of a name, NAME or NAMESPACE/NAME, or are stuck on it. It plays the ways
// out of these sets alone. There are none if the dump has no such pod of a set.
func ExplainPod(d *dump.Dump, lab *play.Lab, pod string) *Live { return explainLive(d, lab, pod) }

// explainLive explains the sets of a pod, or all if it is "".
func explainLive(d *dump.Dump, lab *play.Lab, pod string) *Live {
	quiet := *lab
	quiet.World.Start = d.WithoutServices()
	lab = &quiet
	live := &Live{
		At: d.At, Sets: []*LiveSet{}, Assumed: d.Assumed, Notes: notes(d),
		setless: d.Ignored && len(d.State.Sets) == 0,
	}
	events := lab.Run(nil)
	begun := 1 + lastOfDump(events)
	var fold timeline.Fold
	for i := range begun {
		fold.Apply(&events[i])
	}
	run := chronicleOf(events, d.Index())
	others, losses := taken(d, func(*sim.PodState) bool { return true }), lossesOf(d)
	for _, set := range fold.Sets() {
		s := &LiveSet{
			Namespace: set.Key.Namespace, Name: set.Key.Name, key: set.Key, othersTook: others,
			Replicas: int(set.Spec.Spec.Replicas), Serving: set.Serving(), now: set,
		}
		live.Sets = append(live.Sets, s)
		if d.Hidden(set.Spec) {
			s.hidden(set.Spec)
			continue
		}
		s.follow(set, run.since(begun, set.Key))
		s.pods(set, d)
		s.going = set.Spec.Terminating()
		s.pace(set.Spec.Spec.Template, d, lab)
		s.judge(set, run, d)
		for i := range s.Pods {
			s.Pods[i].Held = holds(s.Waits, s.Pods[i].Name)
		}
		if s.Stuck() {
			s.assume(d, lab)
			s.crashes(set.Spec, d)
			s.shares(losses, d)
			s.besides(d)
			s.others(set.Spec, d)
			s.service(set.Spec, d)
			s.named(d)
			s.operator(d)
			if when := d.Heals(model.Key{Namespace: s.Namespace, Name: s.StuckOn}); when != "" {
				s.only = "it continues " + when
			}
		}
		s.risks(set, run.dump, lab, events[begun:])
		s.bindAgain()
	}
	live.Notes = append(live.Notes, resizes(d, live.Sets)...)
	if pod != "" {
		live.only(pod)
	}
	live.lead(lab, run)
	slices.SortStableFunc(live.Sets, func(a, b *LiveSet) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.share(), b.share()), a.key.Compare(b.key))
	})
	live.Causes = live.shared(d)
	return live
}

// only keeps the sets that have a pod of a name, NAME or NAMESPACE/NAME, or are stuck on it.
func (l *Live) only(pod string) {
	l.Sets = slices.DeleteFunc(l.Sets, func(s *LiveSet) bool {
		name := strings.TrimPrefix(pod, s.Namespace+"/")
		return !slices.ContainsFunc(s.Pods, func(p Pod) bool { return p.Name == name }) && s.StuckOn != name
	})
}

// lead tries the ways out of the sets that are stuck, and looks at what would hold up a drain.
func (l *Live) lead(lab *play.Lab, run *chronicle) {
	for _, s := range l.Sets {
		if s.Stuck() {
			s.lead(lab, run, nil)
		}
	}
	held := slices.DeleteFunc(slices.Clone(l.Sets), func(s *LiveSet) bool { return !s.AtRest && !s.Stuck() || s.unseen })
	if len(held) == 0 {
		return
	}
	for _, drain := range drainsOf(run.dump, lab) {
		for _, s := range held {
			if s.AtRest {
				s.drained(lab, drain)
			} else {
				s.holdsUp(drain)
			}
		}
	}
}

// hidden takes over what the status says of a set whose pods are not in the dump. Nothing is played for it.
func (s *LiveSet) hidden(set *model.StatefulSet) {
	s.unseen, s.Serving, s.Pods, s.Waits = true, int(set.Status.Ready), []Pod{}, []*Wait{}
	s.Unknown = dump.Unfinished(set)
	s.AtRest = s.Unknown == ""
}

// rank is smaller the more a set needs somebody.
func (s *LiveSet) rank() int {
	switch {
	case s.Stuck():
		return 0
	case len(s.AtRisk) > 0:
		return 1
	case s.Unknown != "":
		return 2
	case s.AtRest && s.StuckOn != "":
		return 3
	case s.GoesOn:
		return 4
	}
	return 5
}

// share returns the part of its replicas that serves, in thousandths.
func (s *LiveSet) share() int { return 1000 * s.Serving / max(1, s.Replicas) }

// lastOfDump returns the index of the last event that describes the dump.
func lastOfDump(events []timeline.Event) int {
	for i := len(events) - 1; i > 0; i-- {
		if events[i].Actor == timeline.Dump {
			return i
		}
	}
	return 0
}

// follow notes what happens next if nobody does anything. A pod that has ended, or has no node, is gone as soon as it
// is deleted: nobody sees it Terminating, unless a finalizer keeps it. The events must be those behind the dump.
func (s *LiveSet) follow(set *timeline.Set, events []timeline.Event) {
	idle := map[string]bool{}
	for p := range set.Pods.All {
		idle[p.Name] = unstopped(p.State, p.Node)
	}
	for i := range events {
		e := &events[i]
		switch {
		case e.Set != s.key:
			continue
		case e.Kind == timeline.KindPod && !e.Bare && idle[e.Pod] && goes(events[i:]):
			continue
		case e.Kind == timeline.KindPod && !e.Bare:
			s.Next, idle[e.Pod] = append(s.Next, e.Pod+" "+e.State.String()), unstopped(e.State, e.Node)
		case e.Kind == timeline.KindClaim && e.Actor != timeline.Dump:
			phase := e.Claim.Phase
			if e.Claim.Type == model.Deleted {
				phase = timeline.Gone.String()
			}
			s.NextClaims = append(s.NextClaims, e.Claim.Name+" "+phase)
		default:
			continue
		}
		s.Takes = Instant(e.T)
	}
}

// unstopped says whether a pod in a state, on a node, needs no kubelet that stops it: it has ended, or has no node.
func unstopped(state timeline.State, node string) bool {
	return state == timeline.Failed || state == timeline.Succeeded || state == timeline.Pending && node == ""
}

// goes says whether the first of some events is that a pod is Terminating which is gone in the same instant.
func goes(events []timeline.Event) bool {
	return events[0].State == timeline.Terminating && slices.ContainsFunc(events, func(e timeline.Event) bool {
		return e.Kind == timeline.KindPod && e.Pod == events[0].Pod && e.State == timeline.Gone && e.T == events[0].T
	})
}

// judge says whether a set is at rest, continues by itself or is stuck, by the run in which nobody does anything. It
// needs Pods and Next, and sets at most one of AtRest and GoesOn.
func (s *LiveSet) judge(set *timeline.Set, run *chronicle, d *dump.Dump) {
	result := run.result()
	whole := set.Serving() == s.Replicas && set.Pods.Len() == s.Replicas
	var stuck []timeline.Stuck
	for _, one := range result.Stuck {
		if one.Set == s.key {
			stuck = append(stuck, one)
		}
	}
	pod, claim := d.Asleep(set.Spec)
	switch own := heal.FinalizersOf(set.Spec); {
	case set.Spec.Terminating() && len(own) > 0:
		s.kept(set.Spec, own)
	case claim != "":
		s.asleep(pod, claim, d)
	case len(stuck) > 0:
		s.StuckOn, s.Why = podOf(&stuck[0], s, set.Spec), stuck[0].Why.Sentence()
		for i := range stuck {
			s.wait(&stuck[i], run.atEnd(), d)
		}
		s.shows(&stuck[0], d)
		for _, name := range strangers(set) {
			s.Facts = append(s.Facts, isStranger(name)+".")
		}
	case result.Verdict != timeline.Settled && result.Verdict != timeline.IsStuck:
		s.Why = endless(result)
	case len(s.Next) == 0 && whole:
		s.AtRest = true
		s.old = strings.Trim(s.outdated(set.Spec)+"; "+d.Stale(set.Spec), "; ")
	default:
		s.GoesOn = true
		s.Provided = d.Provided(set.Spec)
		s.Facts = slices.Concat(s.Facts, ended(set, d), slow(set, d))
		for _, name := range strangers(set) {
			if slices.Contains(s.Next, name+" Pending") {
				s.Facts = append(s.Facts, isStranger(name)+": when it is gone, the StatefulSet creates its own.")
			}
		}
		s.held(run, d)
		s.Facts = append(s.Facts, s.warnings(d)...)
	}
}

// shows notes what the dump shows of the first thing that a set is stuck for.
func (s *LiveSet) shows(stuck *timeline.Stuck, d *dump.Dump) {
	s.Facts = factsOf(s.StuckOn, s.Namespace, d)
	p, code := d.Pod(model.Key{Namespace: s.Namespace, Name: s.StuckOn}), stuck.Why.Code
	switch {
	case p == nil:
	case p.Phase == model.Succeeded && code == model.WaitingForReady:
		s.Facts = append(s.Facts, "This version of Kubernetes never replaces a pod that has Succeeded: "+
			"1.27.9, 1.28.5, 1.29 and later do.")
	case !p.Terminating() && code == model.WaitingForTermination:
		s.Facts = append(s.Facts, s.StuckOn+" is about to be evicted from its node, and then stays Terminating.")
	}
	if strings.Contains(stuck.Error, heal.NamespaceGoes) {
		s.Facts = append(s.Facts, "The namespace "+s.Namespace+" is being deleted, and the StatefulSet with it.")
	}
	if strings.Contains(stuck.Error, dump.OnlyEvents) {
		s.Facts = append(s.Facts, "To see what refuses it: "+
			command.In(s.Namespace, "describe", "statefulset", s.Name))
	}
}

// endless says why a run does not end.
func endless(result *timeline.Result) string {
	if result.Verdict == timeline.Livelock {
		return "The controller " + reasons.NeverConverges + ". These writes repeat: " + strings.Join(result.Repeats, ", ")
	}
	return "The run does not end: " + string(result.Verdict)
}

// asleep describes a set that only waits until somebody wakes the controller, when the claim is gone.
func (s *LiveSet) asleep(pod, claim string, d *dump.Dump) {
	why := model.Why{Code: model.StaleClaim, Object: claim}
	w := newWait(why, 0)
	w.Release = reasons.Release(why, reasons.World{})
	s.StuckOn, s.Waits, s.Next, s.NextClaims, s.Takes = pod, []*Wait{w}, nil, nil, 0
	s.Why = pod + " and its PVC " + claim + " do not exist, and the controller has not tried to create them: " +
		"the PVC was deleted with the previous pod, and nothing has woken the controller since"
	key := model.Key{Namespace: s.Namespace, Name: pod}
	if d.Claim(model.Key{Namespace: s.Namespace, Name: claim}) != nil {
		s.Why = pod + " does not exist, and the controller does not create it: its PVC " + claim + " is still that of the " +
			"previous pod, and when it is gone, nothing wakes the controller"
	}
	s.Facts = append([]string{s.Why + "."}, keptClaims(key, d)...)
}

// kept describes a set that is being deleted and that finalizers keep, which only those who have set them remove. Until
// then the controller creates and deletes no pods for it (updateStatefulSet in pkg/controller/statefulset).
func (s *LiveSet) kept(set *model.StatefulSet, finalizers []string) {
	is, long := lasting(set.Deletion.At, true)
	s.Why = fmt.Sprintf("%s %s Terminating%s, and the finalizer %s keeps it", s.Name, is, long,
		strings.Join(finalizers, ", "))
	s.Facts = []string{s.Why + ". Only whoever has set it should remove it, when its work is done.",
		"Until then the controller creates, replaces and deletes no pods. After that the StatefulSet is gone, and its " +
			"pods with it, unless it was deleted with --cascade=orphan."}
}

// wait adds what the set is stuck for, with what ends it in the world at the end of the run.
func (s *LiveSet) wait(stuck *timeline.Stuck, end *timeline.Fold, d *dump.Dump) {
	w := newWait(stuck.Why, stuck.Since)
	w.Error = stuck.Error
	world := reasons.At(end, s.key, stuck.Why.Object, true)
	s.seen(w, &world, d)
	w.Release, w.down = reasons.Release(stuck.Why, world), down(&world)
	s.Waits = append(s.Waits, w)
}

// held adds what the controller waits for at the instant of the dump, and when the run releases it.
func (s *LiveSet) held(run *chronicle, d *dump.Dump) {
	now := run.atDump()
	if now == nil {
		return
	}
	events := run.near(s.Namespace, []*model.StatefulSet{s.now.Spec})
	cut := slices.IndexFunc(events, func(e timeline.Event) bool { return e.T > 0 })
	for _, w := range waits(events, cut, s.key) {
		if begins(w, s.now) {
			continue
		}
		world := reasons.At(now, s.key, w.Object, false)
		s.seen(w, &world, d)
		w.Release = reasons.Release(w.why, world)
		s.Waits = append(s.Waits, w)
	}
}

// begins says whether a wait is for the end of a pod that the dump shows as not being deleted: the controller would
// delete it in this very instant, which Next says.
func begins(w *Wait, set *timeline.Set) bool {
	if w.Code != model.WaitingForTermination {
		return false
	}
	for pod := range set.Pods.All {
		if pod.Name == w.Object {
			return !pod.Terminating
		}
	}
	return false
}

// seen adds to a wait what the dump shows of the pod that it is for: since when, and its finalizers.
func (s *LiveSet) seen(w *Wait, world *reasons.World, d *dump.Dump) {
	key := model.Key{Namespace: s.Namespace, Name: w.Object}
	facts := d.Facts[key]
	if facts == nil || w.Since > 0 {
		return
	}
	if p := d.Pod(key); w.Code == model.WaitingForTermination && p != nil && !p.Terminating() {
		// The controller deletes it only after the dump.
		return
	}
	w.Since = Instant(facts.Since)
	world.Shown = cmp.Or(world.Shown, facts.Waiting)
	if p := d.Pod(key); facts.Crashed || p.Finished() {
		// Its container runs, and may become ready, or the controller replaces the pod.
		world.Shown = ""
	}
	world.Finalizers = finalizers(d.State, key)
}

// outdated says how many pods of a set at rest have an old revision, and what keeps them there; "" if none has.
func (s *LiveSet) outdated(set *model.StatefulSet) string {
	n := 0
	for i := range s.Pods {
		if s.Pods[i].Outdated {
			n++
		}
	}
	verb := render.Agree(n, "is", "are")
	switch block := set.Spec.Strategy.RollingUpdate; {
	case n == 0:
		return ""
	case set.Spec.Strategy.Type == model.OnDeleteStrategy:
		return fmt.Sprintf("%s %s still at an old revision (OnDelete)", render.Count(n, "pod"), verb)
	case block != nil && block.Partition > 0:
		return fmt.Sprintf("%s %s still at an old revision (partition %d)", render.Count(n, "pod"), verb, block.Partition)
	}
	return ""
}

// podOf returns the pod that a set is stuck on, from the reason's object, a claim of the pod, or the error; "" if it
// is not stuck on a pod.
func podOf(stuck *timeline.Stuck, s *LiveSet, set *model.StatefulSet) string {
	if parent, ordinal := model.SplitPodName(stuck.Why.Object); ordinal >= 0 && parent == s.Name {
		return stuck.Why.Object
	}
	for i := range s.Replicas {
		name := set.PodName(set.Start() + i)
		claim := strings.HasSuffix(stuck.Why.Object, "-"+name)
		if claim || strings.Contains(stuck.Error, strconv.Quote(name)) ||
			strings.HasPrefix(stuck.Error, "create Pod "+name+" ") ||
			strings.Contains(stuck.Error, " for Pod "+name+" in StatefulSet "+set.Name+" ") {
			return name
		}
	}
	return ""
}

// pods lists the pods of a set as the dump has them.
func (s *LiveSet) pods(set *timeline.Set, d *dump.Dump) {
	for pod := range set.Pods.All {
		p := Pod{
			Name: pod.Name, State: pod.State.String(), Template: pod.Template, Image: pod.Image, Ready: pod.Ready,
			Outdated: pod.Template != set.Spec.Spec.Template.ID, Shown: pod.Shown, Restarts: pod.Restarts,
		}
		if facts := d.Facts[model.Key{Namespace: s.Namespace, Name: pod.Name}]; facts != nil {
			p.Since = Instant(facts.Since)
			p.Shown, p.Restarts = cmp.Or(p.Shown, facts.Waiting), facts.Restarts
		}
		s.Pods = append(s.Pods, p)
	}
}

// lead tries the fixes for a stuck set, or those for a drain of a node, which then continues in all of them. Only what
// is near the set is in those worlds, so that the cost does not grow with the cluster.
func (s *LiveSet) lead(lab *play.Lab, run *chronicle, drain play.Script) {
	near, d := *lab, run.dump
	near.World.Start = d.Near(s.key)
	events := run.near(s.Namespace, near.World.Start.Sets)
	if len(s.Waits) == 1 && s.Waits[0].Code == model.StaleClaim {
		found := heal.Stuck{Key: s.key, Lab: &near, State: near.World.Start, Events: events, Asleep: true}
		way := found.Wake()
		if claim := s.Waits[0].Object; d.Claim(model.Key{Namespace: s.Namespace, Name: claim}) != nil {
			way.Needs = fmt.Sprintf("the PVC %s is gone by then (%s)", claim, command.In(s.Namespace, "get", "pvc", claim))
		}
		s.WaysOut = waysOut([]heal.Way{way}, before{s.key, s.Serving, s.going, s.now})
		return
	}
	found := heal.Stuck{
		Key: s.key, Lab: &near, State: near.World.Start, Events: events, Before: drain, Asleep: !moves(events, s.key),
		Reverted: d.Owners[s.key].Reverts(s.Namespace),
	}
	if near.World.Kubelet.Default.When == nil {
		found.Quorum = heal.InQuorum(&near)
	}
	if world, any := d.BetweenCrashes(near.World, s.Namespace); any {
		between := near
		between.World, found.Between = world, &between
	}
	s.WaysOut = waysOut(append(found.Block(), found.All()...), before{s.key, s.Serving, s.going, s.now})
	s.WaysOut = unfit(s.WaysOut, model.Key{Namespace: s.Namespace, Name: s.StuckOn}, d.Dump)
}

// moves says whether anything happens to the set's pods by itself.
func moves(events []timeline.Event, key model.Key) bool {
	return slices.ContainsFunc(events, func(e timeline.Event) bool {
		return e.Kind == timeline.KindPod && e.Actor != timeline.Dump && e.Set == key
	})
}
