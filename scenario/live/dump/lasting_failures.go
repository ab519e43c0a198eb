package dump

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// stays finds the failures of a dump that are assumed to last. A failure belongs to a cause (an image, a spec, one
// pod), and lasts for every pod with that cause, those that are created later too.
type stays struct {
	*Dump
	// askings are what the templates ask of nodes; see asks.
	askings map[*model.Template]string
	// pulled says of images whether a pod runs with them; see hasPulled. longest is the longest time from Running to
	// Ready of a pod of the dump, once timed is true; see overdue. bound is what the pods that have a node ask of
	// nodes; see alikeUnbound.
	pulled  map[string]bool
	longest time.Duration
	timed   bool
	bound   map[string]bool
	// revised are the specs of all revisions; nil until it is asked for.
	revised map[string]bool
	// config is the configuration without the rules of the dump. placed are the pods to which the simulated scheduler
	// gives a node in it at once; nil until it has been asked.
	config sim.Config
	placed map[model.Key]bool
}

// specOf returns the spec of a template as JSON, without its metadata, which does not affect what runs; "" if it has
// none. Two pods with the same spec run the same. It is a part of the template's text, in which no spaces are between
// the values: rules ask for it again and again, of templates that each world makes anew.
func specOf(template *model.Template) string {
	if template == nil {
		return ""
	}
	const key = `"spec":`
	text, depth, from := template.Data, 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			if depth == 1 && strings.HasPrefix(text[i:], key) {
				from = i + len(key)
			}
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']', ',':
			if depth == 1 && from > 0 {
				return text[from:i]
			}
			if text[i] != ',' {
				depth--
			}
		}
	}
	return ""
}

// SameSpec reports whether pods of two templates run the same: an annotation, as a restart writes it, changes nothing.
func SameSpec(a, b *model.Template) bool { return a == b || specOf(a) == specOf(b) }

// rule returns the rule by which the failure of a pod lasts, for this pod and for others with the same cause; false if
// the pod has no such failure. quorum is true if readiness depends on a condition over the other pods. Rules that come
// first win, and the pods are in the order of the dump, so that of two failures with one cause the first pod decides. A
// pod that is Ready, has ended or is being deleted has no failure, nor has one whose node is silent. why is the name of
// the row that says what is assumed; "" if the dump shows the failure itself.
func (s *stays) rule(p *sim.PodState, quorum bool) (rule behaviour.Rule, why string, is bool) {
	f := s.Facts[p.Key()]
	if p.Terminating() || p.Finished() || p.Ready || p.Silenced || f.Unreported || f.Cured {
		return rule, "", false
	}
	waits, pending := f.Waiting, p.Phase == model.Pending
	rule.Times.Reason, rule.Of = waits, ofSet(p)
	lacks, unset, image := s.lacks(p, f), s.unset(p, f), f.NoImage()
	switch {
	case p.Node == "":
		rule, is = s.unscheduled(p, f)
		return rule, "", is
	case lacks != nil:
		rule.Match.That = lacks
		rule.Of.Set, rule.Of.Word = "", s.lacking(p, f)
	case s.broken(p, f):
		rule.Match.That = s.newOf(p)
	case !image.None():
		rule.Match, rule.Of = s.pull(p, f, image)
		rule.Times.Start, rule.Times.Ready = behaviour.Never, behaviour.Never
	case waits == "" && pending && p.Bound.Add(f.Patience()) < 0:
		rule.Match, why = s.uncreated(p, f), "not-started"
		switch {
		case f.NotStarted().OfNode:
			rule.Of = behaviour.Whose{}
		case s.unmounted(p) != "":
			rule.Of.Set = ""
		}
		rule.Times.Reason = symptom.Creating
	case f.NotRun().OfNode && f.NotRun().Outside:
		set := ownerName(p.Pod)
		rule.Match = behaviour.Match{Node: p.Node, That: func(pod *model.Pod) bool {
			return pod.Namespace == p.Namespace && ownerName(pod) == set
		}}
		rule.Times.Start, rule.Times.Ready = behaviour.Never, behaviour.Never
	case f.NotRun().OfPod, !pending && s.Regrows(p):
		rule.Match.That = only(p.Pod)
	case f.NotRun().OfNode && s.proven(p):
		rule.Match.Node = p.Node
	case waits != "":
		rule.Match.That = s.alike(p)
	case p.Phase != model.Running:
		return rule, "", false
	case unset != nil:
		rule.Match.That = unset
	case f.Lost || !quorum && s.proven(p) && s.overdue(p):
		if why = "overdue"; f.Lost {
			why = "lost"
		}
		rule.Match.That = only(p.Pod)
	case quorum || s.proven(p):
		return rule, "", false
	default:
		why = "not-ready"
		rule.Match.That = s.alike(p)
	}
	if pending {
		rule.Times.Start = behaviour.Never
	} else {
		rule.Times.Ready = behaviour.Never
	}
	return rule, why, true
}

