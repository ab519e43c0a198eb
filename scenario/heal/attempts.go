package heal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/command"
	"github.com/statefulsim/statefulsim/sim/lazy"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/render"
)

// attempts lists the attempts, the mildest first: those with fewer commands. There are none for a run that ended
// neither settled nor stuck, since it cannot be continued, if the set does not exist, or if nothing may be spent on
// them.
func (s *Stuck) attempts() []attempt {
	if !s.goesOn() || s.purse.empty() {
		return nil
	}
	if s.State == nil {
		s.State = s.Lab.State(s.Before)
	}
	set := s.set()
	if set == nil {
		return nil
	}
	list := s.lists(set, s.sick())
	list = slices.DeleteFunc(list, func(a attempt) bool { return len(a.script) == 0 })
	slices.SortStableFunc(list, func(a, b attempt) int {
		return cmp.Compare(len(a.script.Commands()), len(b.script.Commands()))
	})
	return list
}

// lists returns the attempts for a set, by what it is stuck on. Attempts that do not apply have an empty script.
func (s *Stuck) lists(set *model.StatefulSet, sick *sick) []attempt {
	switch {
	case set.Terminating():
		return s.again(s.toGo(set, sick))
	case s.drained() != nil:
		return s.toDrain(set)
	}
	if strings.Contains(s.refusal(), NamespaceGoes) {
		return nil
	}
	remove := deletePods(sick.down, false)
	first, second := s.ofRevisions(set, sick, remove), s.ofAdmission(set)
	if s.alike(set) {
		first, second = second, first
	}
	return slices.Concat(
		s.waking(set), s.ofClaims(set, sick), s.ofNames(set), s.ofNodes(sick), s.elsewhere(sick),
		[]attempt{{what: "deleting " + names(sick.down), script: remove}},
		s.unfit(set), first, s.beyond(set, sick, remove), s.backTo(set, sick), second, s.ofScale(set, sick),
		s.ofQuorum(set, sick), s.byForce(set, sick),
	)
}

// asleep are the reasons of a set that is stuck only because nothing wakes the controller: it does not watch claims, or
// it has missed a change of a pod.
var asleep = []model.Code{model.StaleClaim, model.TakenForGone, model.Unnoticed}

// touched is the name of the annotation that wakes the controller; it means nothing.
const touched = "touched"

// waking returns the attempts for a set that only waits until somebody wakes the controller.
func (s *Stuck) waking(set *model.StatefulSet) []attempt {
	if !isStuckFor(s.Events, s.Key, asleep...) {
		return nil
	}
	list := []attempt{wake(set.Key())}
	var taken []model.Key
	for _, stuck := range s.Events[len(s.Events)-1].Result.Stuck {
		if stuck.Set == s.Key && stuck.Why.Code == model.TakenForGone {
			taken = append(taken, model.Key{Namespace: set.Namespace, Name: stuck.Why.Object})
		}
	}
	return append(list, attempt{what: "deleting " + names(taken) + ", which the controller believes to be gone",
		script: deletePods(taken, false)})
}

// wake returns the attempt that changes the set without changing anything.
func wake(key model.Key) attempt {
	return attempt{what: "annotating the StatefulSet, which wakes the controller",
		script: play.Script{play.Annotate(key, touched, "yes")}}
}

