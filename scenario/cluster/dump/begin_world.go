package dump

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/recording"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/output/lazy"
)

// Begin completes the configuration of a world so that it begins in the state of the dump. It adds the state, rules for
// what happens to the pods and claims, and what the API server refuses. Settings of the configuration win. Times for
// Start, Ready and Stop that it does not have are the median of those that the dump shows, or else a default.
//
// A failure that the dump shows is assumed to last until its cause changes. An image that cannot be pulled stays so
// until the pod has another image. If no pod of a revision becomes Ready, that lasts until the spec of the pod changes.
// A pod that no node takes stays unscheduled until its claims, the nodes or its spec change; if the nodes of the dump
// explain it, the simulated scheduler decides. A pod that cannot be created stays so until the spec changes.
//
// Start, NodeFilter and Admit are replaced in any case. The configuration that was given is not changed, and its slices
// are not written to. It costs O(pods) and, if a set is not at rest, the first instant of a world.
func (d *Dump) Begin(config sim.Config) sim.Config {
	s := stays{Dump: d, specs: map[*model.Template]string{}}
	config.Start, config.NodeFilter, config.Cluster.Assumed = d.State, d.memory().New, d.Nodeless
	config.Kubelet.Rules = slices.Clone(config.Kubelet.Rules)
	if config.Kubelet.Default.Stop == nil {
		config.Kubelet.Rules = append(config.Kubelet.Rules, d.slow()...)
	}
	d.fill(&config.Kubelet.Default)
	s.config = config
	config.Kubelet.Rules = append(config.Kubelet.Rules, s.rules(config.Kubelet.Default.When != nil)...)
	config.Volumes.Rules = append(slices.Clone(config.Volumes.Rules), sim.ClaimRule{
		Match: sim.ClaimMatch{That: d.unprovided()}, Times: sim.ClaimTimes{Bind: behaviour.Never},
	}, sim.ClaimRule{
		Match: sim.ClaimMatch{That: d.retained()}, Times: sim.ClaimTimes{Release: behaviour.Never},
	})
	config.Admit = s.admission(config)
	return config
}

// rules returns the rules for all pods. Of those that match the very same pods, since they go by one word, only the
// first is there: it would win.
func (s *stays) rules(quorum bool) []behaviour.Rule {
	type domain struct {
		behaviour.Whose
		node     string
		schedule bool
	}
	var rules []behaviour.Rule
	known := map[domain]bool{}
	for i := range s.State.Pods {
		rule, is := s.rule(&s.State.Pods[i], quorum)
		if !is {
			continue
		}
		of := domain{rule.Of, rule.Match.Node, rule.Times.Schedule != nil}
		if of.Word == "" || !known[of] {
			known[of], rules = true, append(rules, rule)
		}
	}
	return rules
}

// slow returns the rules for pods that have been terminating for longer than pods take by default: they take all of
// their grace period.
func (d *Dump) slow() []behaviour.Rule {
	var rules []behaviour.Rule
	for i := range d.State.Pods {
		if p := &d.State.Pods[i]; d.Slow(p) {
			rules = append(rules, behaviour.Rule{
				Match: behaviour.Match{That: only(p.Pod)}, Times: behaviour.Times{Stop: behaviour.Constant(p.Deletion.Grace)},
				Of: ofSet(p),
			})
		}
	}
	return rules
}

// Slow says whether a pod has been terminating for longer than pods take by default, and its grace period is not over.
func (d *Dump) Slow(p *Pod) bool {
	if !p.Terminating() || len(p.Finalizers) > 0 || p.Hung {
		return false
	}
	since := time.Duration(-p.Deletion.At)
	return since > defaultStop && since < p.Deletion.Grace
}

// The times of pods if neither the user nor the dump gives them.
const (
	defaultStart = time.Second
	defaultReady = 2 * time.Second
	defaultStop  = 2 * time.Second
)

// Took are the times that pods took, sorted: from their nodes until they ran, and from then on until they were Ready.
type Took struct{ Start, Ready []time.Duration }

