package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// A step may wait for a command that waits, as the next line of a shell script does: kubectl rollout status, or kubectl
// wait. As in a script that ends at the first command that fails (set -e), a step is not played, nor any after it, if
// the command before it fails or never returns.

// waitTimeout is the default of kubectl wait --timeout. kubectl rollout status waits forever by default.
const waitTimeout = 30 * time.Second

// returns reads the command that a step waits for; nil if there is a problem.
func (s *step) returns(n *yaml.Node) *sim.Wait {
	const want = "write {rolloutStatus: web}, {gate: helm-4}, or {wait: pod/web-0, for: condition=Ready}"
	if n.Kind == yaml.ScalarNode {
		s.r.Problem(n, "what a step waits for is "+strict.Describe(n), want)
		return nil
	}
	m := s.mapping(n, "what a step waits for", []string{"rolloutStatus", "wait", "for", "gate", "timeout"}, nil)
	if m == nil {
		return nil
	}
	var wait *sim.Wait
	isTime := func(key string) bool { return key == "timeout" }
	switch keys := slices.DeleteFunc(m.Keys(), isTime); {
	case slices.Equal(keys, []string{"rolloutStatus"}):
		wait = s.rolloutStatus(m)
	case len(keys) == 2 && m.Has("wait") && m.Has("for"):
		wait = s.kubectlWait(m)
	case slices.Equal(keys, []string{"gate"}):
		wait = s.gate(m)
	default:
		s.r.Problem(n, "a step waits for one command",
			"write rolloutStatus: web, gate: helm-4, or wait: pod/web-0 with for: condition=Ready")
	}
	if wait == nil || !m.Has("timeout") {
		return wait
	}
	wait.Timeout = m.Duration("timeout")
	wait.Command += " --timeout=" + wait.Timeout.String()
	return wait
}

// kubectl returns a command as it is typed, with the namespace of its object if that is not default.
func kubectl(namespace string, words ...string) string {
	if namespace != "default" {
		return shell.In(namespace, words...)
	}
	return shell.Kubectl(words...)
}

// rolloutStatus reads a kubectl rollout status. Like kubectl it fails if the set does not exist at the start, is
// deleted meanwhile, or has the strategy OnDelete; it returns once all pods are updated and Ready according to the
// status.
func (s *step) rolloutStatus(m *strict.Map) *sim.Wait {
	key, ok := s.named(m.Value("rolloutStatus"), m.String("rolloutStatus"))
	if !ok {
		return nil
	}
	status := func(u *sim.User) (bool, string) {
		tool, verdict := gate.KubectlRolloutStatus, gate.Verdict{}
		if set := u.Set(key); set != nil {
			verdict = tool.Read(&timeline.Set{Key: key, Spec: set, Status: set.Status})
		} else {
			verdict = tool.Gone(key)
		}
		if verdict.State == gate.Failed {
			return true, verdict.Words
		}
		return verdict.State == gate.Done, ""
	}
	return &sim.Wait{
		Command: kubectl(key.Namespace, "rollout", "status", "statefulset/"+key.Name),
		Late:    gate.KubectlRolloutStatus.After,
		Begin: func(u *sim.User) (sim.Returns, string) {
			if u.Set(key) == nil {
				return nil, fmt.Sprintf("Error from server (NotFound): statefulsets.apps %q not found", key.Name)
			}
			return status, ""
		},
	}
}

// awaited is the object of a kubectl wait.
type awaited struct {
	// resource is its resource as kubectl's messages name it: "pods".
	resource string
	key      model.Key
	// life is the UID of the object of that name, 0 if there is none. Two objects of one name have different UIDs:
	// kubectl wait --for=delete waits for one of them.
	life func(*sim.User) model.UID
	// fields are its numbers and words that a jsonpath can ask for, by their paths. life must not be 0.
	fields func(*sim.User) map[string]string
}

// statusFields returns the status fields of a StatefulSet that kubectl wait can wait for, as text, by their paths.
func statusFields(s *model.Status) map[string]string {
	number := func(n int32) string { return strconv.Itoa(int(n)) }
	return map[string]string{
		"{.status.replicas}":          number(s.Replicas),
		"{.status.readyReplicas}":     number(s.Ready),
		"{.status.availableReplicas}": number(s.Available),
		"{.status.currentReplicas}":   number(s.Current),
		"{.status.updatedReplicas}":   number(s.Updated),
	}
}

var (
	// awaitedKinds are the kinds that a step can wait for. jsonPath accepts one field of the status, with or
	// without quotes around the braces, and a value that needs no quoting in a shell, such as the numbers and
	// phases of a status.
	awaitedKinds = []string{"pod", "pvc", "statefulset"}
	jsonPath     = regexp.MustCompile(`^jsonpath=('?)(\{\.status\.[A-Za-z]+\})('?)=([A-Za-z0-9.-]+)$`)
)

