package serve

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/builtin"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/sim"
)

// errElsewhere is the answer to an object of another namespace than that of its path.
var errElsewhere = apierrors.NewBadRequest(
	"the namespace of the provided object does not match the namespace sent on the request")

// create makes a new object of the fields that a client has sent.
func (g *writer) create(q *request, fields kinds.Fields) (*objects.Object, error) {
	meta := fields.Map("metadata")
	if err := g.place(q, meta); err != nil {
		return nil, err
	}
	if err := versioned(meta); err != nil {
		return nil, err
	}
	if version := meta.Text("resourceVersion"); version != "" && version != "0" && q.owned == nil &&
		q.http.Method == http.MethodPost {
		return nil, errCreated
	}
	for _, field := range []string{"resourceVersion", "uid", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds", "selfLink"} {
		delete(meta, field)
	}
	if q.kind.Counts() || q.kind == kinds.Namespace {
		delete(meta, "generation") // Others keep what they were given.
	}
	if q.kind.Schema != nil && q.kind.Has("status") {
		delete(fields, "status")
	}
	key := model.Key{Namespace: q.namespace, Name: fields.Text("metadata", "name")}
	if q.kind == kinds.Namespace {
		fields["spec"], fields["status"] = map[string]any{"finalizers": []any{"kubernetes"}},
			map[string]any{"phase": "Active"}
		labels := map[string]any{}
		maps.Copy(labels, meta.Map("labels"))
		labels["kubernetes.io/metadata.name"] = key.Name
		meta["labels"] = labels
	}
	o, err := g.store(&write{q: q, key: key, fields: fields, verb: "create"})
	if err == nil && q.kind == kinds.Namespace && !q.dry() {
		g.cluster.Furnish(key.Name)
	}
	if err == nil && !q.dry() && !g.config.Uncontrolled && g.cluster.Forsaken(o) {
		return o, g.cluster.Remove(o, bridge.Deletion{Cascade: sim.Background})
	}
	return o, err
}

// place checks the namespace and the name of a new object, and makes up the rest of a name.
func (g *writer) place(q *request, meta kinds.Fields) error {
	if given := meta.Text("namespace"); q.kind.Namespaced && given != "" && given != q.namespace {
		return errElsewhere
	}
	if q.kind.Namespaced {
		meta["namespace"] = q.namespace
		switch o := g.cluster.Objects.Get(kinds.Namespace, model.Key{Name: q.namespace}); {
		case o == nil:
			return refuse.NotFound(kinds.Namespace, q.namespace)
		case o.Fields.Text("metadata", "deletionTimestamp") != "" && q.kind != kinds.Event:
			return apierrors.NewForbidden(refuse.Resource(q.kind), meta.Text("name"), fmt.Errorf(
				"unable to create new content in namespace %s because it is being terminated", q.namespace))
		}
	} else {
		delete(meta, "namespace")
	}
	generated := meta.Text("generateName")
	if meta.Text("name") == "" && generated != "" {
		meta["name"] = generated[:min(len(generated), bridge.MostOfPrefix)] + bridge.Suffix(g.cluster.User.Version()+1)
	}
	return validName(q.kind, meta.Text("name"), generated)
}

// write is an object that is to be stored: a new one, or another version of old. status says that only its status is.
type write struct {
	q      *request
	key    model.Key
	old    *objects.Object
	fields kinds.Fields
	verb   string
	status bool
	// sent is the patch that the client has sent, if it was one.
	sent []byte
	// begins says that the world begins to know a Service, which may have had no selector before.
	begins bool
}

