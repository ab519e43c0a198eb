package heal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// sick are the pods of a set that do not serve at the end of a run, by what can be done about them.
type sick struct {
	// down are those that are not being deleted, going those that are. held are those of the latter with finalizers.
	down, going, held []model.Key
	// nodes are the nodes of these pods that do not answer, cordoned all that take no pods, where a pod waits for one.
	nodes, cordoned []string
	finalizers      []string
}

func (l *Live) sick() *sick {
	s := &sick{}
	end := End(l.Events).Set(l.Key)
	if end == nil {
		return s
	}
	silent := lost(l.Events)
	for _, pod := range end.Pods {
		key := model.Key{Namespace: l.Key.Namespace, Name: pod.Name}
		if pod.Serving() {
			continue
		}
		if silent[pod.Node] && !slices.Contains(s.nodes, pod.Node) {
			s.nodes = append(s.nodes, pod.Node)
		}
		switch finalizers := l.finalizers(key); {
		case !pod.Terminating:
			s.down = append(s.down, key)
			if pod.Node == "" {
				s.cordoned = l.cordoned()
			}
		case len(finalizers) > 0:
			s.held, s.finalizers = append(s.held, key), finalizers
		default:
			s.going = append(s.going, key)
		}
	}
	return s
}

// foreground is the finalizer of the garbage collector's own.
const foreground = "foregroundDeletion"

// finalizers are those of a pod that the garbage collector has no part in.
func (l *Live) finalizers(key model.Key) []string {
	for i := range l.State.Pods {
		if p := &l.State.Pods[i]; p.Key() == key {
			return slices.DeleteFunc(slices.Clone(p.Finalizers), func(f string) bool { return f == foreground })
		}
	}
	return nil
}

func (l *Live) cordoned() []string {
	var names []string
	for i := range l.State.Nodes {
		if n := &l.State.Nodes[i]; n.Cordoned && !n.NotReady {
			names = append(names, n.Name)
		}
	}
	return names
}

// attempts lists what may heal the set, the mildest first.
func (l *Live) attempts() []attempt {
	set, s := l.set(), l.sick()
	if set == nil {
		return nil
	}
	if set.Terminating() {
		return l.toGo(set, s)
	}
	if l.drained() != nil {
		return l.toDrain(set)
	}
	list := slices.Concat(l.waking(set), l.ofClaims(set, s), l.ofNames(set))
	list = append(list, slices.Concat(l.ofNodes(s), l.ofPriority(set))...)
	remove := deletePods(s.down, false)
	list = append(list, attempt{what: "deleting " + names(s.down), script: remove})
	list = append(list, l.ofRevisions(set, s, remove)...)
	list = append(list, l.ofScale(set, s)...)
	list = append(list, l.ofQuorum(set, s)...)
	return append(list, l.byForce(s)...)
}

func (l *Live) waking(set *model.StatefulSet) []attempt {
	for _, code := range asleep {
		if stuckFor(End(l.Events), l.Key, code) {
			return []attempt{{what: "an annotation, which wakes the controller",
				script: play.Script{play.Annotate(set.Key(), touched, "yes")}}}
		}
	}
	return nil
}

// ofRevisions are the ways by which the set wants its pods otherwise.
func (l *Live) ofRevisions(set *model.StatefulSet, s *sick, remove play.Script) []attempt {
	var list []attempt
	key := set.Key()
	if l.history(set) > 1 {
		undo := play.Script{play.Undo(key)}
		list = append(list, attempt{what: "undoing the rollout", script: undo})
		if len(remove) > 0 {
			list = append(list, attempt{what: "undoing the rollout and deleting " + names(s.down), script: undo.Then(remove...)})
			if len(s.going) == 0 && set.Spec.Strategy.Type == model.RollingUpdateStrategy {
				list = append(list, attempt{what: "holding the rollout back by its partition and deleting " + names(s.down),
					script: play.Script{hold(set)}.Then(remove...)})
			}
		}
	}
	if len(s.down) == 0 && !stuckFor(End(l.Events), key, model.SyncError) {
		return list
	}
	container := ""
	if containers := set.Spec.Template.Containers; len(containers) > 0 {
		container = containers[0].Name
	}
	const needs = "IMAGE is one that works; or repair and apply the manifest instead"
	repair := play.Script{repaired(key, container)}
	list = append(list, attempt{what: "a repaired template", script: repair, needs: needs})
	if len(remove) > 0 {
		list = append(list, attempt{what: "a repaired template and deleting " + names(s.down), script: repair.Then(remove...),
			needs: needs})
	}
	return list
}

// history counts the revisions of a set.
func (l *Live) history(set *model.StatefulSet) int {
	n := 0
	for _, revision := range l.State.Revisions {
		if owner := revision.Controller(); owner != nil && owner.UID == set.UID {
			n++
		}
	}
	return n
}

