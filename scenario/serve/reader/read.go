package reader

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// sent returns an object in the form that the client asks for.
func (r *Reader) sent(q *request.Request, o *objects.Object) any {
	switch {
	case q.WantsTable():
		return r.table(q, []*objects.Object{o}, o.Fields.Text("metadata", "resourceVersion"))
	case q.MetadataOnly():
		return q.Partial(o)
	case q.Shown != nil:
		return map[string]any(request.NewEventOf(o.Fields))
	case q.Form.Media == request.MediaProtobuf:
		return request.Wire(q.Kind.APIVersion(), q.Kind.Kind, request.Message(o))
	}
	return request.Raw(o.JSON())
}

// Get answers a request for one object.
func (r *Reader) Get(q *request.Request) error {
	if err := q.Turnable(false); err != nil {
		return err
	}
	value, err := r.Looked(q)
	if err == nil {
		q.Send(http.StatusOK, value)
	}
	return err
}

// Looked returns the object of a request, or its scale, as it is sent.
func (r *Reader) Looked(q *request.Request) (any, error) {
	r.Pace.Mu.Lock()
	defer r.Pace.Mu.Unlock()
	r.Pace.CatchUp()
	if err := r.seenAt(q); err != nil {
		return nil, err
	}
	var stored []*objects.Object
	if o := r.Cluster.Objects.Get(q.Kind, q.Key()); o != nil {
		stored = append(stored, o)
	}
	all := r.alive(q, stored)
	at := slices.IndexFunc(all, func(o *objects.Object) bool { return o.Key == q.Key() })
	switch {
	case at < 0:
		return nil, refuse.NotFound(q.Kind, q.Name)
	case q.Subresource == "scale":
		return objects.ScaleOf(all[at]), nil
	}
	return r.sent(q, all[at]), nil
}

// Reply answers a write with the object that was written.
func (r *Reader) Reply(q *request.Request, code int, o *objects.Object, err error) error {
	if err == nil {
		err = q.Turnable(false)
	}
	if err != nil {
		return err
	}
	r.Pace.Mu.Lock()
	value := r.sent(q, o)
	r.Pace.Mu.Unlock()
	q.Send(code, value)
	return nil
}

// List answers a request for a list, whole or in parts.
func (r *Reader) List(q *request.Request) error {
	given, err := q.ListOptions(false)
	if err != nil {
		return err
	}
	matches, err := q.Matches()
	if err == nil {
		err = q.Turnable(true)
	}
	if err != nil {
		return err
	}
	value, err := r.chosen(q, given, matches)
	if err == nil {
		q.Send(http.StatusOK, value)
	}
	return err
}

// chosen returns the list of a request as it is sent.
func (r *Reader) chosen(q *request.Request, given *internalversion.ListOptions, matches func(*objects.Object) bool) (
	any, error,
) {
	r.Pace.Mu.Lock()
	defer r.Pace.Mu.Unlock()
	r.Pace.CatchUp()
	all, version, after, err := r.snapshot(q, given)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(r.alive(q, all), func(o *objects.Object) bool { return !matches(o) })
	chosen, meta := q.Part(all, version, after)
	return r.Listed(q, chosen, meta), nil
}

// Listed returns a list in the form that the client asks for.
func (r *Reader) Listed(q *request.Request, chosen []*objects.Object, meta map[string]any) any {
	if q.WantsTable() {
		table := r.table(q, chosen, "")
		table["metadata"] = meta
		return table
	}
	if q.Form.Media == request.MediaProtobuf && !q.MetadataOnly() && q.Shown == nil {
		return request.Messages(q.Kind, chosen, meta)
	}
	items := make([]any, len(chosen))
	for i, o := range chosen {
		if q.MetadataOnly() {
			items[i] = q.Partial(o)
		} else if q.Shown != nil {
			items[i] = map[string]any(request.NewEventOf(o.Fields))
		} else {
			items[i] = q.Item(o)
		}
	}
	apiVersion, kind := q.Seen().APIVersion(), q.Seen().Kind+"List"
	if q.MetadataOnly() {
		apiVersion, kind = q.Form.ApiVersion(), "PartialObjectMetadataList"
	}
	return map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": meta, "items": items}
}

