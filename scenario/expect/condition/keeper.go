package condition

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Keeper keeps the answers that the loops of a condition have for each pod of a set.
//
// Invariant, whenever update has returned true: answers has each pod of the set, as the body of each loop would
// answer it now; yes[i] is the number of pods that satisfy the loop i; wrong is 0.
type Keeper struct {
	Loops []*loop
	Meter *Meter
	// set is the set that the answers are of; nil before the first. Another pointer is another set, although the name may
	// be the same: all is asked again.
	set *timeline.Set
	// answers are the answers for each pod, by its name; yes counts them for each loop, and wrong counts the pods
	// without an answer from a loop. While there is one, the whole condition is evaluated, so that errors are the
	// same.
	answers map[string]answers
	yes     [maxLoops]int
	wrong   int
	// changed are the pods that have changed since the last fixed point, perhaps twice; unripe are those that are Ready
	// and will become available by time alone.
	changed, unripe []string
	// stale is true if any pod may have changed since. Events that do not set it, and are not about a pod, change
	// no pod's steady fields.
	stale bool
	// version grows when a loop may give something else. Equal versions mean equal results.
	version uint64
	// body is the input of a loop's body, reused for each pod.
	body bodyVars
}

// answers are the answers of the loops for one pod, one bit each. wrong is true if one of them is not a bool.
type answers struct {
	yes   uint32
	wrong bool
}

// bodyVars are the variables of a loop's body: one pod.
type bodyVars struct {
	name string
	pod  object
	// in pays for the values that the body builds.
	in *Evaluation
}

// Parent returns nothing: there is no outer scope.
func (b *bodyVars) Parent() cel.Activation { return nil }

// ResolveName returns the pod.
func (b *bodyVars) ResolveName(name string) (any, bool) {
	if name == purse {
		return b.in, true
	}
	return &b.pod, name == b.name
}

// Note gets every event of the run, in order. A nil keeper ignores them.
func (k *Keeper) Note(e *timeline.Event, subject model.Key) {
	if k == nil || k.set == nil {
		return
	}
	switch e.Kind {
	case timeline.KindPod, timeline.KindContainer:
		if e.Set == subject && !e.Bare {
			k.changed = append(k.changed, e.Pod)
		}
	case timeline.KindStep, timeline.KindFault, timeline.KindOwner:
		k.stale = true
	}
}

// update brings the answers up to date and reports whether they can be used. It costs as much as has changed since
// the last call. The set must exist.
func (k *Keeper) update(set *timeline.Set, now model.Time) bool {
	k.body.pod = object{objects()[podType], podAt{set: set, now: now}, objects()}
	if k.set != set || k.stale {
		k.begin(set)
	}
	unripe := k.unripe
	k.unripe = nil
	for _, name := range unripe {
		k.ask(name)
	}
	for _, name := range k.changed {
		k.ask(name)
	}
	k.changed = k.changed[:0]
	return k.wrong == 0
}

// begin forgets all answers and marks all pods to be asked.
func (k *Keeper) begin(set *timeline.Set) {
	k.set, k.stale, k.answers, k.yes, k.wrong = set, false, map[string]answers{}, [maxLoops]int{}, 0
	k.changed, k.unripe = k.changed[:0], nil
	k.version++
	for pod := range set.Pods.All {
		k.changed = append(k.changed, pod.Name)
	}
}

// ask asks one pod, which may be deleted, and replaces its old answers by the new ones.
func (k *Keeper) ask(name string) {
	before, known := k.answers[name]
	if known {
		k.count(before, -1)
		delete(k.answers, name)
	}
	pod := k.set.Owned(name)
	if pod == nil {
		k.version++
		return
	}
	now := k.answersOf(pod)
	k.answers[name] = now
	k.count(now, 1)
	if !known || now != before {
		k.version++
	}
}

// count adds or removes the answers of a pod.
func (k *Keeper) count(a answers, by int) {
	for i := range k.Loops {
		if a.yes&(1<<i) != 0 {
			k.yes[i] += by
		}
	}
	if a.wrong {
		k.wrong += by
	}
}

// answersOf asks each loop about a pod, and notes the pod if time alone may change it. Each question costs 1.
func (k *Keeper) answersOf(pod *timeline.Pod) (a answers) {
	at := k.body.pod.of.(podAt)
	at.Pod = pod
	k.body.pod.of = at
	ripens := false
	for i, l := range k.Loops {
		k.Meter.Add(1)
		k.body.name, k.body.in = l.pod, &Evaluation{Meter: k.Meter}
		value, _, err := l.body.Eval(&k.body)
		list, ok := value.(traits.Lister)
		if err != nil || !ok {
			a.wrong = true
			continue
		}
		switch list.Get(types.IntZero) {
		case types.True:
			a.yes |= 1 << i
		case types.False:
		default:
			a.wrong = true
		}
		ripens = ripens || l.ripens
	}
	if ripens && pod.Serving() && !k.set.IsAvailable(pod, at.now) {
		k.unripe = append(k.unripe, pod.Name)
	}
	return a
}

// value returns the result of a loop by its variable.
func (k *Keeper) value(name string) (ref.Val, bool) {
	for i, l := range k.Loops {
		if l.name == name {
			return l.form.gives(k.yes[i], len(k.answers)), true
		}
	}
	return nil, false
}