// update puts the fields that a client has sent in the place of an object's.
func (g *writer) update(q *request, old *objects.Object, fields kinds.Fields) (*objects.Object, error) {
	meta, was := fields.Map("metadata"), old.Fields.Map("metadata")
	switch {
	case meta.Text("name") == "":
		return nil, apierrors.NewBadRequest(fmt.Sprintf(
			"the name of the object (%s based on URL) was undeterminable: name must be provided", old.Key.Name))
	case meta.Text("name") != old.Key.Name:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)",
			meta.Text("name"), old.Key.Name))
	case meta.Text("namespace") != old.Key.Namespace && meta.Text("namespace") != "":
		return nil, errElsewhere
	case q.http.Method == http.MethodPut && meta.Text("resourceVersion") == "" && q.kind.Versioned():
		return nil, apierrors.NewInvalid(schema.GroupKind{Group: q.kind.Group, Kind: q.kind.Resource}, old.Key.Name,
			field.ErrorList{field.Invalid(field.NewPath("metadata", "resourceVersion"), 0, "must be specified for an update")})
	case versioned(meta) != nil:
		return nil, versioned(meta)
	case meta.Text("resourceVersion") != "" && meta.Text("resourceVersion") != was.Text("resourceVersion"):
		return nil, apierrors.NewConflict(refuse.Resource(q.kind), old.Key.Name, fmt.Errorf(
			"the object has been modified; please apply your changes to the latest version and try again"))
	case meta.Text("uid") != "" && meta.Text("uid") != was.Text("uid") && q.http.Method == http.MethodPatch:
		return nil, refuse.Invalid(q.kind, old.Key.Name, field.ErrorList{
			field.Invalid(field.NewPath("metadata", "uid"), meta.Text("uid"), apivalidation.FieldImmutableErrorMsg)})
	case meta.Text("uid") != "" && meta.Text("uid") != was.Text("uid"):
		return nil, apierrors.NewConflict(refuse.Resource(q.kind), old.Key.Name, storageError(q.kind, old.Key.Namespace,
			old.Key.Name, fmt.Sprintf("Precondition failed: UID in precondition: %s, UID in object meta: %s",
				meta.Text("uid"), was.Text("uid"))))
	}
	if ends := meta.Text("deletionTimestamp"); ends != "" && ends != was.Text("deletionTimestamp") {
		return nil, refuse.Invalid(q.kind, old.Key.Name, field.ErrorList{field.Invalid(
			field.NewPath("metadata", "deletionTimestamp"), ends, apivalidation.FieldImmutableErrorMsg)})
	}
	for _, field := range []string{"namespace", "uid", "resourceVersion", "creationTimestamp", "generation",
		"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"} {
		delete(meta, field)
		if v, found := was[field]; found {
			meta[field] = v
		}
	}
	if q.kind == kinds.Namespace {
		labels := maps.Clone(map[string]any(meta.Map("labels")))
		if labels == nil {
			labels = map[string]any{}
		}
		labels[corev1.LabelMetadataName] = old.Key.Name
		meta["labels"] = labels
		if q.sub == "" {
			fields["spec"] = old.Fields["spec"] // Its finalizers have a subresource of their own.
		}
	}
	w := &write{q: q, key: old.Key, old: old, fields: fields, verb: q.verb(), status: q.sub == "status", sent: q.patch}
	switch {
	case w.status:
		w.fields = withStatus(q.kind, old.Fields, fields)
	case q.sub == "resize":
		w.fields = builtin.Resized(old.Fields, fields)
	case q.sub == "ephemeralcontainers":
		w.fields = builtin.WithEphemeral(old.Fields, fields)
		project.EndEphemeral(w.fields)
	case q.sub == "finalize":
		w.fields = builtin.Finalized(old.Fields, fields)
	}
	if q.sub == "" && q.kind.Has("status") && (old.Fields["status"] != nil || q.kind.Schema != nil) {
		if fields["status"] = old.Fields["status"]; fields["status"] == nil {
			delete(fields, "status")
		}
	}
	return g.store(w)
}

// plainStatus are the kinds whose metadata a write of the status does not change.
var plainStatus = []string{"ServiceCIDR", "ValidatingAdmissionPolicy", "VolumeAttachment", "CSINode"}

// withStatus returns fields with the status that a client has written. The metadata that it wrote with it count, too, but
// for those of a custom resource, and of a Deployment its labels.
func withStatus(kind *kinds.Kind, old, sent kinds.Fields) kinds.Fields {
	kept := kinds.Clone(old)
	kept["status"] = sent["status"]
	meta, now := kept.Map("metadata"), sent.Map("metadata")
	if kind.Schema == nil && !slices.Contains(plainStatus, kind.Kind) {
		for _, name := range []string{"labels", "annotations", "finalizers", "ownerReferences"} {
			if name == "labels" && kind.Kind == "Deployment" || name == "ownerReferences" && kind == kinds.Pod {
				continue
			}
			if meta[name] = now[name]; meta[name] == nil {
				delete(meta, name)
			}
		}
	}
	meta["managedFields"] = now["managedFields"]
	return kept
}

