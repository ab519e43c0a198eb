package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// judge says how a set stands. What the dump itself shows comes first: a deletion that a finalizer holds up, a
// controller that does not work on the set, a pod that its kubelet rejects again and again. Then what the run shows.
func judge(e *evidence) *Set {
	if e.Going[e.key.Namespace] != nil && !e.spec.Terminating() {
		return doomed(e)
	}
	if e.Hidden(e.spec) {
		return hidden(e)
	}
	next, takes := e.next()
	s := Set{Key: e.key, Now: e.now, Going: e.spec.Terminating(), Next: next, Takes: takes}
	verdict := e.run.Result().Verdict
	whole := e.now.Serving() == int(e.spec.Spec.Replicas) && e.now.Pods.Len() == e.now.Serving()
	pod, claim := e.Index.Asleep(e.spec)
	switch own := e.spec.BlockingFinalizers(); {
	case e.spec.Terminating() && len(own) > 0:
		return kept(e, s, own)
	case claim != "":
		return asleep(e, s, pod, claim)
	case len(e.stuck) > 0:
		return stuck(e, s)
	case verdict == timeline.Livelock:
		return livelock(e, s)
	case verdict != timeline.Settled && verdict != timeline.IsStuck:
		return endless(e, s)
	}
	if causes := against(e); len(causes) > 0 && !(whole && len(next.Pods) == 0) {
		return contradicted(s, causes)
	}
	if whole && len(next.Pods) == 0 {
		causes := append(against(e), failedOften(e)...)
		s.Judgement = Judgement{State: AtRest, Certain: len(causes) == 0 && !mayEnd(e.Dump, e.PodsOf(e.spec)),
			Causes: causes}
		return &s
	}
	if l := late(e); l != nil {
		return early(e, s, l)
	}
	return continues(e, s)
}

// hidden judges a set whose pods are not in the dump by its status. Nothing is played for it.
func hidden(e *evidence) *Set {
	s := &Set{Key: e.key, Now: e.now, Unseen: true, Judgement: Judgement{State: AtRest}}
	if says := dump.Unfinished(e.spec); says != "" {
		s.Why = says
		s.Judgement = Judgement{State: Unknown, Blockers: []Object{objectOf(e.spec)}, Causes: []Cause{{
			Name: "pods-not-shown", Sentence: "the dump does not show the pods of " + e.key.Name, Evidence: []string{says},
		}}}
	}
	return s
}

// kept judges a set that is being deleted and that finalizers keep, which only those who have set them remove. Until
// then the controller creates and deletes no pods for it (updateStatefulSet in pkg/controller/statefulset).
func kept(e *evidence, s Set, finalizers []string) *Set {
	is, long := dump.Lasting(e.spec.Deletion.At, true)
	s.Plays = true
	row, names := symptom.Named("set-finalizer"), symptom.Names{"set": e.key.Name, "is": is, "long": long,
		"found": strings.Join(finalizers, ", ")}
	return s.held(Cause{Name: row.Name, Sentence: names.In(row.Sentence), Evidence: finalizers,
		of: []Object{objectOf(e.spec)}, advice: []string{names.In(row.Ends)}})
}

// held returns the set as one that is stuck for some causes.
func (s Set) held(causes ...Cause) *Set {
	s.Why = cmp.Or(s.Why, causes[0].Sentence)
	s.Judgement = Judgement{State: Stuck, Causes: causes, Blockers: blockersOf(causes),
		Certain: slices.ContainsFunc(causes, func(c Cause) bool { return c.Certain })}
	return &s
}

// doomed judges a set in a namespace that is being deleted: nothing is created there any more, and in the end the
// controller of namespaces deletes the set.
func doomed(e *evidence) *Set {
	n := e.Going[e.key.Namespace]
	is, long := dump.Lasting(n.Since, n.Since < 0)
	return Set{Key: e.key, Now: e.now}.held(Cause{Name: "namespace-deleted", Certain: true,
		Sentence: fmt.Sprintf("the namespace %s %s Terminating%s", n.Name, is, long),
		Evidence: append(n.Says, n.Finalizers...), of: []Object{{Kind: "Namespace", Name: n.Name}}, advice: n.Ends()})
}