// ofRevisions returns the attempts that change the pod template, or keep a change from the pods.
func (s *Stuck) ofRevisions(set *model.StatefulSet, sick *sick, remove play.Script) []attempt {
	var list []attempt
	key := set.Key()
	last := s.ranBefore(set, sick)
	if s.history(set) > 1 {
		undo, needs := play.Script{play.Undo(key)}, ""
		unlikely := last && s.provenBeside(set, sick)
		switch {
		case unlikely:
			needs = wrongAfterAll
		case guessed(s.refusal()):
			needs = "pods of the old template are still admitted"
		}
		list = append(list, attempt{what: "undoing the rollout", script: undo, lab: s.Between, needs: needs, last: unlikely})
		if len(remove) > 0 {
			list = append(list, attempt{what: "undoing the rollout and deleting " + names(sick.down),
				script: undo.Then(remove...), needs: needs, last: unlikely})
		}
		if len(remove) > 0 && len(sick.going) == 0 && set.Spec.Strategy.Type == model.RollingUpdateStrategy {
			list = append(list, attempt{what: "pausing the rollout with a partition and deleting " + names(sick.down),
				script: play.Script{play.Hold(set)}.Then(remove...),
				later:  "Set the partition in Git too, or the next apply undoes it"})
		}
	}
	if len(sick.down) == 0 && !isStuckFor(s.Events, key, model.SyncError) {
		return list
	}
	refusal := s.refusal()
	if webhook().MatchString(refusal) || ofClaim(refusal) || reasons.CountsPods(refusal) {
		return list
	}
	repair, needs := s.repaired(set, sick)
	if last = last || s.provenBeside(set, sick); last || s.alike(set) {
		needs = wrongAfterAll + ", and that " + needs
	}
	fix := attempt{what: "fixing the template", script: repair, needs: needs, last: last, lab: s.Between}
	if refusal != "" {
		fix.lab = s.admittingOther(set)
	}
	list = append(list, fix)
	if len(remove) > 0 {
		list = append(list, attempt{what: "fixing the template and deleting " + names(sick.down),
			script: repair.Then(remove...), needs: needs, last: last})
	}
	return list
}

// wrongAfterAll is what the attempts that change a template need that other pods have run.
const wrongAfterAll = "the template is wrong, although other pods have run it"

// ranBefore says whether the pods that do not serve have a revision whose rollout has completed, and were created some
// time after that: other pods have run this revision, so the revision is not what is broken.
func (s *Stuck) ranBefore(set *model.StatefulSet, sick *sick) bool {
	const soon, long = model.Time(5 * time.Second), model.Time(time.Hour)
	revision := set.Status.CurrentRevision
	at := slices.IndexFunc(s.State.Revisions, func(r *model.Revision) bool {
		return r.Name == revision && r.Namespace == set.Namespace
	})
	if at < 0 || len(sick.down) == 0 || revision != set.Status.UpdateRevision {
		return false
	}
	later := s.State.Revisions[at].Created + soon
	if s.history(set) == 1 && s.fails(sick.down[0]) && !s.anyReady(set) {
		// A first start may never have been completed, and somebody has deleted its pods since.
		later += long
	}
	return !slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool {
		return slices.Contains(sick.down, p.Key()) && (p.Revision() != revision || p.Created < later)
	})
}

// fails says whether a pod has no node, or its containers do not run: an init container may not have ended, for
// example.
func (s *Stuck) fails(key model.Key) bool {
	return slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool {
		return p.Key() == key && (p.Node == "" || p.Phase == model.Pending ||
			p.Containers != nil && p.Containers.Shown != "")
	})
}

// anyReady says whether any pod of a set is Ready.
func (s *Stuck) anyReady(set *model.StatefulSet) bool {
	return slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool { return p.Ready && isOf(set, &p) })
}

// provenBeside says whether a dump shows for each pod that does not serve another one of the set that is Ready with the
// same template.
func (s *Stuck) provenBeside(set *model.StatefulSet, sick *sick) bool {
	if s.Lab.World.Start == nil || len(s.Before) > 0 || len(sick.down) == 0 {
		return false
	}
	return !slices.ContainsFunc(s.State.Pods, func(down sim.PodState) bool {
		return slices.Contains(sick.down, down.Key()) && !slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool {
			return p.Ready && p.Namespace == set.Namespace && set.OrdinalOf(p.Name) >= 0 && p.Template == down.Template
		})
	})
}

// history counts the revisions of a set: with only one there is nothing to undo.
func (s *Stuck) history(set *model.StatefulSet) int {
	n := 0
	for _, revision := range s.State.Revisions {
		if owner := revision.Controller(); owner != nil && owner.UID == set.UID {
			n++
		}
	}
	return n
}

// failing returns the first container of the pods that are down which does not run, and why; or the first container
// of the set, and "", if all of them run, or none has begun.
func (s *Stuck) failing(set *model.StatefulSet, sick *sick) (container, why string) {
	if containers := set.Spec.Template.Containers; len(containers) > 0 {
		container = containers[0].Name
	}
	for _, p := range s.State.Pods {
		switch {
		case !slices.Contains(sick.down, p.Key()):
		case p.Containers != nil && Unauthorized(p.Containers.Message):
			return p.Containers.Name, unauthorized
		case p.Containers != nil && strings.Contains(p.Containers.Shown+p.Containers.Message, OOMKilled):
			return p.Containers.Name, OOMKilled
		case p.Containers != nil && strings.Contains(p.Containers.Message, unstarted):
			return p.Containers.Name, unstarted
		case p.Containers != nil && p.Containers.Shown != "" && p.Containers.Name != "":
			return p.Containers.Name, p.Containers.Shown
		case p.Phase == model.Running && len(specOf(p.Template).ReadinessGates) > 0:
			return container, gated
		case p.Phase == model.Pending && p.Node != "" && s.Lab.World.Start != nil:
			return container, notCreated
		}
	}
	return container, ""
}

