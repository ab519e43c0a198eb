package writer

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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

// errElsewhere is the answer to an object whose namespace is not the namespace of its path.
var errElsewhere = apierrors.NewBadRequest(
	"the namespace of the provided object does not match the namespace sent on the request")

// Create makes a new object of the fields that a client has sent.
func (g *Writer) Create(q *request.Request, fields kinds.Fields) (*objects.Object, error) {
	meta := fields.Map("metadata")
	if err := g.place(q, meta); err != nil {
		return nil, err
	}
	if err := versioned(meta); err != nil {
		return nil, err
	}
	if version := meta.Text("resourceVersion"); version != "" && version != "0" && q.Owned == nil &&
		q.HTTP.Method == http.MethodPost {
		return nil, errCreated
	}
	for _, field := range []string{"resourceVersion", "uid", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds", "selfLink"} {
		delete(meta, field)
	}
	if q.Kind.Counts() || q.Kind == kinds.Namespace {
		delete(meta, "generation") // Other kinds keep the value that they were given.
	}
	if q.Kind.Schema != nil && q.Kind.Has("status") {
		delete(fields, "status")
	}
	key := model.Key{Namespace: q.Namespace, Name: fields.Text("metadata", "name")}
	if q.Kind == kinds.Namespace {
		fields["spec"], fields["status"] = map[string]any{"finalizers": []any{"kubernetes"}},
			map[string]any{"phase": "Active"}
		labels := map[string]any{}
		maps.Copy(labels, meta.Map("labels"))
		labels["kubernetes.io/metadata.name"] = key.Name
		meta["labels"] = labels
	}
	o, err := g.store(&Write{q: q, Key: key, fields: fields, verb: "create"})
	if err == nil && q.Kind == kinds.Namespace && !q.Dry() {
		g.Cluster.Furnish(key.Name)
	}
	if err == nil && !q.Dry() && !g.Config.Uncontrolled && g.Cluster.Forsaken(o) {
		return o, g.Cluster.Remove(o, bridge.Deletion{Cascade: sim.Background})
	}
	return o, err
}

// place checks the namespace and the name of a new object, and makes up the rest of a name.
func (g *Writer) place(q *request.Request, meta kinds.Fields) error {
	if given := meta.Text("namespace"); q.Kind.Namespaced && given != "" && given != q.Namespace {
		return errElsewhere
	}
	if q.Kind.Namespaced {
		meta["namespace"] = q.Namespace
		switch o := g.Cluster.Objects.Get(kinds.Namespace, model.Key{Name: q.Namespace}); {
		case o == nil:
			return refuse.NotFound(kinds.Namespace, q.Namespace)
		case o.Fields.Text("metadata", "deletionTimestamp") != "" && q.Kind != kinds.Event:
			return apierrors.NewForbidden(refuse.Resource(q.Kind), meta.Text("name"), fmt.Errorf(
				"unable to create new content in namespace %s because it is being terminated", q.Namespace))
		}
	} else {
		delete(meta, "namespace")
	}
	generated := meta.Text("generateName")
	if meta.Text("name") == "" && generated != "" {
		meta["name"] = generated[:min(len(generated), bridge.MostOfPrefix)] + bridge.Suffix(g.Cluster.User.Version()+1)
	}
	return validName(q.Kind, meta.Text("name"), generated)
}

// Write is an object to be stored: a new one, or another version of old. status is true if only its status is
// written.
type Write struct {
	q      *request.Request
	Key    model.Key
	old    *objects.Object
	fields kinds.Fields
	verb   string
	status bool
	// sent is the patch that the client has sent, if it was one.
	sent []byte
	// begins is true if the world sees a Service for the first time, since it may have had no selector before.
	begins bool
}

