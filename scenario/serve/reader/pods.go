package reader

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/scenario/serve/container"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// Log answers a request for a container's log: one line, written at the container's start, that says that no more
// follows.
func (r *Reader) Log(q *request.Request) error {
	if err := logOptions(q); err != nil {
		return err
	}
	line, err := r.logged(q)
	if errors.Is(err, errUnassigned) {
		q.Response.WriteHeader(http.StatusNoContent)
		return nil
	}
	if err != nil {
		return err
	}
	q.Response.Header().Set("Content-Type", "text/plain")
	q.Response.Write([]byte(line))
	return nil
}

// logOptions is the error of the options of a request for a log.
func logOptions(q *request.Request) error {
	var errs field.ErrorList
	for _, option := range []struct {
		name  string
		least int64
		words string
	}{{"limitBytes", 1, "must be greater than 0"}, {"sinceSeconds", 1, "must be greater than 0"},
		{"tailLines", 0, "must be greater than or equal to 0"}} {
		n, err := strconv.ParseInt(q.Query.Get(option.name), 10, 64)
		if err == nil && n < option.least {
			errs = append(errs, field.Invalid(field.NewPath(option.name), n, option.words))
		}
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(schema.GroupKind{Kind: "PodLogOptions"}, q.Name, errs)
	}
	return nil
}

// errUnassigned says that a pod has no node: there is nothing to be read from it.
var errUnassigned = errors.New("the pod has no node")

func (r *Reader) logged(q *request.Request) (string, error) {
	r.Pace.Mu.Lock()
	defer r.Pace.Mu.Unlock()
	r.Pace.CatchUp()
	if there := r.Cluster.Objects.Get(q.Kind, q.Key()); there != nil && there.Fields.Text("spec", "nodeName") == "" {
		if name := q.Query.Get("container"); name != "" && !container.Has(there, name) {
			return "", apierrors.NewBadRequest(fmt.Sprintf("container %s is not valid for pod %s", name, q.Name))
		}
		return "", errUnassigned
	}
	pod := r.Cluster.Objects.Get(q.Kind, q.Key())
	if pod == nil {
		return "", refuse.NotFound(q.Kind, q.Name)
	}
	of, err := container.Begun(pod, q.Query.Get("container"))
	if err != nil {
		return "", err
	}
	if q.Asks("previous") {
		return "", apierrors.NewBadRequest(fmt.Sprintf("previous terminated container %q in pod %q not found",
			of.Text("name"), q.Name))
	}
	if n, err := strconv.Atoi(q.Query.Get("tailLines")); err == nil && n <= 0 {
		return "", nil
	}
	line := container.Log(pod, of)
	if q.Asks("timestamps") {
		line = r.Cluster.Instant().Format(time.RFC3339Nano) + " " + line
	}
	return line, nil
}

// RunningNow returns the pod and the container of a request, which must run.
func (r *Reader) RunningNow(q *request.Request) (*objects.Object, kinds.Fields, error) {
	r.Pace.Mu.Lock()
	defer r.Pace.Mu.Unlock()
	r.Pace.CatchUp()
	return r.Running(q)
}

// Running returns the pod and the container of a request, which must run.
func (r *Reader) Running(q *request.Request) (*objects.Object, kinds.Fields, error) {
	pod := r.Cluster.Objects.Get(q.Kind, q.Key())
	if pod == nil {
		return nil, nil, refuse.NotFound(q.Kind, q.Name)
	}
	of, err := container.Running(pod, q.Query.Get("container"))
	return pod, of, err
}