// tooOld is a real API server's message if the next part of a list is no longer available at its version.
const tooOld = "The provided continue parameter is too old to display a consistent list result. You can start a new " +
	"list without the continue parameter, or use the continue token in this response to retrieve the remainder of the " +
	"results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, " +
	"or deleted between the time the first chunk was returned and now may show up in the list."

// snapshot returns the objects of a list and their version: the newest, the exact version that the client names, or
// the version of the first part, so that all parts show one instant. after is the key of the last object of the
// previous part.
func (r *Reader) snapshot(q *request.Request, given *internalversion.ListOptions) (
	all []*objects.Object, version uint64, after model.Key, err error,
) {
	version, wrong := request.VersionOf(given.ResourceVersion)
	switch {
	case wrong != nil:
		return nil, 0, after, apierrors.NewBadRequest("invalid resource version: " + wrong.Error())
	case given.Continue != "" && version != 0:
		return nil, 0, after, apierrors.NewBadRequest("specifying resource version is not allowed when using continue")
	case given.Continue != "":
		version, after, err = request.Continued(given.Continue)
	default:
		if err = r.reached(version); given.ResourceVersionMatch != metav1.ResourceVersionMatchExact &&
			(given.ResourceVersionMatch != "" || given.Limit == 0) {
			version = 0
		}
	}
	if err != nil || version == 0 {
		return r.Cluster.Objects.List(q.Kind, q.Namespace), r.Cluster.User.Version(), after, err
	}
	all, known := r.Cluster.Objects.ListAt(q.Kind, q.Namespace, version)
	if !known {
		gone := apierrors.NewResourceExpired(tooOld)
		gone.ErrStatus.Continue, err = request.Continues(0, after), gone
	}
	return all, version, after, err
}

// table returns objects as the table of kubectl get.
func (r *Reader) table(q *request.Request, list []*objects.Object, version string) map[string]any {
	rows := make([]any, len(list))
	for i, o := range list {
		row := map[string]any{"cells": q.Kind.Cells(o.Fields, r.Cluster.Instant())}
		switch q.Query.Get("includeObject") {
		case string(metav1.IncludeNone):
		case string(metav1.IncludeObject):
			row["object"] = request.Raw(o.JSON())
		default:
			row["object"] = q.Partial(o)
		}
		rows[i] = row
	}
	return map[string]any{"apiVersion": q.Form.ApiVersion(), "kind": "Table",
		"metadata":          map[string]any{"resourceVersion": version},
		"columnDefinitions": q.Kind.Definitions(), "rows": rows}
}

// Version is what the server tells clients about its own version.
func (r *Reader) Version() map[string]any {
	major, rest, _ := strings.Cut(r.Config.Kubernetes, ".")
	minor, _, _ := strings.Cut(rest, ".")
	return map[string]any{"major": major, "minor": minor, "gitVersion": "v" + r.Config.Kubernetes, "gitTreeState": "clean",
		"platform": "linux/amd64", "goVersion": "", "compiler": "gc", "gitCommit": "",
		"buildDate": r.Config.Epoch.UTC().Format("2006-01-02T15:04:05Z"), "simulated": fmt.Sprint(true)}
}

// alive returns objects of a request with what the kubelets show when they are read, and store nowhere: when each has
// last written its node, and the leases of the nodes.
func (r *Reader) alive(q *request.Request, list []*objects.Object) []*objects.Object {
	switch q.Kind {
	case kinds.Node:
		list = slices.Clone(list)
		for i, node := range list {
			list[i] = r.Cluster.Reported(node)
		}
	case kinds.Lease:
		list = append(list, r.Cluster.Heartbeats(q.Namespace)...)
		slices.SortFunc(list, func(a, b *objects.Object) int { return a.Key.Compare(b.Key) })
	}
	return list
}

// reached is the error of a version that the cluster has not come to.
func (r *Reader) reached(version uint64) error {
	now := r.Cluster.User.Version()
	if version <= now {
		return nil
	}
	err := apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", version, now), 1)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge,
		Message: "Too large resource version"}}
	return err
}

// seenAt is the error of a request for one object at a version: it shows the newest, but one not older than that.
func (r *Reader) seenAt(q *request.Request) error {
	version, wrong := request.VersionOf(q.Query.Get("resourceVersion"))
	if wrong != nil {
		return refuse.With(http.StatusInternalServerError, "", wrong.Error())
	}
	return r.reached(version)
}