// asleep judges a set whose controller waits without being woken: the claim of a missing pod was deleted with the
// previous pod, and the controller does not watch claims.
func asleep(e *evidence, s Set, pod, claim string) *Set {
	s.Next, s.Takes, s.StuckOn, s.Asleep = Next{}, 0, pod, claim
	row := symptom.Named("controller-asleep")
	if e.Claim(model.Key{Namespace: e.key.Namespace, Name: claim}) != nil {
		row = symptom.Named("controller-asleep on a PVC that goes")
	}
	s.Why = symptom.Names{"pod": pod, "claim": claim}.In(row.Sentence)
	return s.held(Cause{Name: "controller-asleep", Sentence: s.Why,
		of: []Object{podObject(e.key.Namespace, pod), claimObject(e.key.Namespace, claim)}, advice: append(
			[]string{s.Why + "."}, keptClaims(model.Key{Namespace: e.key.Namespace, Name: pod}, e.Dump)...)})
}

// livelock judges a set in a run whose controller never comes to rest.
func livelock(e *evidence, s Set) *Set {
	repeats := e.run.Result().Repeats
	s.Plays = true
	s.Why = "The controller " + reasons.NeverConverges + ". These writes repeat: " + strings.Join(repeats, ", ")
	return s.held(Cause{Name: "hot-loop", Sentence: "the controller " + reasons.NeverConverges, Evidence: repeats,
		Certain: true, of: []Object{objectOf(e.spec)}})
}

// endless judges a set in a run that a limit or somebody has ended.
func endless(e *evidence, s Set) *Set {
	verdict := string(e.run.Result().Verdict)
	s.Why = "The run does not end: " + verdict
	s.Judgement = Judgement{State: Unknown, Causes: []Cause{{Name: "run-not-ended", Sentence: "the run did not end",
		Evidence: []string{verdict}}}}
	return &s
}

// stuck judges a set that is stuck at the end of the run.
func stuck(e *evidence, of Set) *Set {
	e.stuck = restsOn(e)
	of.Plays, of.Stuck = true, e.stuck
	of.StuckOn, of.Why = e.podOf(&e.stuck[0]), e.stuck[0].Why.Sentence()
	s := of.held(causesOf(e)...)
	if when := e.Heals(model.Key{Namespace: e.key.Namespace, Name: s.StuckOn}); when != "" {
		s.Only, s.Certain = "it continues "+when, false
	}
	var until Seconds
	if s.Assumes, s.Early, until = assumed(e); s.Early != nil && s.Early.Again != "" {
		s.State, s.Until, s.Certain = TooEarly, until, false
		return s
	}
	if s.Back, s.Whole = comeBack(e); len(s.Back) > 0 {
		s.Assumes = s.Back[0].Name + " stays not Ready"
		s.Only = "it continues " + dump.BetweenTwo(s.Back[0].Name)
		if s.Whole {
			s.Only = "it is complete " + dump.BetweenTwo(s.Back[0].Name)
		}
	}
	s.Certain = s.Certain && s.Assumes == ""
	return s
}

// contradicted judges a set that continues in the run although the dump shows that this does not happen.
func contradicted(s Set, causes []Cause) *Set {
	for _, o := range causes[0].of {
		if o.Kind == kindPod {
			s.StuckOn = o.Name
		}
	}
	return s.held(causes...)
}

// continues judges a set that gets where it should be by itself, if its pods and the cluster do what they have to.
func continues(e *evidence, s Set) *Set {
	s.Provided, s.Waits = e.Provided(e.spec), e.waits()
	s.Judgement = Judgement{State: Continues, Until: s.Takes}
	for _, w := range s.Waits {
		if p := e.pod(w.Why.Object); p != nil && len(s.Blockers) == 0 {
			s.Blockers = []Object{podObject(e.key.Namespace, p.Name)}
		}
	}
	return &s
}