// Took returns the times of those of some pods of the dump that have been Ready since they started.
func (d *Dump) Took(pods []*Pod) Took {
	var took Took
	for _, p := range pods {
		f := d.Facts[p.Key()]
		if !p.Ready || f == nil || f.Lost || f.Restarts > 0 {
			continue
		}
		took.Start = append(took.Start, max(0, p.Started.Sub(p.Bound)))
		if ready := max(0, p.ReadySince.Sub(p.Started)); ready <= recording.LongestReady {
			took.Ready = append(took.Ready, ready)
		}
	}
	slices.Sort(took.Start)
	slices.Sort(took.Ready)
	return took
}

// TookAll returns the times of all pods of the dump.
func (d *Dump) TookAll() Took {
	pods := make([]*Pod, len(d.State.Pods))
	for i := range d.State.Pods {
		pods[i] = &d.State.Pods[i]
	}
	return d.Took(pods)
}

// fill fills in the times that are not given: the median of the times of the pods in the dump.
func (d *Dump) fill(times *behaviour.Times) {
	took := d.TookAll()
	if times.Schedule == nil {
		times.Schedule = behaviour.Constant(0)
	}
	if times.Start == nil {
		times.Start = behaviour.Constant(median(took.Start, defaultStart))
	}
	if times.Ready == nil {
		times.Ready = behaviour.Constant(median(took.Ready, defaultReady))
	}
	if times.Stop == nil {
		times.Stop = behaviour.Constant(defaultStop)
	}
}

// median returns the median of sorted times, or another time if there are none.
func median(seen []time.Duration, otherwise time.Duration) time.Duration {
	if len(seen) == 0 {
		return otherwise
	}
	return Median(seen)
}

// Median returns the time in the middle of some sorted ones, of which there must be one.
func Median(seen []time.Duration) time.Duration { return seen[len(seen)/2] }

