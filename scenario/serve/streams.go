package serve

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/sim"
)

// whys say why a subresource of pods is refused.
var whys = map[string]string{
	"attach":              "no process runs in a simulated container that one could attach to; kubectl exec runs commands",
	"portforward":         "no process listens in a simulated container, so no port can be forwarded to it",
	"proxy":               "no process listens in a simulated container, so nothing can be sent to it",
	"ephemeralcontainers": "a simulated pod takes no more containers; kubectl exec runs commands in those it has",
}

// log answers a request for what a container has written: nothing but a line that says so, from its start.
func (s *Server) log(q *request) error {
	line, err := s.logged(q)
	if errors.Is(err, errUnassigned) {
		q.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if err != nil {
		return err
	}
	q.w.Header().Set("Content-Type", "text/plain")
	q.w.Write([]byte(line))
	return nil
}

// hasContainer reports whether a pod has a container of a name.
func hasContainer(pod kinds.Fields, name string) bool {
	all := append(pod.List("spec", "containers"), pod.List("spec", "initContainers")...)
	return slices.ContainsFunc(all, func(c kinds.Fields) bool { return c.Text("name") == name })
}

// errUnassigned says that a pod has no node: there is nothing to be read from it.
var errUnassigned = errors.New("the pod has no node")

func (s *Server) logged(q *request) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	if there := s.objects.Get(q.kind, q.key()); there != nil && there.Fields.Text("spec", "nodeName") == "" {
		if name := q.query.Get("container"); name != "" && !hasContainer(there.Fields, name) {
			return "", apierrors.NewBadRequest(fmt.Sprintf("container %s is not valid for pod %s", name, q.name))
		}
		return "", errUnassigned
	}
	pod, container, err := s.container(q)
	if err != nil {
		return "", err
	}
	if q.asks("previous") {
		return "", apierrors.NewBadRequest(fmt.Sprintf("previous terminated container %q in pod %q not found",
			container.Text("name"), q.name))
	}
	since := pod.Fields.Text("status", "startTime")
	for _, c := range pod.Fields.List("status", "containerStatuses") {
		if c.Text("name") == container.Text("name") {
			since = c.Text("state", "running", "startedAt")
		}
	}
	if n, err := strconv.Atoi(q.query.Get("tailLines")); err == nil && n <= 0 {
		return "", nil
	}
	line := fmt.Sprintf("container %s of image %s runs since %s; a simulated container writes nothing else\n",
		container.Text("name"), container.Text("image"), since)
	if q.asks("timestamps") {
		line = s.instant().Format(time.RFC3339Nano) + " " + line
	}
	return line, nil
}

// bind answers a scheduler that binds a pod to a node.
func (s *Server) bind(q *request) error {
	var binding corev1.Binding
	if err := options(q.http, &binding); err != nil {
		return err
	}
	if errs := wrongTarget(&binding.Target); len(errs) > 0 {
		return failure(http.StatusInternalServerError, "", errs.ToAggregate().Error())
	}
	node := binding.Target.Name
	_, err := s.locked(q, func() (*objects.Object, error) {
		pod := s.objects.Get(q.kind, q.key())
		switch {
		case pod == nil:
			return nil, notFound(q.kind, q.name)
		case !s.config.Uncontrolled && s.objects.Get(kinds.Node, model.Key{Name: node}) == nil:
			return nil, notFound(kinds.Node, node)
		case pod.Fields.Text("spec", "nodeName") != "":
			return nil, apierrors.NewConflict(resource(q.kind), q.name, fmt.Errorf("pod %s is already assigned to node %q",
				q.name, pod.Fields.Text("spec", "nodeName")))
		case q.dry():
			return nil, nil
		case s.config.Uncontrolled:
			return s.assign(pod, node), nil
		}
		return nil, refusal(s.act(other("bind", q.kind, q.key()), ref{q.kind, q.key()}, func(u *sim.User) *model.APIError {
			u.PinPod(u.Pod(q.key()), node)
			return nil
		}), q.kind, q.name)
	})
	if err == nil {
		done := success(nil)
		done.Code = http.StatusCreated
		q.send(http.StatusCreated, done)
	}
	return err
}

// wrongTarget returns what is wrong with what a pod is to be bound to.
func wrongTarget(target *corev1.ObjectReference) (errs field.ErrorList) {
	path := field.NewPath("target")
	if target.Kind != "" && target.Kind != "Node" {
		errs = append(errs, field.NotSupported(path.Child("kind"), target.Kind, []string{"Node", "<empty>"}))
	}
	if target.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), ""))
	}
	return errs
}