// Taken returns sentences about what is assumed about a pod because of other objects, and which.
func (d *Dump) Taken(key model.Key) []string {
	s, p := stays{Dump: d}, d.Pod(key)
	switch {
	case p == nil, p.Node == "":
		return nil
	case p.Terminating() && p.Hung:
		answers := " its node answers,"
		if slices.Contains(d.Unseen, p.Node) {
			answers = ""
		}
		row, names := "kubelet-cannot-stop", d.Names(p).With(symptom.Names{"answers": answers, "inuse": d.inUse(p)})
		if d.Facts[key].Over {
			row = "kubelet does not finish"
		}
		return []string{names.In(symptom.Named(row).Ends)}
	}
	switch _, why, _ := s.rule(p, false); why {
	case "":
		return nil
	case "not-started":
		return s.creating(p, d.Facts[key])
	default:
		return []string{symptom.Named(why).Ends}
	}
}

// creating says why the containers of a pod that has a node do not start.
func (s *stays) creating(p *Pod, f *Facts) (list []string) {
	say := func(name string, names symptom.Names) []string {
		return append(list, s.Names(p).With(names).In(symptom.Named(name).Ends))
	}
	logs := symptom.Names{"see": shell.In(p.Namespace, "logs", p.Name, "-c", f.Init)}
	switch {
	case f.Sidecar:
		return say("sidecar", logs)
	case f.Init != "":
		list = say("init-not-ended", logs)
		if next := s.deadlock(p); next != "" {
			list = say("waits for the next pod", symptom.Names{"next": next})
		}
		return list
	case s.Attached(p.Key()):
		list = say("volume-attached-elsewhere", nil)
		for _, a := range s.AttachedElsewhere(p) {
			list = append(list, s.where(a))
		}
		holders := slices.DeleteFunc(s.Holders(p), func(h Holder) bool { return !h.Scaled() })
		for _, user := range s.users(p) {
			if !slices.ContainsFunc(holders, func(h Holder) bool { return h.Pod == user.Name }) {
				list = append(list, fmt.Sprintf("The pod %s on %s uses it.", user.Name, user.Node))
			}
		}
		for _, h := range holders {
			list = append(list, h.String(p.Namespace))
		}
		for i := range s.State.Nodes {
			if n := &s.State.Nodes[i]; n.Down && !n.OutOfService {
				list = append(list, n.Name+" does not answer. Only if its machine is certainly off: "+shell.OutOfService(n.Name))
			}
		}
		return list
	case f.Event != "":
		return append(say("warned", nil), s.detaching(p)...)
	case s.Unbegun(p):
		return say("not begun", symptom.Names{"see": shell.Kubectl("describe", "node", p.Node)})
	case len(p.Volumes) > 0 || strings.Contains(specOf(p.Template), `"volumes":`):
		return say("not-started", symptom.Names{"often": ", most often a volume that is not mounted"})
	}
	return say("not-started", symptom.Names{"often": ""})
}

// deadlock returns, of a pod whose init container does not end, the next pod of its set, if OrderedReady does not create
// that one before: it cannot be waited for; "" if it does not matter.
func (s *stays) deadlock(p *Pod) string {
	for _, set := range s.State.Sets {
		ordinal := set.OrdinalOf(p.Name)
		if !owns(set, p.Pod) || set.Spec.PodManagement != model.OrderedReady || ordinal < 0 {
			continue
		}
		next := set.PodName(ordinal + 1)
		if s.Pod(model.Key{Namespace: p.Namespace, Name: next}) == nil && ordinal+1 < set.Start()+int(set.Spec.Replicas) {
			return next
		}
	}
	return ""
}

// uncreated matches the pods whose containers are not created for the reason that the dump shows for one of them: the
// node, a volume, which a pod of any revision mounts, or else the spec.
func (s *stays) uncreated(p *sim.PodState, f *Facts) behaviour.Match {
	match, claim, row := behaviour.Match{That: s.alike(p)}, s.unmounted(p), f.NotStarted()
	if claim != "" {
		match.That = func(pod *model.Pod) bool {
			return pod.Namespace == p.Namespace && slices.ContainsFunc(pod.Volumes, func(v model.Volume) bool {
				return v.Claim == claim
			})
		}
	}
	if row.OfNode && !row.Outside {
		match.That = nil
	}
	if row.OfNode {
		match.Node = p.Node
	}
	return match
}

