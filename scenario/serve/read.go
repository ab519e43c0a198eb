package serve

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// matches returns whether an object is among those that the request selects.
func (q *request) matches() (func(*objects.Object) bool, error) {
	byLabels, err := labels.Parse(q.query.Get("labelSelector"))
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	byFields, err := fields.ParseSelector(q.query.Get("fieldSelector"))
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	needs := byFields.Requirements()
	for i, need := range needs {
		if q.shown == kinds.NewEvent {
			if needs[i].Field = newEventLabel(need.Field); needs[i].Field != "" {
				continue
			}
			return nil, apierrors.NewBadRequest("field label not supported: " + need.Field)
		}
		if !q.selectable(need.Field) {
			return nil, apierrors.NewBadRequest(q.unselectable(need.Field))
		}
	}
	return func(o *objects.Object) bool {
		if !byLabels.Empty() && !byLabels.Matches(o.Labels()) {
			return false
		}
		for _, need := range needs {
			text := o.Fields.Text(strings.Split(need.Field, ".")...)
			switch need.Field {
			case "status.successful":
				text = strconv.FormatInt(o.Fields.Number("status", "succeeded"), 10)
			case "status.replicas":
				text = strconv.FormatInt(o.Fields.Number("status", "replicas"), 10)
			case "status.podIPs":
				text = ""
				for _, address := range o.Fields.List("status", "podIPs") {
					text = cmp.Or(text, address.Text("ip"))
				}
			}
			if text == "" && (need.Field == "spec.unschedulable" || need.Field == "spec.hostNetwork") {
				text = "false"
			}
			if (text == need.Value) != (need.Operator != "!=") {
				return false
			}
		}
		return true
	}, nil
}

// selectable says whether objects can be selected by a field: by few, and by each kind by its own.
func (q *request) selectable(field string) bool {
	if field == "metadata.name" || field == "metadata.namespace" && (q.kind.Namespaced || ownFields()[q.kind] == "") {
		return true
	}
	return slices.Contains(strings.Fields(ownFields()[q.kind]), field) || slices.Contains(q.kind.Selectable, field)
}

// ownFields are the fields by which the objects of a kind can be selected, by kind.
func ownFields() map[*kinds.Kind]string {
	return map[*kinds.Kind]string{
		kinds.Pod: "spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName spec.hostNetwork " +
			"status.phase status.podIP status.podIPs status.nominatedNodeName",
		kinds.Event: "involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid " +
			"involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath reason " +
			"reportingComponent source type",
		kinds.Node: "spec.unschedulable", kinds.Secret: "type", kinds.Namespace: "status.phase",
		kinds.Service: "spec.clusterIP spec.type", kinds.Job: "status.successful",
		kinds.ReplicationController: "status.replicas",
	}
}

// unselectable words that objects of the kind cannot be selected by a field.
func (q *request) unselectable(field string) string {
	switch {
	case q.kind.Kind == "Job":
		return fmt.Sprintf("field label %q not supported for Job", field)
	case ownFields()[q.kind] != "" || q.kind.Schema != nil:
		return "field label not supported: " + field
	}
	return fmt.Sprintf("%q is not a known field selector: only \"metadata.name\", \"metadata.namespace\"", field)
}

// wantsTable says whether the client asks for a table, as kubectl get does, and metadata whether it asks for that
// alone.
func (q *request) wantsTable() bool { return q.form.as == "Table" }

func (q *request) metadataOnly() bool { return strings.HasPrefix(q.form.as, "PartialObjectMetadata") }

// apiVersion is that of the types of meta.k8s.io in an answer.
func (f form) apiVersion() string { return kinds.JoinGroup(metav1.GroupName, cmp.Or(f.version, "v1")) }

// partial returns an object with its metadata alone.
func (q *request) partial(o *objects.Object) map[string]any {
	return map[string]any{"apiVersion": q.form.apiVersion(), "kind": "PartialObjectMetadata",
		"metadata": o.Fields["metadata"]}
}

// sent returns an object in the form that the client asks for.
func (r *reader) sent(q *request, o *objects.Object) any {
	switch {
	case q.wantsTable():
		return r.table(q, []*objects.Object{o}, o.Fields.Text("metadata", "resourceVersion"))
	case q.metadataOnly():
		return q.partial(o)
	case q.shown != nil:
		return map[string]any(newEvent(o.Fields))
	case q.form.media == mediaProtobuf:
		return wire(q.kind.APIVersion(), q.kind.Kind, message(o))
	}
	return raw(o.JSON())
}

