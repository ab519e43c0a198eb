package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/container"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/scenario/serve/shell"
	"github.com/statefulsim/statefulsim/sim"
)

// whys say why a subresource of pods is refused.
var whys = map[string]string{
	"attach":      "no process runs in a simulated container that one could attach to; kubectl exec runs commands",
	"portforward": "no process listens in a simulated container, so no port can be forwarded to it",
	"proxy":       "no process listens in a simulated container, so nothing can be sent to it",
}

// log answers a request for what a container has written: nothing but a line that says so, from its start.
func (r *reader) log(q *request) error {
	if err := logOptions(q); err != nil {
		return err
	}
	line, err := r.logged(q)
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

// logOptions is the error of the options of a request for a log.
func logOptions(q *request) error {
	var errs field.ErrorList
	for _, option := range []struct {
		name  string
		least int64
		words string
	}{{"limitBytes", 1, "must be greater than 0"}, {"sinceSeconds", 1, "must be greater than 0"},
		{"tailLines", 0, "must be greater than or equal to 0"}} {
		n, err := strconv.ParseInt(q.query.Get(option.name), 10, 64)
		if err == nil && n < option.least {
			errs = append(errs, field.Invalid(field.NewPath(option.name), n, option.words))
		}
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(schema.GroupKind{Kind: "PodLogOptions"}, q.name, errs)
	}
	return nil
}

// errUnassigned says that a pod has no node: there is nothing to be read from it.
var errUnassigned = errors.New("the pod has no node")

func (r *reader) logged(q *request) (string, error) {
	r.pace.mu.Lock()
	defer r.pace.mu.Unlock()
	r.pace.catchUp()
	if there := r.cluster.Objects.Get(q.kind, q.key()); there != nil && there.Fields.Text("spec", "nodeName") == "" {
		if name := q.query.Get("container"); name != "" && !container.Has(there, name) {
			return "", apierrors.NewBadRequest(fmt.Sprintf("container %s is not valid for pod %s", name, q.name))
		}
		return "", errUnassigned
	}
	pod := r.cluster.Objects.Get(q.kind, q.key())
	if pod == nil {
		return "", refuse.NotFound(q.kind, q.name)
	}
	of, err := container.Begun(pod, q.query.Get("container"))
	if err != nil {
		return "", err
	}
	if q.asks("previous") {
		return "", apierrors.NewBadRequest(fmt.Sprintf("previous terminated container %q in pod %q not found",
			of.Text("name"), q.name))
	}
	if n, err := strconv.Atoi(q.query.Get("tailLines")); err == nil && n <= 0 {
		return "", nil
	}
	line := container.Log(pod, of)
	if q.asks("timestamps") {
		line = r.cluster.Instant().Format(time.RFC3339Nano) + " " + line
	}
	return line, nil
}

// exec answers a request to run a command in a container. The command runs at one instant, after all of its input has
// come. What it has done to files decides the readiness of the pod.
func (s *Server) exec(q *request) error {
	s.mu.Lock()
	there := s.cluster.Objects.Get(q.kind, q.key())
	s.mu.Unlock()
	name := q.query.Get("container")
	switch {
	case there != nil && name != "" && !container.Has(there, name):
		return apierrors.NewBadRequest(fmt.Sprintf("container %s is not valid for pod %s", name, q.name))
	case there != nil && there.Fields.Text("spec", "nodeName") == "":
		return apierrors.NewBadRequest(fmt.Sprintf("pod %s does not have a host assigned", q.name))
	case len(q.query["command"]) == 0:
		return apierrors.NewBadRequest("you must specify at least 1 command for the container")
	}
	if _, _, err := s.reader.runningNow(q); err != nil {
		return err
	}
	if _, replayed := q.w.(*answered); replayed {
		in, err := io.ReadAll(q.http.Body)
		if err == nil {
			_, err = s.execute(q, string(in))
		}
		return err
	}
	command := container.Command{Stdin: q.asks("stdin"), Stdout: q.asks("stdout"), Stderr: q.asks("stderr"), TTY: q.asks("tty"),
		Run: func(in string) (shell.Result, error) { return s.execute(q, in) }, When: s.config.When}
	return command.Serve(q.w, q.http)
}

// runningNow returns the pod and the container of a request, which must run.
func (r *reader) runningNow(q *request) (*objects.Object, kinds.Fields, error) {
	r.pace.mu.Lock()
	defer r.pace.mu.Unlock()
	r.pace.catchUp()
	return r.running(q)
}

// running returns the pod and the container of a request, which must run.
func (r *reader) running(q *request) (*objects.Object, kinds.Fields, error) {
	pod := r.cluster.Objects.Get(q.kind, q.key())
	if pod == nil {
		return nil, nil, refuse.NotFound(q.kind, q.name)
	}
	of, err := container.Running(pod, q.query.Get("container"))
	return pod, of, err
}

// execute runs the command of a request at this instant.
func (s *Server) execute(q *request, in string) (shell.Result, error) {
	var r shell.Result
	q.http.Body = &kept{from: http.NoBody}
	q.http.Body.(*kept).read.WriteString(in)
	_, err := s.locked(q, func() (*objects.Object, error) {
		pod, of, err := s.reader.running(q)
		if err != nil {
			return nil, err
		}
		before := s.cluster.Files.Shut(&s.cluster.Objects, pod)
		sh := s.cluster.Files.Shell(&s.cluster.Objects, pod, of)
		if r = sh.Exec(q.query["command"], in); r.Code == 127 && len(sh.Unknown) > 0 && !strings.Contains(r.Err, "sh:") {
			r.Err = "exec: " + r.Err
		}
		if shut := s.cluster.Files.Shut(&s.cluster.Objects, pod); shut != before {
			s.cluster.Act(bridge.Other("exec", q.kind, q.key()), q.ref(), func(u *sim.User) *model.APIError {
				u.ShutPod(q.key(), shut)
				return nil
			})
		}
		return nil, nil
	})
	return r, err
}

// bind answers a scheduler that binds a pod to a node.
func (s *Server) bind(q *request) error {
	var binding corev1.Binding
	if err := options(q.http, &binding); err != nil {
		return err
	}
	if q.name != "" && binding.Name != "" && binding.Name != q.name {
		return apierrors.NewBadRequest("name in URL does not match name in Binding object")
	}
	if errs := wrongTarget(&binding.Target); len(errs) > 0 {
		return refuse.With(http.StatusInternalServerError, "", errs.ToAggregate().Error())
	}
	if q.name == "" { // The resource bindings names the pod in the object.
		q.name = binding.Name
	}
	node := binding.Target.Name
	_, err := s.locked(q, func() (*objects.Object, error) {
		pod := s.cluster.Objects.Get(q.kind, q.key())
		switch {
		case pod == nil:
			return nil, refuse.NotFound(q.kind, q.name)
		case !s.config.Uncontrolled && s.cluster.Objects.Get(kinds.Node, model.Key{Name: node}) == nil:
			return nil, refuse.NotFound(kinds.Node, node)
		case pod.Fields.Text("spec", "nodeName") != "":
			return nil, apierrors.NewConflict(refuse.Resource(q.kind), q.name, fmt.Errorf("pod %s is already assigned to node %q",
				q.name, pod.Fields.Text("spec", "nodeName")))
		case q.dry():
			return nil, nil
		case s.config.Uncontrolled:
			return s.writer.assign(pod, node), nil
		}
		wrong := s.cluster.Act(bridge.Other("bind", q.kind, q.key()), q.ref(), func(u *sim.User) *model.APIError {
			u.PinPod(u.Pod(q.key()), node)
			return nil
		})
		return nil, refuse.Of(wrong, q.kind, q.name)
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