// stays finds the failures of a dump that are assumed to last. A failure belongs to a cause (an image, a spec, one
// pod), and lasts for every pod with that cause, those that are created later too.
type stays struct {
	*Dump
	// specs are the specs of templates, without their metadata, which does not affect what runs.
	specs map[*model.Template]string
	// images are those of the templates; found are those of asked, the template that was asked for last. See imagesOf.
	images map[*model.Template][]string
	asked  *model.Template
	found  []string
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

// spec returns the pod spec of a template. Two pods with the same spec run the same.
func (s *stays) spec(template *model.Template) string {
	if spec, known := s.specs[template]; known {
		return spec
	}
	spec := specOf(template)
	s.specs[template] = spec
	return spec
}

// specOf returns the spec of a template as JSON; "" if it has none.
func specOf(template *model.Template) string {
	var parts struct {
		Spec json.RawMessage `json:"spec"`
	}
	if template == nil || json.Unmarshal([]byte(template.Data), &parts) != nil {
		return ""
	}
	return string(parts.Spec)
}

// rule returns the rule by which the failure of a pod lasts, for this pod and for others with the same cause; false if
// the pod has no such failure. quorum is true if readiness depends on a condition over the other pods. Rules that come
// first win, and the pods are in the order of the dump, so that of two failures with one cause the first pod decides. A
// pod that is Ready, has ended or is being deleted has no failure, nor has one whose node is silent.
func (s *stays) rule(p *sim.PodState, quorum bool) (rule behaviour.Rule, is bool) {
	f := s.Facts[p.Key()]
	if p.Terminating() || p.Finished() || p.Ready || p.Silenced || f.Unreported || f.Cured {
		return rule, false
	}
	waits := f.Waiting
	rule.Times.Reason, rule.Of = waits, ofSet(p)
	lacks, unset := s.lacks(p, f), s.unset(p, f)
	switch {
	case p.Node == "":
		return s.unscheduled(p, f)
	case lacks != nil:
		rule.Match.That = lacks
		rule.Of.Set, rule.Of.Word = "", s.lacking(p, f)
		rule.Times.Start = behaviour.Never
	case s.broken(p, f) && p.Phase == model.Pending:
		rule.Match.That = s.newOf(p)
		rule.Times.Start = behaviour.Never
	case s.broken(p, f):
		rule.Match.That = s.newOf(p)
		rule.Times.Ready = behaviour.Never
	case slices.Contains(imageReasons, waits) && Diskless(f.Message+f.Event):
		rule.Match.That, rule.Of = s.withImageOf(p, f)
		rule.Match.Node = p.Node
		rule.Times.Start = behaviour.Never
	case slices.Contains(imageReasons, waits):
		rule.Match.That, rule.Of = s.pull(p, f)
		rule.Times.Start = behaviour.Never
	case waits == "" && p.Phase == model.Pending && p.Bound.Add(f.Patience()) < 0:
		rule.Match = s.uncreated(p, f)
		switch {
		case f.OfNode():
			rule.Of = behaviour.Whose{}
		case s.unmounted(p) != "":
			rule.Of.Set = ""
		}
		rule.Times.Start, rule.Times.Reason = behaviour.Never, "ContainerCreating"
	case f.OfPod("") != "" && p.Phase == model.Pending:
		rule.Match.That = only(p.Pod)
		rule.Times.Start = behaviour.Never
	case waits != "" && p.Phase == model.Pending:
		rule.Match.That = s.alike(p)
		rule.Times.Start = behaviour.Never
	case s.Regrows(p), f.OfPod("") != "":
		rule.Match.That = only(p.Pod)
		rule.Times.Ready = behaviour.Never
	case f.Kernel() != "" && s.proven(p):
		rule.Match.Node = p.Node
		rule.Times.Ready = behaviour.Never
	case waits != "":
		rule.Match.That = s.alike(p)
		rule.Times.Ready = behaviour.Never
	case p.Phase != model.Running:
		return rule, false
	case unset != nil:
		rule.Match.That = unset
		rule.Times.Ready = behaviour.Never
	case f.Lost || !quorum && s.proven(p) && s.overdue(p):
		rule.Match.That = only(p.Pod)
		rule.Times.Ready = behaviour.Never
	case quorum || s.proven(p):
		return rule, false
	default:
		rule.Match.That = s.alike(p)
		rule.Times.Ready = behaviour.Never
	}
	return rule, true
}

// uncreated matches the pods whose containers are not created for the reason that the dump shows for one of them: the
// node, a volume, which a pod of any revision mounts, or else the spec.
func (s *stays) uncreated(p *sim.PodState, f *Facts) behaviour.Match {
	switch volume := s.unmounted(p); {
	case f.OfNode():
		return behaviour.Match{Node: p.Node}
	case volume != "":
		return behaviour.Match{That: func(pod *model.Pod) bool { return s.mounts(pod, volume) }}
	}
	return behaviour.Match{That: s.alike(p)}
}

// ofSet are the pods of the set that a pod belongs to, or that its name is of.
func ofSet(p *sim.PodState) behaviour.Whose {
	return behaviour.Whose{Namespace: p.Namespace, Set: ownerName(p.Pod)}
}

// patience is the time that a pod with a node may be in ContainerCreating before it is assumed never to start: the
// kubelet tries to mount volumes for two minutes at a time.
const patience = 5 * time.Minute

// day is the patience with a kubelet that says that it still works on a volume.
const day = 24 * time.Hour

// Patience is the time that a pod with a node may be in ContainerCreating before it is assumed never to start. If the
// kubelet says that it gets no sandbox, it is shorter: the kubelet tries that again every few seconds.
func (f *Facts) Patience() time.Duration {
	switch {
	case f.OfNode():
		return time.Minute
	case f.Chowns():
		return day
	}
	return patience
}

// imageReasons are the reasons of containers that wait because their image is missing.
var imageReasons = []string{"ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull",
	"RegistryUnavailable", "ImageInspectError", "SignatureValidationFailed"}

// pull matches the pods with an image that cannot be pulled: all of them or, if another pod has pulled it, only this
// one. An image that admission has added is one that another pod has pulled (broken). What the registry refuses, or
// does not have, no new pod pulls any more.
func (s *stays) pull(p *sim.PodState, f *Facts) (func(*model.Pod) bool, behaviour.Whose) {
	if !refusedByRegistry().MatchString(f.Message) && (f.Added || s.hasPulled(f.Image)) {
		return only(p.Pod), ofSet(p)
	}
	return s.withImageOf(p, f)
}

// withImageOf matches the pods with the image that a pod waits for. If its template names another image, admission has
// replaced that, as webhooks for registry mirrors do: then it matches the pods of the same template, since theirs is
// replaced too. If its template has no such container, it matches all new pods of the set.
func (s *stays) withImageOf(p *sim.PodState, f *Facts) (func(*model.Pod) bool, behaviour.Whose) {
	switch {
	case f.Added:
		return s.newOf(p), ofSet(p)
	case f.Replaced != "":
		return s.alike(p), ofSet(p)
	}
	return s.withImage(f.Image), behaviour.Whose{Word: f.Image}
}

// withImage matches the pods with an image; all pods if it is "".
func (s *stays) withImage(image string) func(*model.Pod) bool {
	return func(pod *model.Pod) bool { return image == "" || s.hasImage(pod.Template, image) }
}

// hasPulled says whether a pod of the dump runs with an image. The answer is kept, since many pods may wait for one.
func (s *stays) hasPulled(image string) bool {
	if is, known := s.pulled[image]; known {
		return is
	}
	if s.pulled == nil {
		s.pulled = map[string]bool{}
	}
	s.pulled[image] = slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool {
		return p.Phase == model.Running && s.Facts[p.Key()].Waiting == "" && s.hasImage(p.Template, image)
	})
	return s.pulled[image]
}

