package serve

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	corev1 "k8s.io/api/core/v1"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

// whys are the reasons for refusing subresources of pods.
var whys = map[string]string{
	"attach":      "no process runs in a simulated container that one could attach to; kubectl exec runs commands",
	"portforward": "no process listens in a simulated container, so no port can be forwarded to it",
	"proxy":       "no process listens in a simulated container, so nothing can be sent to it",
}

// exec answers a request to run a command in a container. The command runs at one instant, after all of its input
// has come. The files that it leaves decide whether the pod is ready.
func (s *Server) exec(q *request.Request) error {
	s.mu.Lock()
	there := s.cluster.Objects.Get(q.Kind, q.Key())
	s.mu.Unlock()
	name := q.Query.Get("container")
	switch {
	case there != nil && name != "" && !container.Has(there, name):
		return apierrors.NewBadRequest(fmt.Sprintf("container %s is not valid for pod %s", name, q.Name))
	case there != nil && there.Fields.Text("spec", "nodeName") == "":
		return apierrors.NewBadRequest(fmt.Sprintf("pod %s does not have a host assigned", q.Name))
	case len(q.Query["command"]) == 0:
		return apierrors.NewBadRequest("you must specify at least 1 command for the container")
	}
	if _, _, err := s.reader.RunningNow(q); err != nil {
		return err
	}
	if _, replayed := q.Response.(*answered); replayed {
		in, err := io.ReadAll(q.HTTP.Body)
		if err == nil {
			_, err = s.execute(q, string(in))
		}
		return err
	}
	command := container.Command{Stdin: q.Asks("stdin"), Stdout: q.Asks("stdout"), Stderr: q.Asks("stderr"), TTY: q.Asks("tty"),
		Run: func(in string) (shell.Result, error) { return s.execute(q, in) }, When: s.config.When}
	return command.Serve(q.Response, q.HTTP)
}

// execute runs the command of a request at this instant.
func (s *Server) execute(q *request.Request, in string) (shell.Result, error) {
	var r shell.Result
	q.HTTP.Body = &kept{from: http.NoBody}
	q.HTTP.Body.(*kept).read.WriteString(in)
	_, err := s.locked(q, func() (*objects.Object, error) {
		pod, of, err := s.reader.Running(q)
		if err != nil {
			return nil, err
		}
		before := s.cluster.Files.Shut(&s.cluster.Objects, pod)
		sh := s.cluster.Files.Shell(&s.cluster.Objects, pod, of)
		if r = sh.Exec(q.Query["command"], in); r.Code == 127 && len(sh.Unknown) > 0 && !strings.Contains(r.Err, "sh:") {
			r.Err = "exec: " + r.Err
		}
		if shut := s.cluster.Files.Shut(&s.cluster.Objects, pod); shut != before {
			s.cluster.Act(bridge.Other("exec", q.Kind, q.Key()), q.Ref(), func(u *sim.User) *model.APIError {
				u.ShutPod(q.Key(), shut)
				return nil
			})
		}
		return nil, nil
	})
	return r, err
}

// bind answers a scheduler that binds a pod to a node.
func (s *Server) bind(q *request.Request) error {
	var binding corev1.Binding
	if err := request.Options(q.HTTP, &binding); err != nil {
		return err
	}
	if q.Name != "" && binding.Name != "" && binding.Name != q.Name {
		return apierrors.NewBadRequest("name in URL does not match name in Binding object")
	}
	if errs := wrongTarget(&binding.Target); len(errs) > 0 {
		return refuse.With(http.StatusInternalServerError, "", errs.ToAggregate().Error())
	}
	if q.Name == "" { // The resource bindings names the pod in the object.
		q.Name = binding.Name
	}
	node := binding.Target.Name
	_, err := s.locked(q, func() (*objects.Object, error) {
		pod := s.cluster.Objects.Get(q.Kind, q.Key())
		switch {
		case pod == nil:
			return nil, refuse.NotFound(q.Kind, q.Name)
		case !s.config.Uncontrolled && s.cluster.Objects.Get(kinds.Node, model.Key{Name: node}) == nil:
			return nil, refuse.NotFound(kinds.Node, node)
		case pod.Fields.Text("spec", "nodeName") != "":
			return nil, apierrors.NewConflict(refuse.Resource(q.Kind), q.Name, fmt.Errorf("pod %s is already assigned to node %q",
				q.Name, pod.Fields.Text("spec", "nodeName")))
		case q.Dry():
			return nil, nil
		case s.config.Uncontrolled:
			return s.writer.Assign(pod, node), nil
		}
		wrong := s.cluster.Act(bridge.Other("bind", q.Kind, q.Key()), q.Ref(), func(u *sim.User) *model.APIError {
			u.PinPod(u.Pod(q.Key()), node)
			return nil
		})
		return nil, refuse.Of(wrong, q.Kind, q.Name)
	})
	if err == nil {
		done := success(nil)
		done.Code = http.StatusCreated
		q.Send(http.StatusCreated, done)
	}
	return err
}

// wrongTarget returns what is wrong with the target that a pod should be bound to.
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