// The reasons that no container shows: gated is that of a pod that runs, and whose readiness gates may be what keeps it
// from being Ready; notCreated that of a pod of a dump that has a node and whose containers do not start; unauthorized
// that of an image that the registry does not give to the pod; unstarted that of a container that a probe stops before
// it has started.
const (
	gated        = "readiness gates"
	notCreated   = "containers are not created"
	unauthorized = "no credentials"
	unstarted    = "startupProbe has not succeeded"
)

// OOMKilled is the reason of a container that has used more memory than its limit: no other image helps it.
const OOMKilled = "OOMKilled"

// Unauthorized says whether the message about an image says that the registry refuses the credentials. Where it may as
// well be that there is no such image, it does not.
func Unauthorized(message string) bool {
	return unauthorizedWords().MatchString(message) &&
		(strings.Contains(message, "no basic auth") || !strings.Contains(message, "does not exist"))
}

var unauthorizedWords = lazy.Regexp(`(?i)unauthorized|failed to authorize|authentication required|no basic auth|` +
	`403 forbidden|permission[^:]* denied`)

// notOfImages are the reasons of containers that no other image starts: the kubelet cannot make what the spec asks for.
var notOfImages = []string{"CreateContainerConfigError", "CreateContainerError"}

// repaired gives a set a template that works, and says what that needs. The user has to say which: an image; or, if
// no image changes what is wrong, an edit: of whatever keeps the pods from all nodes, or of what a container refers
// to. Each is played as a template whose pods become Ready.
func (s *Stuck) repaired(set *model.StatefulSet, sick *sick) (repair play.Script, needs string) {
	key := set.Key()
	container, why := s.failing(set, sick)
	d := play.Deed{Verb: "setImage", Does: "give " + key.Name + " an image that works",
		Kubectl: command.In(key.Namespace, "set", "image", "statefulset/"+key.Name, container+"=IMAGE")}
	needs = "IMAGE is an image that works. Or fix the manifest and apply it instead"
	edit := command.In(key.Namespace, "edit", "statefulset/"+key.Name)
	unplaced := false
	switch {
	case s.refusal() != "", len(set.Spec.Template.Wrong) > 0:
		d.Verb, d.Does, d.Kubectl = "edit", "let the pods of "+key.Name+" be admitted", edit
		needs = "the edit removes the reason why the pods are refused. Or fix the manifest and apply it instead"
	case sick.unplaced > 0 && sick.unplaced == len(sick.down):
		unplaced = true
		d.Verb, d.Does, d.Kubectl = "edit", "let the nodes take the pods of "+key.Name, edit
		needs = "the edit corrects what keeps the pods off all nodes (nodeSelector, affinity, requests, a missing " +
			"toleration). Or fix the manifest and apply it instead"
	case why == OOMKilled:
		d.Verb, d.Does, d.Kubectl = "edit", "give the pods of "+key.Name+" more memory", edit
		needs = "the edit raises the memory limit of " + container + " far enough. Or fix the manifest and apply it instead"
	case slices.Contains(notOfImages, why):
		d.Verb, d.Does, d.Kubectl = "edit", "let the containers of "+key.Name+" be created", edit
		needs = "the edit corrects what the container refers to. Or fix the manifest and apply it instead. Or create what " +
			"is missing: then the kubelet starts the container by itself"
	case why == notCreated:
		d.Verb, d.Does, d.Kubectl = "edit", "let the containers of "+key.Name+" be created", edit
		needs = "the edit corrects what the containers wait for, such as a volume. Or fix the manifest and apply it " +
			"instead. Or repair it outside of the StatefulSet: then the kubelet starts the containers by itself"
	case why == unauthorized:
		d.Verb, d.Does, d.Kubectl = "edit", "let the image of "+key.Name+" be pulled", edit
		needs = "the edit gives the pods imagePullSecrets that are right, or an image that can be pulled. Or fix the " +
			"manifest and apply it instead"
	case why == unstarted:
		d.Verb, d.Does, d.Kubectl = "edit", "let the containers of "+key.Name+" start", edit
		needs = "the edit gives " + container + " enough time to start (failureThreshold × periodSeconds of its " +
			"startupProbe), or corrects why it does not answer. Or fix the manifest and apply it instead"
	case why == gated:
		d.Verb, d.Does, d.Kubectl = "edit", "let the pods of "+key.Name+" become Ready", edit
		needs = "the edit removes the readiness gate that is not True, or corrects what keeps the containers from being " +
			"ready. Or let whoever sets the gate set it to True: then the StatefulSet continues by itself"
	}
	return play.Script{play.Change(key, d, func(_ *sim.User, set *model.StatefulSet) *model.APIError {
		changed, err := manifest.SetImage(set, container, "image.that/works:1")
		if err != nil {
			return &model.APIError{Reason: model.Invalid, Message: err.Error()}
		}
		switch {
		case unplaced:
			changed = manifest.AnyNode(changed, s.taints())
		case why == gated:
			changed = manifest.Ungated(changed)
		}
		*set = *changed
		return nil
	})}, needs
}