// refusedByRegistry finds in the message about an image that the registry has been asked, and has refused it.
var refusedByRegistry = lazy.Regexp(`(?i)unauthorized|authoriz|authentication|denied|forbidden|not found|` +
	`(manifest|name|blob) unknown|unknown blob`)

// hasImage says whether a container has the image.
func (s *stays) hasImage(template *model.Template, image string) bool {
	return template != nil && slices.Contains(s.imagesOf(template), image)
}

// imagesOf returns the images in a template. A world asks each rule for a pod, one after the other, and a large dump
// has a rule for each image that cannot be pulled: so the answer is kept, and the last one is found without a map.
func (s *stays) imagesOf(template *model.Template) []string {
	if s.asked == template {
		return s.found
	}
	images, known := s.images[template]
	if !known {
		for _, c := range template.Containers {
			images = append(images, c.Image)
		}
		const field = `"image":"`
		for _, rest := range strings.Split(s.spec(template), field)[1:] {
			image, _, _ := strings.Cut(rest, `"`)
			images = append(images, image)
		}
		slices.Sort(images)
		images = slices.Compact(images)
		if s.images == nil {
			s.images = map[*model.Template][]string{}
		}
		s.images[template] = images
	}
	s.asked, s.found = template, images
	return images
}

// alike matches the pods of the set that have the spec of the given pod. If other pods with that spec are Ready, it
// matches only pods with the given pod's name.
func (s *stays) alike(p *sim.PodState) func(*model.Pod) bool {
	spec, proven := s.spec(p.Template), s.proven(p)
	set := ownerName(p.Pod)
	return func(pod *model.Pod) bool {
		return pod.Namespace == p.Namespace && (!proven || pod.Name == p.Name) && ownerName(pod) == set &&
			s.spec(pod.Template) == spec
	}
}

// only matches one pod, and no later one of its name. In a world that begins with a part of the dump, new pods have the
// UIDs of pods of other sets.
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
	spec := s.spec(p.Template)
	for _, other := range s.named(p.Namespace, ownerName(p.Pod)) {
		if s.spec(other.Template) == spec && (other.Ready || s.Facts[other.Key()].Lost || other.Silenced) {
			return true
		}
	}
	return false
}

// overdue says whether a pod has been running without being Ready for minutes, and for many times as long as any other
// pod of the dump took.
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