// Update puts the fields that a client has sent in the place of an object's.
func (g *Writer) Update(q *request.Request, old *objects.Object, fields kinds.Fields) (*objects.Object, error) {
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
	case q.HTTP.Method == http.MethodPut && meta.Text("resourceVersion") == "" && q.Kind.Versioned():
		return nil, apierrors.NewInvalid(schema.GroupKind{Group: q.Kind.Group, Kind: q.Kind.Resource}, old.Key.Name,
			field.ErrorList{field.Invalid(field.NewPath("metadata", "resourceVersion"), 0, "must be specified for an update")})
	case versioned(meta) != nil:
		return nil, versioned(meta)
	case meta.Text("resourceVersion") != "" && meta.Text("resourceVersion") != was.Text("resourceVersion"):
		return nil, apierrors.NewConflict(refuse.Resource(q.Kind), old.Key.Name, fmt.Errorf(
			"the object has been modified; please apply your changes to the latest version and try again"))
	case meta.Text("uid") != "" && meta.Text("uid") != was.Text("uid") && q.HTTP.Method == http.MethodPatch:
		return nil, refuse.Invalid(q.Kind, old.Key.Name, field.ErrorList{
			field.Invalid(field.NewPath("metadata", "uid"), meta.Text("uid"), apivalidation.FieldImmutableErrorMsg)})
	case meta.Text("uid") != "" && meta.Text("uid") != was.Text("uid"):
		return nil, apierrors.NewConflict(refuse.Resource(q.Kind), old.Key.Name, StorageError(q.Kind, old.Key.Namespace,
			old.Key.Name, fmt.Sprintf("Precondition failed: UID in precondition: %s, UID in object meta: %s",
				meta.Text("uid"), was.Text("uid"))))
	}
	if ends := meta.Text("deletionTimestamp"); ends != "" && ends != was.Text("deletionTimestamp") {
		return nil, refuse.Invalid(q.Kind, old.Key.Name, field.ErrorList{field.Invalid(
			field.NewPath("metadata", "deletionTimestamp"), ends, apivalidation.FieldImmutableErrorMsg)})
	}
	for _, field := range []string{"namespace", "uid", "resourceVersion", "creationTimestamp", "generation",
		"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"} {
		delete(meta, field)
		if v, found := was[field]; found {
			meta[field] = v
		}
	}
	if q.Kind == kinds.Namespace {
		labels := maps.Clone(map[string]any(meta.Map("labels")))
		if labels == nil {
			labels = map[string]any{}
		}
		labels[corev1.LabelMetadataName] = old.Key.Name
		meta["labels"] = labels
		if q.Subresource == "" {
			fields["spec"] = old.Fields["spec"] // Its finalizers have a subresource of their own.
		}
	}
	w := &Write{q: q, Key: old.Key, old: old, fields: fields, verb: q.Verb(), status: q.Subresource == "status", sent: q.Patch}
	switch {
	case w.status:
		w.fields = withStatus(q.Kind, old.Fields, fields)
	case q.Subresource == "resize":
		w.fields = builtin.Resized(old.Fields, fields)
	case q.Subresource == "ephemeralcontainers":
		w.fields = builtin.WithEphemeral(old.Fields, fields)
		project.EndEphemeral(w.fields)
	case q.Subresource == "finalize":
		w.fields = builtin.Finalized(old.Fields, fields)
	}
	if q.Subresource == "" && q.Kind.Has("status") && (old.Fields["status"] != nil || q.Kind.Schema != nil) {
		if fields["status"] = old.Fields["status"]; fields["status"] == nil {
			delete(fields, "status")
		}
	}
	return g.store(w)
}

// plainStatus are the kinds whose metadata a write of the status does not change.
var plainStatus = []string{"ServiceCIDR", "ValidatingAdmissionPolicy", "VolumeAttachment", "CSINode"}