// raw is JSON that is sent as it is.
type raw []byte

// MarshalJSON returns the JSON.
func (r raw) MarshalJSON() ([]byte, error) { return r, nil }

// get answers a request for one object.
func (r *reader) get(q *request) error {
	if err := q.turnable(false); err != nil {
		return err
	}
	value, err := r.looked(q)
	if err == nil {
		q.send(http.StatusOK, value)
	}
	return err
}

// looked returns the object of a request, or its scale, as it is sent.
func (r *reader) looked(q *request) (any, error) {
	r.pace.mu.Lock()
	defer r.pace.mu.Unlock()
	r.pace.catchUp()
	if err := r.seenAt(q); err != nil {
		return nil, err
	}
	o := r.cluster.Objects.Get(q.kind, q.key())
	for _, lease := range r.heartbeats(q) {
		if o == nil && lease.Key == q.key() {
			o = lease
		}
	}
	switch {
	case o == nil:
		return nil, refuse.NotFound(q.kind, q.name)
	case q.sub == "scale":
		return scaleOf(o), nil
	}
	return r.sent(q, o), nil
}

// reply answers a write with the object that was written.
func (r *reader) reply(q *request, code int, o *objects.Object, err error) error {
	if err == nil {
		err = q.turnable(false)
	}
	if err != nil {
		return err
	}
	r.pace.mu.Lock()
	value := r.sent(q, o)
	r.pace.mu.Unlock()
	q.send(code, value)
	return nil
}

// list answers a request for a list, whole or in parts.
func (r *reader) list(q *request) error {
	given, err := q.listOptions(false)
	if err != nil {
		return err
	}
	matches, err := q.matches()
	if err == nil {
		err = q.turnable(true)
	}
	if err != nil {
		return err
	}
	value, err := r.chosen(q, given, matches)
	if err == nil {
		q.send(http.StatusOK, value)
	}
	return err
}

// chosen returns the list of a request as it is sent.
func (r *reader) chosen(q *request, given *internalversion.ListOptions, matches func(*objects.Object) bool) (
	any, error,
) {
	r.pace.mu.Lock()
	defer r.pace.mu.Unlock()
	r.pace.catchUp()
	all, version, after, err := r.snapshot(q, given)
	if err != nil {
		return nil, err
	}
	if leases := r.heartbeats(q); len(leases) > 0 {
		all = append(all, leases...)
		slices.SortFunc(all, func(a, b *objects.Object) int { return a.Key.Compare(b.Key) })
	}
	all = slices.DeleteFunc(all, func(o *objects.Object) bool { return !matches(o) })
	chosen, meta := q.part(all, version, after)
	return r.listed(q, chosen, meta), nil
}

// listed returns a list in the form that the client asks for.
func (r *reader) listed(q *request, chosen []*objects.Object, meta map[string]any) any {
	if q.wantsTable() {
		table := r.table(q, chosen, "")
		table["metadata"] = meta
		return table
	}
	if q.form.media == mediaProtobuf && !q.metadataOnly() && q.shown == nil {
		return messages(q.kind, chosen, meta)
	}
	items := make([]any, len(chosen))
	for i, o := range chosen {
		if q.metadataOnly() {
			items[i] = q.partial(o)
		} else if q.shown != nil {
			items[i] = map[string]any(newEvent(o.Fields))
		} else {
			items[i] = q.item(o)
		}
	}
	apiVersion, kind := q.seen().APIVersion(), q.seen().Kind+"List"
	if q.metadataOnly() {
		apiVersion, kind = q.form.apiVersion(), "PartialObjectMetadataList"
	}
	return map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": meta, "items": items}
}

// item returns an object as an item of a list: those of built-in kinds do not say again what they are.
func (q *request) item(o *objects.Object) raw {
	if q.kind.Schema != nil {
		return o.JSON()
	}
	return untyped(o.JSON())
}

// untyped returns the JSON of an object without its apiVersion and its kind. The JSON has no spaces.
func untyped(data []byte) []byte {
	out, from := append(make([]byte, 0, len(data)), '{'), 1
	for from < len(data)-1 {
		to := from + fieldEnd(data[from:])
		part := data[from:to]
		if !bytes.HasPrefix(part, []byte(`"apiVersion":`)) && !bytes.HasPrefix(part, []byte(`"kind":`)) {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, part...)
		}
		from = to + 1
	}
	return append(out, '}')
}