// kubectlWait reads a kubectl wait; nil if there is a problem. Except for create and delete, the object must exist
// when the command starts, or the command fails with NotFound.
func (s *step) kubectlWait(m *strict.Map) *sim.Wait {
	object := s.awaited(m.Value("wait"), m.String("wait"))
	if object == nil {
		return nil
	}
	condition := m.String("for")
	wait := &sim.Wait{
		Command: kubectl(object.key.Namespace, "wait", m.String("wait")) + " --for=" + condition, Timeout: waitTimeout,
		Late: fmt.Sprintf("error: timed out waiting for the condition on %s/%s", object.resource, object.key.Name),
	}
	missing := fmt.Sprintf("Error from server (NotFound): %s %q not found", object.resource, object.key.Name)
	path := jsonPath.FindStringSubmatch(condition)
	switch {
	case condition == "delete":
		wait.Begin = object.gone
	case condition == "create":
		wait.Begin = func(*sim.User) (sim.Returns, string) {
			return func(u *sim.User) (bool, string) { return object.life(u) != 0, "" }, ""
		}
	case condition == "condition=Ready" && object.resource == "pods":
		wait.Begin = object.once(missing, func(u *sim.User) bool {
			pod := u.Pod(object.key)
			return pod != nil && pod.Ready
		})
	case path != nil && path[1] == path[3] && object.has(path[2]):
		wait.Begin = object.once(missing, func(u *sim.User) bool {
			return object.life(u) != 0 && object.fields(u)[path[2]] == path[4]
		})
	default:
		s.r.Problem(m.Value("for"),
			fmt.Sprintf("a step cannot wait for %q of %s", strict.Shorten(condition), m.String("wait")),
			"write delete, create, condition=Ready (of a pod), or jsonpath={.status.readyReplicas}=3")
		return nil
	}
	return wait
}

// has reports whether an object of the kind has such a field at all.
func (a *awaited) has(path string) bool {
	if a.resource == "statefulsets.apps" {
		_, known := statusFields(&model.Status{})[path]
		return known
	}
	return path == "{.status.phase}"
}

// gone waits until the present object is deleted, even if a namesake exists then: kubectl compares UIDs. Without an
// object it returns at once.
func (a *awaited) gone(u *sim.User) (sim.Returns, string) {
	was := a.life(u)
	return func(u *sim.User) (bool, string) { return was == 0 || a.life(u) != was, "" }, ""
}

// once waits until something holds of an object, which must be there at first; missing is the message if not.
func (a *awaited) once(missing string, holds func(*sim.User) bool) func(*sim.User) (sim.Returns, string) {
	return func(u *sim.User) (sim.Returns, string) {
		if a.life(u) == 0 {
			return nil, missing
		}
		return func(u *sim.User) (bool, string) { return holds(u), "" }, ""
	}
}

// awaited reads the awaited object, like pod/web-0, whose text is at n; nil if there is a problem.
func (s *step) awaited(n *yaml.Node, text string) *awaited {
	kind, name, _ := strings.Cut(text, "/")
	if !slices.Contains(awaitedKinds, kind) || name == "" {
		s.r.Problem(n, fmt.Sprintf("a step cannot wait for %q", strict.Shorten(text)),
			"write pod/web-0, pvc/data-web-0 or statefulset/web")
		return nil
	}
	switch kind {
	case "pod":
		key, ok := s.pod(n, name)
		if !ok {
			return nil
		}
		return awaitedPod(key)
	case "pvc":
		return awaitedClaim(s.awaitedClaim(n, name))
	}
	key, ok := s.named(n, name)
	if !ok {
		return nil
	}
	return awaitedSet(key)
}

// awaitedPod, awaitedClaim and awaitedSet look it up at each call, since another may have its name.
func awaitedPod(key model.Key) *awaited {
	return &awaited{
		resource: "pods", key: key,
		life: func(u *sim.User) model.UID {
			if pod := u.Pod(key); pod != nil {
				return pod.UID
			}
			return 0
		},
		fields: func(u *sim.User) map[string]string { return phase(u.Pod(key).Phase) },
	}
}

// awaitedClaim is a claim; its field is the phase.
func awaitedClaim(key model.Key) *awaited {
	return &awaited{
		resource: "persistentvolumeclaims", key: key,
		life: func(u *sim.User) model.UID {
			if claim := u.Claim(key); claim != nil {
				return claim.UID
			}
			return 0
		},
		fields: func(u *sim.User) map[string]string { return phase(u.Claim(key).Phase) },
	}
}

// awaitedSet is a StatefulSet; its fields are the numbers of its status.
func awaitedSet(key model.Key) *awaited {
	return &awaited{
		resource: "statefulsets.apps", key: key,
		life: func(u *sim.User) model.UID {
			if set := u.Set(key); set != nil {
				return set.UID
			}
			return 0
		},
		fields: func(u *sim.User) map[string]string { return statusFields(&u.Set(key).Status) },
	}
}

// phase returns the one field that a pod or a claim has.
func phase(phase any) map[string]string {
	return map[string]string{"{.status.phase}": fmt.Sprint(phase)}
}