// hold keeps a rolling update from replacing any pod.
func hold(set *model.StatefulSet) play.Deed {
	partition := int32(set.Start()) + set.Spec.Replicas
	patch := fmt.Sprintf(`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}`, partition)
	return play.Patch(set.Key(), patch, func(set *model.StatefulSet) {
		block := model.RollingUpdate{}
		if set.Spec.Strategy.RollingUpdate != nil {
			block = *set.Spec.Strategy.RollingUpdate
		}
		block.Partition = partition
		set.Spec.Strategy.RollingUpdate = &block
	})
}

// repaired gives a set an image that works. What it is called is left to whoever knows one.
func repaired(key model.Key, container string) play.Deed {
	d := play.Deed{Verb: "setImage", Does: "give " + key.Name + " an image that works",
		Kubectl: fmt.Sprintf("kubectl -n %s set image statefulset/%s %s=IMAGE", key.Namespace, key.Name, container)}
	return play.Change(key, d, func(_ *sim.User, set *model.StatefulSet) *model.APIError {
		changed, err := manifest.SetImage(set, container, "image.that/works:1")
		if err != nil {
			return &model.APIError{Reason: model.Invalid, Message: err.Error()}
		}
		*set = *changed
		return nil
	})
}

// ofScale takes the sick pods and all above them away and brings them back.
func (l *Live) ofScale(set *model.StatefulSet, s *sick) []attempt {
	if len(s.down) == 0 || set.Spec.PodManagement != model.OrderedReady {
		return nil
	}
	_, lowest := model.SplitPodName(s.down[0].Name)
	below := int32(lowest - set.Start())
	if below <= 0 || below >= set.Spec.Replicas {
		return nil
	}
	a := attempt{
		what: fmt.Sprintf("scaling to %d and back", below),
		script: play.Script{
			play.Scale(set.Key(), below), waitGone(s.down), play.Scale(set.Key(), set.Spec.Replicas),
		},
	}
	if r := set.Spec.Retention; r != nil && r.DeleteWhenScaled {
		a.danger = reasons.VolumeDanger([]string{"the claims of the pods from " + s.down[0].Name + " up"})
	}
	return []attempt{a}
}

// ofQuorum starts all pods at once, for those that need each other to become Ready.
func (l *Live) ofQuorum(set *model.StatefulSet, s *sick) []attempt {
	serving := 0
	if end := End(l.Events).Set(l.Key); end != nil {
		serving = end.Serving()
	}
	if set.Spec.PodManagement != model.OrderedReady || len(s.down) == 0 || l.Quorum == nil || set.Spec.Replicas < 2 ||
		2*serving > int(set.Spec.Replicas) || !l.runs(s.down[0]) {
		return nil
	}
	return []attempt{{
		what: "recreating the StatefulSet with Parallel", script: withParallel(set.Key()), lab: l.Quorum,
		danger: reasons.OrphanDanger(set.Name),
		needs:  names(s.down[:1]) + " is not Ready because it waits for its peers, as a quorum does",
	}}
}

// runs says whether the containers of a pod run.
func (l *Live) runs(key model.Key) bool {
	return slices.ContainsFunc(l.State.Pods, func(p sim.PodState) bool {
		return p.Key() == key && p.Phase == model.Running && (p.Containers == nil || p.Containers.Shown == "")
	})
}

func withParallel(key model.Key) play.Script {
	var script play.Script
	for i, c := range anewInParallel(key) {
		script = append(script, play.Deed{Verb: c.verb, Does: c.does, Kubectl: c.text, Act: c.act, Prompt: i > 0})
	}
	return script
}

// byForce are the ways that vouch for something which only a look at the machine can know.
func (l *Live) byForce(s *sick) []attempt {
	var list []attempt
	if len(s.held) > 0 {
		list = append(list, attempt{what: "taking the finalizers from " + names(s.held), script: free(s.held),
			danger: reasons.FinalizerDanger(names(s.held), s.finalizers)})
	}
	for _, node := range s.nodes {
		list = append(list, attempt{what: "vouching for " + node + " being off",
			script: play.Script{play.OutOfService(node)}, danger: reasons.OutOfServiceDanger(node)})
		list = append(list, attempt{what: "deleting the node " + node, script: play.Script{deleteNode(node)},
			danger: reasons.DeleteNodeDanger(node)})
	}
	force := deletePods(s.going, true)
	list = append(list, attempt{what: "deleting " + names(s.going) + " by force", script: force,
		danger: reasons.ForceDanger(namesOf(s.going)...)})
	if len(force) > 0 && len(s.down) > 0 {
		list = append(list, attempt{what: "deleting " + names(slices.Concat(s.going, s.down)),
			script: force.Then(deletePods(s.down, false)...), danger: reasons.ForceDanger(namesOf(s.going)...)})
	}
	if set := l.set(); len(force) > 0 && l.history(set) > 1 {
		list = append(list, attempt{what: "undoing the rollout and deleting " + names(s.going) + " by force",
			script: play.Script{play.Undo(l.Key)}.Then(force...), danger: reasons.ForceDanger(namesOf(s.going)...)})
	}
	return list
}