// withStatus returns fields with the status that a client has written. The metadata that it wrote counts too,
// except for a custom resource and for the labels of a Deployment.
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
func (g *Writer) store(w *Write) (*objects.Object, error) {
	if g.Cluster.World.Over() {
		return nil, apierrors.NewInternalError(fmt.Errorf("the simulated cluster has ended"))
	}
	do, err := g.callOf(w)
	if err == nil {
		err = request.Fits(w.fields)
	}
	if err == nil {
		if errs := append(wrongMeta(w), request.TooLong(w.q.Kind, w.fields)...); len(errs) > 0 {
			err = refuse.Invalid(w.q.Kind, w.Key.Name, errs)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := g.taken(w); err != nil {
		return nil, err
	}
	w.fields["apiVersion"], w.fields["kind"] = w.q.Kind.APIVersion(), w.q.Kind.Kind
	g.manage(w)
	if w.q.Dry() {
		return g.dryRun(w)
	}
	if do == nil || w.old != nil && w.idle() {
		return g.settle(w), nil
	}
	if w.q.Subresource == "resize" {
		w.count()
	}
	at := bridge.Ref{Kind: w.q.Kind, Key: w.Key}
	defer g.Cluster.Want(at, w.fields)()
	var stored *objects.Object
	refused := g.Cluster.Act(stepOf(w), at, func(u *sim.User) *model.APIError {
		err := do(u)
		if err == nil {
			stored = g.settle(w)
		}
		return err
	})
	if refused == nil && w.q.Kind == kinds.StatefulSet && w.old != nil && bridge.Held(w.old) && !bridge.Held(stored) &&
		w.old.Fields.Text("metadata", "deletionTimestamp") != "" {
		return stored, g.Cluster.Remove(stored, bridge.Deletion{Cascade: sim.Background})
	}
	return stored, refuse.Of(refused, w.q.Kind, w.Key.Name)
}

// taken returns the error for a new object whose name is taken. Errors in the object itself come first.
func (g *Writer) taken(w *Write) error {
	there := g.Cluster.Objects.Get(w.q.Kind, w.Key)
	if w.old != nil || there == nil {
		return nil
	}
	if w.q.Kind == kinds.StatefulSet {
		if _, wrong := g.wouldStore(w); wrong != nil {
			return refuse.Of(wrong, w.q.Kind, w.Key.Name)
		}
	}
	err := apierrors.NewAlreadyExists(refuse.Resource(w.q.Kind), w.Key.Name)
	if there.Fields.Text("metadata", "deletionTimestamp") != "" {
		err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
	}
	return err
}

// frozen returns what a write changes in an immutable ConfigMap or Secret.
func frozen(w *Write) error {
	for _, name := range []string{"immutable", "data", "binaryData"} {
		if w.old.Fields["immutable"] == true && !reflect.DeepEqual(w.fields[name], w.old.Fields[name]) {
			return refuse.Invalid(w.q.Kind, w.Key.Name, field.ErrorList{
				field.Forbidden(field.NewPath(name), "field is immutable when `immutable` is set")})
		}
	}
	return nil
}

// callOf returns the call of the world's user for a write, nil if the world knows nothing of it. The defaults are
// filled into the fields.
func (g *Writer) callOf(w *Write) (bridge.Call, error) {
	simulated := bridge.Simulated(w.q.Kind)
	known, err := g.unsimulated(w)
	switch {
	case err != nil || !known || !simulated:
		return nil, err
	case g.Config.Uncontrolled:
		return nil, g.prepare(w)
	case w.status && w.q.Kind != kinds.StatefulSet:
		return nil, nil
	}
	typed, err := project.Typed(w.q.Kind, w.fields)
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
func (g *Writer) admit(w *Write, typed any) (bridge.Call, error) {
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
	do, err := bridge.Write(w.q.Kind, typed, w.old)
	switch {
	case err != nil:
	case isPod && w.old == nil:
		builtin.FurnishPod(pod)
	case isPod && w.q.Subresource == "resize":
		do = bridge.Resizes(pod, w.old)
	case isPod && w.q.Subresource == "ephemeralcontainers":
		err = changedEphemeral(w, pod)
	case isPod:
		builtin.FurnishPod(pod)
		err = unchangedPod(w, pod)
	}
	return do, err
}

// callOfService returns the call for a Service; nil for one that has no pods: only the API knows it.
func (g *Writer) callOfService(w *Write, service *corev1.Service, do bridge.Call) bridge.Call {
	g.furnishService(w, service)
	w.fields = project.Fields(service)
	w.begins = g.Cluster.User.Service(w.Key) == nil
	if w.begins && (len(service.Spec.Selector) == 0 || service.Spec.Type == corev1.ServiceTypeExternalName) {
		return nil
	}
	return func(u *sim.User) *model.APIError {
		err := do(u)
		w.fields["spec"] = project.Fields(service)["spec"]
		return err
	}
}

// untimed returns fields without the times of their managers' writes: writing the same again changes nothing.
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

// encode fills in the type of a Secret, and moves its plain text into its encoded data.
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
	for _, key := range slices.Sorted(maps.Keys(plain)) {
		data[key] = base64.StdEncoding.EncodeToString([]byte(plain[key]))
	}
	secret["data"] = data
	delete(secret, "stringData")
}

// settle returns what the API has after a write: the world's version of it, or else what was sent, if that is new.
func (g *Writer) settle(w *Write) *objects.Object {
	now := g.Cluster.Objects.Get(w.q.Kind, w.Key)
	switch {
	case now != nil && now != w.old:
		return now
	case w.old == nil:
		return g.Cluster.Add(w.q.Kind, w.fields)
	case now == nil:
		return w.old
	}
	if set := g.Cluster.User.Set(w.Key); w.q.Kind == kinds.StatefulSet && set != nil {
		// The version's defaults are not in the fields that were sent.
		w.fields = project.Onto(w.q.Kind, w.fields, project.Set(set, g.Config.Epoch))
	}
	if reflect.DeepEqual(untimed(w.fields), untimed(w.old.Fields)) {
		return w.old
	}
	w.count()
	meta := w.fields.Map("metadata")
	o := g.Cluster.Put(w.q.Kind, w.fields)
	if w.q.Subresource == "finalize" && meta["deletionTimestamp"] != nil && len(o.Fields.Words("spec", "finalizers")) == 0 {
		g.Cluster.Drop(o)
	}
	if meta["deletionTimestamp"] != nil && len(meta.Words("finalizers")) == 0 && w.q.Kind != kinds.Namespace {
		simulated := bridge.Simulated(w.q.Kind)
		if graceful := meta.Number("deletionGracePeriodSeconds") > 0; !simulated || g.Config.Uncontrolled && !graceful {
			g.Cluster.Drop(o)
		}
	}
	return o
}

// count raises the generation of an object whose wanted state a write changes.
func (w *Write) count() {
	meta := w.fields.Map("metadata")
	if _, numbered := meta["generation"]; !numbered || w.status || w.q.Kind.Kind == "PriorityClass" {
		return
	}
	wanted := func(of kinds.Fields) map[string]any {
		fields := maps.Clone(of)
		for _, name := range []string{"metadata", "status", "apiVersion", "kind"} {
			delete(fields, name)
		}
		if w.q.Kind == kinds.EndpointSlice {
			fields["labels"] = of.Texts("metadata", "labels")
		}
		if w.q.Kind == kinds.EndpointSlice || w.q.Kind == kinds.Deployment {
			fields["annotations"] = of.Texts("metadata", "annotations")
		}
		return fields
	}
	if !reflect.DeepEqual(wanted(w.fields), wanted(w.old.Fields)) {
		meta["generation"] = meta.Number("generation") + 1
	}
}

// dryRun returns the object that a write would have stored.
func (g *Writer) dryRun(w *Write) (*objects.Object, error) {
	version := g.Cluster.User.Version()
	if w.q.Kind == kinds.StatefulSet {
		set, err := g.wouldStore(w)
		if err != nil {
			return nil, refuse.Of(err, w.q.Kind, w.Key.Name)
		}
		w.fields["spec"] = project.Set(set, g.Config.Epoch)["spec"]
	}
	if w.old != nil {
		w.count()
		version = w.old.Version
	} else {
		meta := w.fields.Map("metadata")
		if w.q.Kind.Counts() {
			meta["generation"] = int64(1)
		}
		meta["uid"], meta["creationTimestamp"] = model.UID(version).String(), g.Cluster.Instant().Format(time.RFC3339)
	}
	return objects.New(w.q.Kind, w.fields, version), nil
}

// Going returns an object as a real API server answers its deletion if something must happen before it is gone: the
// contents of a namespace, the grace period of a pod, a finalizer of its own, or one that its cascade adds. Here
// all that may be over at the same instant. It is nil if the object is gone at once.
func (g *Writer) Going(old *objects.Object, how bridge.Deletion) *objects.Object {
	finalizers := old.Fields.Words("metadata", "finalizers")
	held := len(finalizers) > 0 || old.Kind == kinds.Namespace
	add, grace := "", int64(0)
	switch how.Cascade {
	case sim.Foreground:
		add = metav1.FinalizerDeleteDependents
	case sim.Orphan:
		add = metav1.FinalizerOrphanDependents
	}
	unbound := old.Kind == kinds.Pod && old.Fields.Text("spec", "nodeName") == ""
	if old.Kind == kinds.Pod && !unbound {
		if grace = old.Fields.Number("spec", "terminationGracePeriodSeconds"); how.Grace != nil {
			grace = int64(*how.Grace / time.Second)
		}
		held = held || grace > 0
	}
	switch {
	case old.Fields.Text("metadata", "deletionTimestamp") != "":
		return nil
	case !held && add == "" && !unbound && old.Kind.Returned():
		return old
	case !held && add == "" && !unbound:
		return nil
	}
	fields := kinds.Clone(old.Fields)
	meta := fields.Map("metadata")
	meta["deletionTimestamp"] = g.Cluster.Instant().Add(time.Duration(grace) * time.Second).Format(time.RFC3339)
	if old.Kind == kinds.Namespace {
		fields["status"] = map[string]any{"phase": "Terminating"}
	} else {
		meta["deletionGracePeriodSeconds"] = grace
	}
	if generation := meta.Number("generation"); generation > 0 {
		meta["generation"] = generation + 1
	}
	if add != "" && !slices.Contains(finalizers, add) {
		list := make([]any, 0, len(finalizers)+1)
		for _, name := range append(slices.Clip(finalizers), add) {
			list = append(list, name)
		}
		meta["finalizers"] = list
	}
	return objects.New(old.Kind, fields, old.Version)
}