// fieldEnd returns the length of the first field of the inside of an object of JSON.
func fieldEnd(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			for i++; data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(data)
}

// tooOld is what a real API server says of a list whose next part cannot be had as it was.
const tooOld = "The provided continue parameter is too old to display a consistent list result. You can start a new " +
	"list without the continue parameter, or use the continue token in this response to retrieve the remainder of the " +
	"results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, " +
	"or deleted between the time the first chunk was returned and now may show up in the list."

// snapshot returns the objects of a list and their version: the newest, that which the client names exactly, or that of
// the first part, so that all parts show one instant. after is the key of the last object of the part before.
func (r *reader) snapshot(q *request, given *internalversion.ListOptions) (
	all []*objects.Object, version uint64, after model.Key, err error,
) {
	version, wrong := versionOf(given.ResourceVersion)
	switch {
	case wrong != nil:
		return nil, 0, after, apierrors.NewBadRequest("invalid resource version: " + wrong.Error())
	case given.Continue != "" && version != 0:
		return nil, 0, after, apierrors.NewBadRequest("specifying resource version is not allowed when using continue")
	case given.Continue != "":
		version, after, err = continued(given.Continue)
	default:
		if err = r.reached(version); given.ResourceVersionMatch != metav1.ResourceVersionMatchExact &&
			(given.ResourceVersionMatch != "" || given.Limit == 0) {
			version = 0
		}
	}
	if err != nil || version == 0 {
		return r.cluster.Objects.List(q.kind, q.namespace), r.cluster.User.Version(), after, err
	}
	all, known := r.cluster.Objects.ListAt(q.kind, q.namespace, version)
	if !known {
		gone := apierrors.NewResourceExpired(tooOld)
		gone.ErrStatus.Continue, err = continues(0, after), gone
	}
	return all, version, after, err
}

// part returns the part of a list that the request asks for, behind the key of the last object of the part before. How
// many are left is not said where a selector would have to be asked.
func (q *request) part(all []*objects.Object, version uint64, after model.Key) (
	[]*objects.Object, map[string]any,
) {
	meta := map[string]any{"resourceVersion": strconv.FormatUint(version, 10)}
	for len(all) > 0 && all[0].Key.Compare(after) <= 0 {
		all = all[1:]
	}
	if limit, err := strconv.Atoi(q.query.Get("limit")); err == nil && limit > 0 && len(all) > limit {
		meta["continue"] = continues(version, all[limit-1].Key)
		if q.query.Get("labelSelector")+q.query.Get("fieldSelector") == "" {
			meta["remainingItemCount"] = len(all) - limit
		}
		all = all[:limit]
	}
	return all, meta
}

// table returns objects as the table of kubectl get.
func (r *reader) table(q *request, list []*objects.Object, version string) map[string]any {
	rows := make([]any, len(list))
	for i, o := range list {
		row := map[string]any{"cells": q.kind.Cells(o.Fields, r.cluster.Instant())}
		switch q.query.Get("includeObject") {
		case string(metav1.IncludeNone):
		case string(metav1.IncludeObject):
			row["object"] = raw(o.JSON())
		default:
			row["object"] = q.partial(o)
		}
		rows[i] = row
	}
	return map[string]any{"apiVersion": q.form.apiVersion(), "kind": "Table",
		"metadata":          map[string]any{"resourceVersion": version},
		"columnDefinitions": q.kind.Definitions(), "rows": rows}
}

// version is what the server says of itself.
func (r *reader) version() map[string]any {
	major, rest, _ := strings.Cut(r.config.Kubernetes, ".")
	minor, _, _ := strings.Cut(rest, ".")
	return map[string]any{"major": major, "minor": minor, "gitVersion": "v" + r.config.Kubernetes, "gitTreeState": "clean",
		"platform": "linux/amd64", "goVersion": "", "compiler": "gc", "gitCommit": "",
		"buildDate": r.config.Epoch.UTC().Format("2006-01-02T15:04:05Z"), "simulated": fmt.Sprint(true)}
}

// heartbeats returns the leases of the nodes, if a request reads leases: they are no objects.
func (r *reader) heartbeats(q *request) []*objects.Object {
	if q.kind != kinds.Lease {
		return nil
	}
	return r.cluster.Heartbeats(q.namespace)
}