// ofNodes lets pods be bound again.
func (l *Live) ofNodes(s *sick) []attempt {
	if len(s.cordoned) == 0 {
		return nil
	}
	nodes := s.cordoned
	return []attempt{{
		what: "uncordoning " + strings.Join(nodes, ", "), needs: "their maintenance is over",
		script: play.Script{{
			Verb: "uncordon", Kubectl: "kubectl uncordon " + strings.Join(nodes, " "),
			Act: func(u *sim.User) sim.Outcome {
				for _, node := range nodes {
					u.Cordon(node, false)
				}
				return sim.Outcome{Effect: timeline.Done}
			},
		}},
	}}
}

// ofPriority creates the PriorityClass that a pod which cannot be created asks for.
func (l *Live) ofPriority(set *model.StatefulSet) []attempt {
	const key = `"priorityClassName":"`
	at := strings.Index(set.Spec.Template.Data, key)
	if at < 0 || !stuckFor(End(l.Events), l.Key, model.SyncError) {
		return nil
	}
	name, _, _ := strings.Cut(set.Spec.Template.Data[at+len(key):], `"`)
	lab := *l.Lab
	lab.World.Admit = nil
	return []attempt{{
		what: "creating the PriorityClass " + name, lab: &lab,
		needs: "there is none of that name (kubectl get priorityclass), and the events of the StatefulSet say so",
		script: play.Script{
			{Verb: "create", Kubectl: "kubectl create priorityclass " + name + " --value=0"},
			play.Annotate(set.Key(), touched, "yes"),
		},
	}}
}

// toGo are the ways to bring the deletion of a set to its end.
func (l *Live) toGo(set *model.StatefulSet, s *sick) []attempt {
	all := slices.Concat(s.going, s.held, s.down)
	list := []attempt{
		{what: "deleting " + names(s.going) + " once more", script: deletePods(s.going, false)},
		{what: "deleting " + names(all) + " by force", script: deletePods(all, true),
			danger: reasons.ForceDanger(namesOf(all)...)},
		{what: "deleting the StatefulSet in the background", script: play.Script{play.DeleteSet(set.Key(), sim.Background)},
			needs: "its pods may go on terminating without it"},
	}
	if len(s.held) > 0 {
		list = append(list, attempt{what: "taking the finalizers from " + names(s.held), script: free(s.held),
			danger: reasons.FinalizerDanger(names(s.held), s.finalizers)})
	}
	return list
}

// deletePods deletes pods by one command, which returns when they are gone.
func deletePods(pods []model.Key, force bool) play.Script {
	if len(pods) == 0 {
		return nil
	}
	if len(pods) == 1 {
		return play.Script{play.Delete(pods[0], force)}
	}
	text := fmt.Sprintf("kubectl -n %s delete pod %s", pods[0].Namespace, strings.Join(namesOf(pods), " "))
	if force {
		text += " --force --grace-period=0"
	}
	return play.Script{{
		Verb: "delete", Kubectl: text, Returns: allGone(pods),
		Act: func(u *sim.User) sim.Outcome {
			for _, pod := range pods {
				if u.Pod(pod) != nil {
					u.DeletePod(pod, force)
				}
			}
			return sim.Outcome{Effect: timeline.Deleted}
		},
	}}
}

// waitGone waits until pods are gone.
func waitGone(pods []model.Key) play.Deed {
	words := make([]string, len(pods))
	for i, pod := range pods {
		words[i] = "pod/" + pod.Name
	}
	return play.Deed{
		Verb: "wait", Returns: allGone(pods),
		Kubectl: fmt.Sprintf("kubectl -n %s wait %s --for=delete --timeout=-1s", pods[0].Namespace, strings.Join(words, " ")),
	}
}

// allGone is the condition that the pods that were there are gone.
func allGone(pods []model.Key) play.Returns {
	return func(before *play.Moment) func(*play.Moment) bool {
		was := map[model.Key]model.UID{}
		for _, pod := range pods {
			was[pod] = before.Pods[pod].UID
		}
		return func(now *play.Moment) bool {
			return !slices.ContainsFunc(pods, func(pod model.Key) bool {
				return was[pod] != 0 && now.Pods[pod].UID == was[pod]
			})
		}
	}
}

// free takes the finalizers from pods.
func free(pods []model.Key) play.Script {
	var script play.Script
	for _, pod := range pods {
		script = append(script, play.Deed{
			Verb: "patch", Does: "take the finalizers from " + pod.Name,
			Kubectl: fmt.Sprintf(`kubectl -n %s patch pod %s --type merge -p '{"metadata":{"finalizers":null}}'`,
				pod.Namespace, pod.Name),
			Act: func(u *sim.User) sim.Outcome {
				u.FreePod(pod)
				return sim.Outcome{Effect: timeline.Done}
			},
		})
	}
	return script
}

func deleteNode(node string) play.Deed {
	return play.Deed{Verb: "delete", Kubectl: "kubectl delete node " + node, Act: func(u *sim.User) sim.Outcome {
		u.DeleteNode(node)
		return sim.Outcome{Effect: timeline.Deleted}
	}}
}

func namesOf(pods []model.Key) []string {
	var list []string
	for _, pod := range pods {
		list = append(list, pod.Name)
	}
	return list
}

func names(pods []model.Key) string { return strings.Join(namesOf(pods), ", ") }