// taints returns the keys of the taints that the nodes have, without those that come and go with their state.
func (s *Stuck) taints() []string {
	var keys []string
	for i := range s.State.Nodes {
		for _, taint := range s.State.Nodes[i].Taints {
			if !slices.Contains(keys, taint.Key) {
				keys = append(keys, taint.Key)
			}
		}
	}
	return keys
}

// ofScale returns the attempts that remove the sick pods and all above them by scaling down, and scale up again. There
// are none if pod 0 is sick, because the set would be empty in between.
func (s *Stuck) ofScale(set *model.StatefulSet, sick *sick) []attempt {
	if len(sick.down) == 0 {
		return nil
	}
	_, lowest := model.SplitPodName(sick.down[0].Name)
	below := int32(lowest - set.Start())
	if below <= 0 || below >= set.Spec.Replicas {
		return nil
	}
	away := play.Script{play.Scale(set.Key(), below), play.WaitGone(sick.down)}
	back := play.Scale(set.Key(), set.Spec.Replicas)
	var list []attempt
	if set.Spec.PodManagement == model.OrderedReady {
		list = append(list, attempt{what: fmt.Sprintf("scaling to %d and back", below), script: away.Then(back)})
	}
	rolls := set.Spec.Strategy.Type == model.RollingUpdateStrategy
	if rolls && sick.unplaced == len(sick.down) && repels(set.Spec.Template) {
		repair, needs := s.repaired(set, sick)
		list = append(list, attempt{
			what:   fmt.Sprintf("scaling to %d, fixing the template, and scaling back when all pods have it", below),
			script: away.Then(repair...).Then(play.RolloutStatus(set.Key()), back), needs: needs,
		})
	}
	return list
}

// repels says whether pods of a template keep others of it from their nodes. Those that run go on to do so when the
// template no longer does.
func repels(template *model.Template) bool {
	return strings.Contains(template.Data, `"podAntiAffinity"`) || strings.Contains(template.Data, `"hostPort"`)
}

// ofQuorum returns the attempt that starts all pods at once: they may need each other to become Ready, which
// OrderedReady never lets happen after all were lost.
func (s *Stuck) ofQuorum(set *model.StatefulSet, sick *sick) []attempt {
	if set.Spec.PodManagement != model.OrderedReady || len(sick.down) == 0 || set.Spec.Replicas < 2 {
		return nil
	}
	a := attempt{
		what: "recreating the StatefulSet with Parallel", script: play.InParallel(set.Key()), lab: s.Quorum,
		danger: reasons.OrphanDanger(set.Key()),
	}
	if s.Quorum == nil {
		return []attempt{a}
	}
	end := End(s.Events).Set(s.Key)
	if end != nil && 2*end.Serving() > int(set.Spec.Replicas) || !s.runs(sick.down[0]) || !s.lacksPeers(set) {
		return nil
	}
	a.needs = names(sick.down[:1]) + " is not Ready because it waits for its peers, as the members of a quorum do"
	return []attempt{a}
}