// ofSet are the pods of the set that a pod belongs to, or that its name is of.
func ofSet(p *sim.PodState) behaviour.Whose {
	return behaviour.Whose{Namespace: p.Namespace, Set: ownerName(p.Pod)}
}

// patience is the time that a pod with a node may be in ContainerCreating before it is assumed never to start: the
// kubelet tries to mount volumes for two minutes at a time.
const patience = 5 * time.Minute

// Patience is the time that a pod with a node may be in ContainerCreating before it is assumed never to start: shorter for
// a sandbox, which the kubelet tries again every few seconds, and longer for an image, or a volume, on which it works.
func (f *Facts) Patience() time.Duration {
	if row := f.NotStarted(); row.Within > 0 {
		return row.Within
	}
	return patience
}

// alike matches the pods of the set that have the spec of the given pod. If other pods with that spec are Ready, it
// matches only pods with the given pod's name.
func (s *stays) alike(p *sim.PodState) func(*model.Pod) bool {
	spec, proven := specOf(p.Template), s.proven(p)
	set := ownerName(p.Pod)
	return func(pod *model.Pod) bool {
		return pod.Namespace == p.Namespace && (!proven || pod.Name == p.Name) && ownerName(pod) == set &&
			specOf(pod.Template) == spec
	}
}

// only matches one pod, and no later one of its name. New pods may have the UIDs of pods of sets that a world leaves out.
func only(p *model.Pod) func(*model.Pod) bool {
	return func(pod *model.Pod) bool { return pod.UID == p.UID && pod.Key() == p.Key() }
}

// ownerName returns the set of a pod: its controller, or the one that its name is of.
func ownerName(pod *model.Pod) string {
	if owner := pod.Controller(); owner != nil {
		return owner.Name
	}
	parent, _ := model.SplitPodName(pod.Name)
	return parent
}

// proven says whether another pod of the set shows that this spec can become Ready: a pod with the same spec is Ready,
// or was Ready before, or is not Ready only because its node is silent. Then a pod that is not Ready needs more time.
func (s *stays) proven(p *sim.PodState) bool {
	spec := specOf(p.Template)
	return slices.ContainsFunc(s.named(p.Namespace, ownerName(p.Pod)), func(other *Pod) bool {
		return specOf(other.Template) == spec && (other.Ready || s.Facts[other.Key()].Lost || other.Silenced)
	})
}

// overdue reports whether a pod has been running unready for minutes, and many times as long as any other pod took.
func (s *stays) overdue(p *sim.PodState) bool {
	if !s.timed {
		s.timed = true
		for i := range s.State.Pods {
			other := &s.State.Pods[i]
			if took := other.ReadySince.Sub(other.Started); other.Ready && took <= recording.LongestReady {
				s.longest = max(s.longest, took)
			}
		}
	}
	return time.Duration(-p.Started) > max(patience, 5*s.longest)
}

// unset matches the pods of a set that have the readiness gate that nobody has set on the given one: whoever should set
// it is away. It is nil if there is no such gate, or if a younger pod that is Ready shows that somebody sets it.
func (s *stays) unset(p *sim.PodState, f *Facts) func(*model.Pod) bool {
	gate := symptom.UnsetGate.Found(f.Gate)
	if gate == "" {
		return nil
	}
	set := ownerName(p.Pod)
	gated := func(pod *model.Pod) bool {
		return pod.Namespace == p.Namespace && ownerName(pod) == set &&
			strings.Contains(specOf(pod.Template), `"conditionType":"`+gate+`"`)
	}
	if !gated(p.Pod) {
		// Admission has added it, as the controllers of load balancers do, and adds it to each new pod.
		gated = s.newOf(p)
	}
	if slices.ContainsFunc(s.State.Pods, func(other Pod) bool {
		return other.Ready && other.Created > p.Created && gated(other.Pod)
	}) {
		return nil
	}
	return gated
}

// ofStatus returns what the status of a pod that has ended says by itself: "Evicted: The node was low on resource".
func ofStatus(object *corev1.Pod) string {
	if phase := object.Status.Phase; phase != corev1.PodFailed && phase != corev1.PodSucceeded {
		return ""
	}
	return strings.Trim(object.Status.Reason+": "+strings.TrimSpace(object.Status.Message), ": ")
}