// store stores a write: through the world if it knows the kind.
func (g *writer) store(w *write) (*objects.Object, error) {
	if g.cluster.World.Over() {
		return nil, apierrors.NewInternalError(fmt.Errorf("the simulated cluster has ended"))
	}
	do, err := g.callOf(w)
	if err == nil {
		err = fits(w.fields)
	}
	if err == nil {
		if errs := append(wrongMeta(w), tooLong(w.q.kind, w.fields)...); len(errs) > 0 {
			err = refuse.Invalid(w.q.kind, w.key.Name, errs)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := g.taken(w); err != nil {
		return nil, err
	}
	w.fields["apiVersion"], w.fields["kind"] = w.q.kind.APIVersion(), w.q.kind.Kind
	g.manage(w)
	if w.q.dry() {
		return g.dryRun(w)
	}
	if do == nil || w.old != nil && w.idle() {
		return g.settle(w), nil
	}
	if w.q.sub == "resize" {
		w.count()
	}
	at := bridge.Ref{Kind: w.q.kind, Key: w.key}
	defer g.cluster.Want(at, w.fields)()
	var stored *objects.Object
	refused := g.cluster.Act(stepOf(w), at, func(u *sim.User) *model.APIError {
		err := do(u)
		if err == nil {
			stored = g.settle(w)
		}
		return err
	})
	if refused == nil && w.q.kind == kinds.StatefulSet && w.old != nil && bridge.Held(w.old) && !bridge.Held(stored) &&
		w.old.Fields.Text("metadata", "deletionTimestamp") != "" {
		return stored, g.cluster.Remove(stored, bridge.Deletion{Cascade: sim.Background})
	}
	return stored, refuse.Of(refused, w.q.kind, w.key.Name)
}

// taken says that the name of a new object is taken. What is wrong with the object itself is said first.
func (g *writer) taken(w *write) error {
	there := g.cluster.Objects.Get(w.q.kind, w.key)
	if w.old != nil || there == nil {
		return nil
	}
	if w.q.kind == kinds.StatefulSet {
		if _, wrong := g.wouldStore(w); wrong != nil {
			return refuse.Of(wrong, w.q.kind, w.key.Name)
		}
	}
	err := apierrors.NewAlreadyExists(refuse.Resource(w.q.kind), w.key.Name)
	if there.Fields.Text("metadata", "deletionTimestamp") != "" {
		err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
	}
	return err
}

// frozen says what a write changes of a ConfigMap or a Secret that is not to change.
func frozen(w *write) error {
	for _, name := range []string{"immutable", "data", "binaryData"} {
		if w.old.Fields["immutable"] == true && !reflect.DeepEqual(w.fields[name], w.old.Fields[name]) {
			return refuse.Invalid(w.q.kind, w.key.Name, field.ErrorList{
				field.Forbidden(field.NewPath(name), "field is immutable when `immutable` is set")})
		}
	}
	return nil
}

// callOf returns the call of the world's user for a write, nil if the world knows nothing of it. The defaults are
// filled into the fields.
func (g *writer) callOf(w *write) (bridge.Call, error) {
	simulated := bridge.Simulated(w.q.kind)
	known, err := g.unsimulated(w)
	switch {
	case err != nil || !known || !simulated:
		return nil, err
	case g.config.Uncontrolled:
		return nil, g.prepare(w)
	case w.status && w.q.kind != kinds.StatefulSet:
		return nil, nil
	}
	typed, err := project.Typed(w.q.kind, w.fields)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if w.status {
		return bridge.StatusCall(typed, w.old), nil
	}
	do, err := g.admit(w, typed)
	if err != nil {
		return nil, err
	}
	if service, is := typed.(*corev1.Service); is {
		return g.callOfService(w, service, do), nil
	}
	w.fields = project.Fields(typed)
	return do, nil
}

// admit fills the defaults into a typed object of the world, and returns the call for it, or what is wrong with it.
func (g *writer) admit(w *write, typed any) (bridge.Call, error) {
	if err := g.crowded(w, typed); err != nil {
		return nil, err
	}
	pod, isPod := typed.(*corev1.Pod)
	if isPod {
		if err := g.admitPod(w, pod); err != nil {
			return nil, err
		}
	}
	if claim, is := typed.(*corev1.PersistentVolumeClaim); is && w.old != nil {
		if err := g.admitGrowth(w, claim); err != nil {
			return nil, err
		}
	}
	if service, is := typed.(*corev1.Service); is {
		if err := admitService(w, service); err != nil {
			return nil, err
		}
	}
	do, err := bridge.Write(w.q.kind, typed, w.old)
	switch {
	case err != nil:
	case isPod && w.old == nil:
		builtin.FurnishPod(pod)
	case isPod && w.q.sub == "resize":
		do = bridge.Resizes(pod, w.old)
	case isPod && w.q.sub == "ephemeralcontainers":
		err = changedEphemeral(w, pod)
	case isPod:
		builtin.FurnishPod(pod)
		err = unchangedPod(w, pod)
	}
	return do, err
}

// callOfService returns the call for a Service; nil for one that has no pods: only the API knows it.
func (g *writer) callOfService(w *write, service *corev1.Service, do bridge.Call) bridge.Call {
	g.furnishService(w, service)
	w.fields = project.Fields(service)
	w.begins = g.cluster.User.Service(w.key) == nil
	if w.begins && (len(service.Spec.Selector) == 0 || service.Spec.Type == corev1.ServiceTypeExternalName) {
		return nil
	}
	return func(u *sim.User) *model.APIError {
		err := do(u)
		w.fields["spec"] = project.Fields(service)["spec"]
		return err
	}
}

// untimed returns fields without the times at which their managers have written them: to write the same again changes
// nothing.
func untimed(fields kinds.Fields) kinds.Fields {
	fields = kinds.Clone(fields)
	var list []any
	for _, manager := range fields.List("metadata", "managedFields") {
		manager = maps.Clone(manager)
		delete(manager, "time")
		list = append(list, manager)
	}
	fields.Map("metadata")["managedFields"] = list
	return fields
}

// encode fills in the type of a Secret, and moves what is written in plain text to where it is read.
func encode(secret kinds.Fields) {
	secret["type"] = cmp.Or(secret.Text("type"), "Opaque")
	plain := secret.Texts("stringData")
	if len(plain) == 0 {
		return
	}
	data := maps.Clone(map[string]any(secret.Map("data")))
	if data == nil {
		data = map[string]any{}
	}
	for _, key := range sorted(plain) {
		data[key] = base64.StdEncoding.EncodeToString([]byte(plain[key]))
	}
	secret["data"] = data
	delete(secret, "stringData")
}

// settle returns what the API has after a write: what the world has shown of it, or else what was sent, if that is new.
func (g *writer) settle(w *write) *objects.Object {
	now := g.cluster.Objects.Get(w.q.kind, w.key)
	switch {
	case now != nil && now != w.old:
		return now
	case w.old == nil:
		return g.cluster.Add(w.q.kind, w.fields)
	case now == nil:
		return w.old
	}
	if set := g.cluster.User.Set(w.key); w.q.kind == kinds.StatefulSet && set != nil {
		// The defaults of the version are not in what was sent.
		w.fields = project.Onto(w.q.kind, w.fields, project.Set(set, g.config.Epoch))
	}
	if reflect.DeepEqual(untimed(w.fields), untimed(w.old.Fields)) {
		return w.old
	}
	w.count()
	meta := w.fields.Map("metadata")
	o := g.cluster.Put(w.q.kind, w.fields)
	if w.q.sub == "finalize" && meta["deletionTimestamp"] != nil && len(o.Fields.Words("spec", "finalizers")) == 0 {
		g.cluster.Drop(o)
	}
	if meta["deletionTimestamp"] != nil && len(meta.Words("finalizers")) == 0 && w.q.kind != kinds.Namespace {
		simulated := bridge.Simulated(w.q.kind)
		if graceful := meta.Number("deletionGracePeriodSeconds") > 0; !simulated || g.config.Uncontrolled && !graceful {
			g.cluster.Drop(o)
		}
	}
	return o
}

// count raises the generation of an object whose wanted state a write changes.
func (w *write) count() {
	meta := w.fields.Map("metadata")
	if _, numbered := meta["generation"]; !numbered || w.status || w.q.kind.Kind == "PriorityClass" {
		return
	}
	wanted := func(of kinds.Fields) map[string]any {
		fields := maps.Clone(of)
		for _, name := range []string{"metadata", "status", "apiVersion", "kind"} {
			delete(fields, name)
		}
		if w.q.kind == kinds.EndpointSlice {
			fields["labels"] = of.Texts("metadata", "labels")
		}
		if w.q.kind == kinds.EndpointSlice || w.q.kind == kinds.Deployment {
			fields["annotations"] = of.Texts("metadata", "annotations")
		}
		return fields
	}
	if !reflect.DeepEqual(wanted(w.fields), wanted(w.old.Fields)) {
		meta["generation"] = meta.Number("generation") + 1
	}
}

// dryRun returns what a write would have stored.
func (g *writer) dryRun(w *write) (*objects.Object, error) {
	version := g.cluster.User.Version()
	if w.q.kind == kinds.StatefulSet {
		set, err := g.wouldStore(w)
		if err != nil {
			return nil, refuse.Of(err, w.q.kind, w.key.Name)
		}
		w.fields["spec"] = project.Set(set, g.config.Epoch)["spec"]
	}
	if w.old != nil {
		w.count()
		version = w.old.Version
	} else {
		meta := w.fields.Map("metadata")
		if w.q.kind.Counts() {
			meta["generation"] = int64(1)
		}
		meta["uid"], meta["creationTimestamp"] = model.UID(version).String(), g.cluster.Instant().Format(time.RFC3339)
	}
	return objects.New(w.q.kind, w.fields, version), nil
}