// lacksPeers says whether a pod of the set does not run because it does not exist, or has ended: Parallel starts no
// others.
func (s *Stuck) lacksPeers(set *model.StatefulSet) bool {
	for i := range int(set.Spec.Replicas) {
		name := set.PodName(set.Start() + i)
		at := slices.IndexFunc(s.State.Pods, func(p sim.PodState) bool {
			return p.Namespace == set.Namespace && p.Name == name
		})
		if at < 0 || s.State.Pods[at].Finished() {
			return true
		}
	}
	return false
}

// runs says whether the containers of a pod run, as those of a member that waits for its peers do.
func (s *Stuck) runs(key model.Key) bool {
	return slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool {
		return p.Key() == key && p.Phase == model.Running && (p.Containers == nil || p.Containers.Shown == "")
	})
}

// elsewhere returns the attempt that makes pods start on other nodes than those where their containers are not created.
func (s *Stuck) elsewhere(sick *sick) []attempt {
	var script play.Script
	var pods []model.Key
	var nodes []string
	for _, p := range s.State.Pods {
		if !slices.Contains(sick.down, p.Key()) || p.Phase != model.Pending || p.Node == "" || s.Lab.World.Start == nil ||
			!slices.ContainsFunc(s.Lab.World.Kubelet.Rules, func(r behaviour.Rule) bool { return r.Match.Node == p.Node }) {
			continue
		}
		if pods = append(pods, p.Key()); !slices.Contains(nodes, p.Node) {
			script, nodes = append(script, play.Cordon(p.Node)), append(nodes, p.Node)
		}
	}
	if len(pods) == 0 {
		return nil
	}
	return []attempt{{what: "cordoning " + strings.Join(nodes, ", ") + " and deleting " + names(pods),
		script: script.Then(deletePods(pods, false)...), later: "Uncordon after the repair (" +
			play.Uncordon(nodes).Kubectl + ")"}}
}

// ofNodes returns the attempt that uncordons nodes.
func (s *Stuck) ofNodes(sick *sick) []attempt {
	if len(sick.cordoned) == 0 {
		return nil
	}
	a := attempt{
		what: "uncordoning " + strings.Join(sick.cordoned, ", "), needs: "the maintenance is over",
		script: play.Script{play.Uncordon(sick.cordoned)},
	}
	lab := *s.Lab
	lab.World.Kubelet.Rules = slices.DeleteFunc(slices.Clone(lab.World.Kubelet.Rules), func(r behaviour.Rule) bool {
		return r.Times.Schedule == behaviour.Never
	})
	if len(lab.World.Kubelet.Rules) < len(s.Lab.World.Kubelet.Rules) {
		// The dump does not show why the other nodes do not take the pod, nor whether these do.
		a.lab, a.needs = &lab, a.needs+", and that there is room for the requests of the pod"
	}
	return []attempt{a}
}

// podSpec is what heal reads of the spec of a pod template.
type podSpec struct {
	PriorityClassName string
	ReadinessGates    []struct{ ConditionType string }
}

// specOf decodes the spec of a template; it is empty if there is none, or if it is no spec.
func specOf(template *model.Template) podSpec {
	var parts struct{ Spec podSpec }
	if template == nil || json.Unmarshal([]byte(template.Data), &parts) != nil {
		return podSpec{}
	}
	return parts.Spec
}

// off returns the attempt that confirms of nodes that they are off: of one, or of several after the outage of a zone.
func off(nodes []string) attempt {
	a := attempt{script: play.Script{play.OutOfService(nodes...)}}
	names := render.And(nodes)
	if len(nodes) == 1 {
		a.what, a.danger = "confirming with a taint that "+names+" is off", reasons.OutOfServiceDanger(names)
		a.later = "When the node is back, remove the taint (" +
			command.Kubectl("taint", "nodes", nodes[0], "node.kubernetes.io/out-of-service-") + ")"
		return a
	}
	a.what = "confirming with taints that " + names + " are off"
	a.danger = "only if the machines of " + names + " are certainly off. Their volumes are detached, and their pods " +
		"start elsewhere"
	a.later = "When a node is back, remove its taint (kubectl taint nodes NODE node.kubernetes.io/out-of-service-)"
	return a
}

