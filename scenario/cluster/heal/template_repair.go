package heal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/lazy"
)

// failing returns the first container of the pods that are down which does not run, and why; or the first container
// of the set, and why its pods do not start, or "" if all of them run, or none has begun.
func failing(x *situation) (container, why string) {
	if containers := x.set.Spec.Template.Containers; len(containers) > 0 {
		container = containers[0].Name
	}
	switch {
	case x.refusal != "", len(x.set.Spec.Template.Wrong) > 0:
		return container, refused
	case x.unplaced > 0 && x.unplaced == len(x.down):
		return container, unplaced
	}
	for _, p := range x.given.State.Pods {
		switch {
		case !slices.Contains(x.down, p.Key()):
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
		case p.Phase == model.Pending && p.Node != "" && x.given.Lab.World.Start != nil:
			return container, notCreated
		}
	}
	return container, ""
}

// The reasons that no container shows: refused and unplaced are those of pods that are not admitted, or for which the
// scheduler finds no node; gated is that of a pod that runs, and whose readiness gates may be what keeps it
// from being Ready; notCreated that of a pod of a dump that has a node and whose containers do not start; unauthorized
// that of an image that the registry does not give to the pod; unstarted that of a container that a probe stops before
// it has started.
const (
	refused      = "not admitted"
	unplaced     = "no node"
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

// flaw is what an edit of the template does about a reason why pods are down, for which another image is no help. A %s
// in needs stands for the container.
type flaw struct{ does, needs string }

var (
	orFix     = ". Or fix the manifest and apply it instead"
	uncreated = flaw{"let the containers of %s be created", "the edit corrects what the container refers to" + orFix +
		". Or create what is missing: then the kubelet starts the container by itself"}
	flaws = map[string]flaw{
		refused: {"let the pods of %s be admitted", "the edit removes the reason why the pods are refused" + orFix},
		unplaced: {"let the nodes take the pods of %s", "the edit corrects what keeps the pods off all nodes " +
			"(nodeSelector, affinity, requests, a missing toleration)" + orFix},
		OOMKilled: {"give the pods of %s more memory", "the edit raises the memory limit of %s far " +
			"enough" + orFix},
		"CreateContainerConfigError": uncreated, "CreateContainerError": uncreated,
		notCreated: {"let the containers of %s be created", "the edit corrects what the containers wait for, such as a " +
			"volume" + orFix + ". Or repair it outside of the StatefulSet: then the kubelet starts the containers by itself"},
		unauthorized: {"let the image of %s be pulled", "the edit gives the pods imagePullSecrets that are right, or an " +
			"image that can be pulled" + orFix},
		unstarted: {"let the containers of %s start", "the edit gives %s enough time to start (failureThreshold × " +
			"periodSeconds of its startupProbe), or corrects why it does not answer" + orFix},
		gated: {"let the pods of %s become Ready", "the edit removes the readiness gate that is not True, or corrects what " +
			"keeps the containers from being ready. Or let whoever sets the gate set it to True: then the StatefulSet " +
			"continues by itself"},
	}
)

// repaired gives a set a template that works, and says what that needs. The user has to say which: an image; or, if
// no image changes what is wrong, an edit. Each is played as a template whose pods become Ready.
func repaired(x *situation) (repair play.Script, needs string) {
	key := x.given.Key
	container, why := failing(x)
	d := play.Deed{Verb: "setImage", Does: "give " + key.Name + " an image that works",
		Kubectl: command.In(key.Namespace, "set", "image", "statefulset/"+key.Name, container+"=IMAGE")}
	needs = "IMAGE is an image that works" + orFix
	if of, is := flaws[why]; is {
		d = play.Deed{Verb: "edit", Does: fmt.Sprintf(of.does, key.Name),
			Kubectl: command.In(key.Namespace, "edit", "statefulset/"+key.Name)}
		needs = strings.Replace(of.needs, "%s", container, 1)
	}
	return play.Script{play.Change(key, d, func(_ *sim.User, set *model.StatefulSet) *model.APIError {
		changed, err := manifest.SetImage(set, container, "image.that/works:1")
		if err != nil {
			return &model.APIError{Reason: model.Invalid, Message: err.Error()}
		}
		switch why {
		case unplaced:
			changed = manifest.AnyNode(changed, taintsOf(x.given.State.Nodes))
		case gated:
			changed = manifest.Ungated(changed)
		}
		*set = *changed
		return nil
	})}, needs
}

// taintsOf returns the keys of the taints that the nodes have, without those that come and go with their state, and
// those of nodes that a cluster autoscaler removes.
func taintsOf(nodes []sim.NodeState) []string {
	var keys []string
	for i := range nodes {
		for _, taint := range nodes[i].Taints {
			if !slices.Contains(keys, taint.Key) && !begins(taint.Key, autoscalers) {
				keys = append(keys, taint.Key)
			}
		}
	}
	return keys
}