// ofLost returns the attempts that confirm of the nodes that do not answer that they are off.
func ofLost(sick *sick) []attempt {
	var list []attempt
	for _, node := range sick.nodes {
		list = append(list, off([]string{node}))
		list = append(list, attempt{what: "deleting the node " + node, script: play.Script{play.DeleteNode(node)},
			danger: reasons.DeleteNodeDanger(node)})
	}
	if len(sick.nodes) > 1 {
		list = append(list, off(sick.nodes))
	}
	return list
}

// byForce returns the attempts that are safe only if something is true that no API object shows, such as that a machine
// is off. Of two that need the same number of commands, the one that confirms that the nodes are off comes before the
// one that deletes pods by force: with it the cluster itself ends the pods, and detaches their volumes.
func (s *Stuck) byForce(set *model.StatefulSet, sick *sick) []attempt {
	var list []attempt
	if len(sick.held) > 0 {
		list = append(list, attempt{what: "removing the finalizers of " + names(sick.held), script: free(sick.held),
			danger: reasons.FinalizerDanger(names(sick.held), sick.finalizers)})
	}
	list = append(list, ofLost(sick)...)
	if len(sick.going) == 0 {
		return list
	}
	force := attempt{what: names(sick.going) + " by force", script: deletePods(sick.going, true),
		danger: reasons.ForceDanger(play.NamesOf(sick.going)...)}
	down, remove := names(sick.down), deletePods(sick.down, false)
	list = append(list, force.behind("deleting ", nil))
	if len(sick.down) > 0 {
		list = append(list, sick.off().behind("deleting "+down+", and ", remove), attempt{
			what:   "deleting " + force.what + ", and " + down,
			script: force.script.Then(remove...), danger: force.danger,
		})
	}
	if s.history(set) < 2 {
		return list
	}
	undo := play.Script{play.Undo(s.Key)}
	list = append(list, force.behind("undoing the rollout and deleting ", undo))
	if len(sick.down) > 0 {
		undo = undo.Then(remove...)
		list = append(list, sick.off().behind("undoing the rollout, deleting "+down+", and ", undo),
			force.behind("undoing the rollout, deleting "+down+", and ", undo))
	}
	return list
}

// off returns the attempt that confirms that all nodes that do not answer are off; one without a script if all answer.
func (s *sick) off() attempt {
	if len(s.nodes) == 0 {
		return attempt{}
	}
	return off(s.nodes)
}

// behind returns an attempt that does something else before. If there is nothing to do in the attempt, it stays so.
func (a attempt) behind(what string, before play.Script) attempt {
	if len(a.script) > 0 {
		a.what, a.script = what+a.what, before.Then(a.script...)
	}
	return a
}

// toGo returns the attempts that finish the deletion of a set.
func (s *Stuck) toGo(set *model.StatefulSet, sick *sick) []attempt {
	if own := FinalizersOf(set); len(own) > 0 {
		return []attempt{{what: "removing the finalizers of " + set.Name, script: play.Script{play.FreeSet(set)},
			danger: reasons.FinalizerDanger(set.Name, own)}}
	}
	all := slices.Concat(sick.going, sick.held, sick.down)
	list := []attempt{
		{what: "deleting " + names(sick.going) + " once more", script: deletePods(sick.going, false)},
		{what: "deleting " + names(all) + " by force", script: deletePods(all, true),
			danger: reasons.ForceDanger(play.NamesOf(all)...)},
		{what: "deleting the StatefulSet in the background", script: play.Script{play.DeleteSet(set.Key(), sim.Background)},
			needs: "its pods may keep terminating without it"},
	}
	if len(sick.held) > 0 {
		list = append(list, attempt{what: "removing the finalizers of " + names(sick.held), script: free(sick.held),
			danger: reasons.FinalizerDanger(names(sick.held), sick.finalizers)})
	}
	return list
}

// deletePods returns one command that deletes all pods; nil if there are none.
func deletePods(pods []model.Key, force bool) play.Script {
	if len(pods) == 0 {
		return nil
	}
	return play.Script{play.DeletePods(pods, force)}
}

// free removes the finalizers of pods.
func free(pods []model.Key) play.Script {
	var script play.Script
	for _, pod := range pods {
		script = append(script, play.FreePod(pod))
	}
	return script
}

// names lists pods for a sentence.
func names(pods []model.Key) string { return strings.Join(play.NamesOf(pods), ", ") }
