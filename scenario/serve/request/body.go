package request

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"sigs.k8s.io/yaml"

	appsv1 "k8s.io/api/apps/v1"

	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	kjson "sigs.k8s.io/json"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// magic is how an object in protobuf begins.
var magic = []byte("k8s\x00")

// Body reads the body of a request as JSON, or the object in it if it is protobuf: into is then filled, and the JSON
// nil.
func Body(r *http.Request, into any) ([]byte, error) {
	data, _, err := bodyOf(r, into)
	return data, err
}

// bodyOf is body, and also returns the duplicate keys in YAML, which JSON no longer shows.
func bodyOf(r *http.Request, into any) (data []byte, doubled []error, err error) {
	data, err = io.ReadAll(io.LimitReader(r.Body, Largest+1))
	switch {
	case err != nil:
		return nil, nil, apierrors.NewBadRequest("the body cannot be read: " + err.Error())
	case len(data) > Largest:
		return nil, nil, TooLarge("limit is %d", Largest)
	case bytes.HasPrefix(data, magic):
		return nil, nil, garbledBy(unpack(data[len(magic):], into), data)
	case strings.Contains(r.Header.Get("Content-Type"), runtime.ContentTypeProtobuf):
		return nil, nil, garbledBy(fmt.Errorf("provided data does not appear to be a protobuf message, expected prefix %v",
			magic), data)
	case strings.Contains(r.Header.Get("Content-Type"), "yaml"):
		text := data
		if data, err = fromYAML(text); err != nil {
			return nil, nil, garbledBy(err, text)
		}
		if _, twice := yaml.YAMLToJSONStrict(text); twice != nil {
			doubled = append(doubled, twice)
		}
	}
	return data, doubled, affordable(data)
}

// garbled is the error for a body that does not contain a recognizable object.
type garbled struct {
	error
	text []byte
}

// Unwrap returns the answer to it where no object was wanted.
func (g garbled) Unwrap() error { return apierrors.NewBadRequest(g.Error()) }

// garbledBy returns an error about a body; nil without one. A body that is too large is another matter.
func garbledBy(err error, text []byte) error {
	if err == nil || apierrors.IsRequestEntityTooLargeError(err) {
		return err
	}
	return garbled{err, text}
}

// readable is the error of a body of a type that no object comes in.
func (q *Request) readable() error {
	given := q.HTTP.Header.Get("Content-Type")
	if name, _, err := mime.ParseMediaType(given); given == "" || err == nil && slices.Contains(Media, name) {
		return nil
	}
	list := Media
	if q.Kind.Schema != nil {
		list = Media[:2]
	}
	return refuse.With(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType,
		"the body of the request was in an unknown format - accepted media types include: "+strings.Join(list, ", "))
}

// older are the additional versions of built-in groups that a real API server knows and sim does not serve.
var older = map[string]string{"apps": "v1beta1 v1beta2", "batch": "v1beta1", "autoscaling": "v1", "policy": "v1beta1",
	"networking.k8s.io": "v1beta1", "storage.k8s.io": "v1beta1 v1alpha1", "scheduling.k8s.io": "v1beta1 v1alpha1",
	"rbac.authorization.k8s.io": "v1beta1 v1alpha1", "coordination.k8s.io": "v1beta1", "discovery.k8s.io": "v1beta1",
	"events.k8s.io": "v1beta1", "admissionregistration.k8s.io": "v1beta1 v1alpha1", "node.k8s.io": "v1beta1 v1alpha1"}

// everywhere are the kinds of meta.k8s.io that are known in the core group too.
var everywhere = []string{"Status", "APIVersions", "APIGroupList", "APIGroup", "APIResourceList"}

// unregistered words that no kind has a name.
func unregistered(apiVersion, kind string) string {
	return fmt.Sprintf("no kind %q is registered for version %q in scheme \"pkg/runtime/scheme.go:111\"", kind, apiVersion)
}

// meant is the error of an object in JSON that is none of the request's kind.
func (q *Request) meant(data []byte) error {
	var said struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind,omitempty"`
	}
	if err := json.Unmarshal(data, &said); err != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): couldn't get "+
			"version/kind; json parse error: %v (%s)", q.Seen().Kind, err, summary(data)))
	}
	if _, err := schema.ParseGroupVersion(said.APIVersion); err != nil && q.Seen().Schema == nil {
		return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s)",
			q.Seen().Kind, err, summary(data)))
	}
	return q.MeantAs(said.APIVersion, said.Kind)
}

// MeantAs is the error of an object that says it has an API version and a kind, if these are others than the request's.
func (q *Request) MeantAs(apiVersion, kind string) error {
	version := cmp.Or(apiVersion, q.Seen().APIVersion())
	if kind = cmp.Or(kind, q.Seen().Kind); kind == q.Seen().Kind && version == q.Seen().APIVersion() {
		return nil
	}
	group, name, _ := strings.Cut(version, "/")
	if name == "" {
		group, name = "", group
	}
	if q.Seen().Schema != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("the API version in the data (%s) does not match the expected API version "+
			"(%s)", version, q.Seen().APIVersion()))
	}
	var wrong string
	served := kinds.Catalog(nil)
	switch single := strings.TrimSuffix(kind, "List"); {
	case kind == q.Seen().Kind && group == q.Seen().Group && slices.Contains(strings.Fields(older[group]), name):
		return apierrors.NewBadRequest(fmt.Sprintf("the API version in the data (%s) does not match the expected API version "+
			"(%s)", version, q.Seen().APIVersion()))
	case served.Of(version, kind) != nil || served.Of(version, single) != nil ||
		version == "v1" && slices.Contains(everywhere, kind):
		wrong = fmt.Sprintf("converting (%s.%s) to (%s): unknown conversion", name, kind, internalName(q.Seen()))
	default:
		wrong = unregistered(version, kind)
	}
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %s", kind, name,
		q.Seen().Kind, wrong))
}

// summary returns the beginning of a body that cannot be read.
func summary(data []byte) string {
	const most = 30
	text := hex.EncodeToString(data[:min(most, len(data))])
	switch {
	case len(data) == 0:
		return "<empty>"
	case data[0] == '{':
		text = string(data[:min(most, len(data))])
	}
	if len(data) > most {
		text += " ..."
	}
	return text
}

// unpack decodes the object in an envelope of protobuf.
func unpack(data []byte, into any) error {
	var envelope runtime.Unknown
	message, is := into.(interface{ Unmarshal([]byte) error })
	if !is {
		return apierrors.NewBadRequest("this cannot be sent as protobuf")
	}
	err := envelope.Unmarshal(data)
	if err == nil {
		if countOf(envelope.Raw, reflect.TypeOf(into)) > mostValues {
			return TooLarge("the body has more than %d values", mostValues)
		}
		err = message.Unmarshal(envelope.Raw)
	}
	if err != nil {
		return err
	}
	return nil
}

// Options reads the options in the body of a request, such as DeleteOptions; an empty body leaves them empty.
func Options(r *http.Request, into any) error {
	data, err := Body(r, into)
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return apierrors.NewBadRequest("the body cannot be decoded: " + err.Error())
	}
	return nil
}

// deleteOptions reads the options in the body of a deletion.
func deleteOptions(r *http.Request, into *metav1.DeleteOptions) error {
	data, err := Body(r, into)
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return err
	}
	var said struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind,omitempty"`
	}
	if err := json.Unmarshal(data, &said); err != nil {
		return apierrors.NewBadRequest("couldn't get version/kind; json parse error: " + err.Error())
	}
	if err := json.Unmarshal(data, into); err != nil {
		return apierrors.NewBadRequest("the body cannot be decoded: " + err.Error())
	}
	return nil
}

// Object reads the object that a request sends. Unknown and doubled fields are an error, a warning or nothing, as the
// request asks.
func (q *Request) Object() (any, error) {
	if err := q.readable(); err != nil {
		return nil, err
	}
	typed := q.Seen().Empty()
	data, doubled, err := bodyOf(q.HTTP, typed)
	var wrong garbled
	if errors.As(err, &wrong) {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %s (%s)",
			q.Seen().Kind, strings.TrimPrefix(wrong.Error(), "error converting YAML to JSON: "), summary(wrong.text)))
	}
	if err != nil {
		return nil, err
	}
	if data != nil {
		unknown, err := q.decode(data, typed)
		if err == nil {
			err = q.Strictly(append(doubled, unknown...))
			if err != nil && q.Kind.Schema == nil {
				err = unhandled(q, err)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if q.Shown != nil {
		return project.Typed(q.Kind, storedEvent(project.Fields(typed)))
	}
	q.Sent = typed
	q.warnOfAnnotations(typed)
	return typed, nil
}

// decode decodes JSON into an object of the request's kind, and returns its unknown and duplicate fields.
func (q *Request) decode(data []byte, typed any) (unknown []error, err error) {
	if err := q.meant(data); err != nil {
		return nil, err
	}
	unknown, err = kjson.UnmarshalStrict(data, typed)
	if err != nil {
		return nil, unhandled(q, err)
	}
	return unknown, nil
}

// unhandled is the error of an object that cannot be taken for one of the request's kind.
func unhandled(q *Request, because error) error {
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", q.Seen().Kind,
		q.Seen().Version, q.Seen().Kind, because))
}

// Strictly answers unknown and doubled fields as the request asks.
func (q *Request) Strictly(strict []error) error {
	if q.Unknown = len(strict) > 0; !q.Unknown {
		return nil
	}
	switch q.Query.Get("fieldValidation") {
	case metav1.FieldValidationIgnore:
	case metav1.FieldValidationStrict:
		return apierrors.NewBadRequest(runtime.NewStrictDecodingError(strict).Error())
	default:
		for _, wrong := range strict {
			text := strings.TrimPrefix(wrong.Error(), "yaml: unmarshal errors:\n")
			for line := range strings.SplitSeq(text, "\n") {
				q.Warn(strings.TrimSpace(line))
			}
		}
	}
	return nil
}

// Warn adds a warning to the answer.
func (q *Request) Warn(text string) {
	q.Response.Header().Add("Warning", fmt.Sprintf("299 - %q", text))
}

// warnOfAnnotations warns of annotations of the simulator that mean nothing.
func (q *Request) warnOfAnnotations(typed any) {
	var annotations map[string]string
	switch of := typed.(type) {
	case *corev1.Pod:
		annotations = of.Annotations
	case *appsv1.StatefulSet:
		annotations = of.Spec.Template.Annotations
	}
	for _, text := range behaviour.WrongAnnotations(annotations) {
		q.Warn(text)
	}
}

// Deletion reads how the request wants an object to be deleted.
func (q *Request) Deletion() (*metav1.DeleteOptions, bridge.Deletion, error) {
	var given metav1.DeleteOptions
	if err := metav1.Convert_url_Values_To_v1_DeleteOptions(&q.Query, &given, nil); err != nil {
		return nil, bridge.Deletion{}, apierrors.NewBadRequest(err.Error())
	}
	if err := deleteOptions(q.HTTP, &given); err != nil {
		return nil, bridge.Deletion{}, err
	}
	if kind := given.Kind; kind != "" && kind != "DeleteOptions" {
		return nil, bridge.Deletion{}, apierrors.NewBadRequest(unregistered(given.APIVersion, kind))
	}
	q.Query["dryRun"] = append(q.Query["dryRun"], given.DryRun...)
	if err := WrongOptions("DeleteOptions", validation.ValidateDeleteOptions(&given)); err != nil {
		return nil, bridge.Deletion{}, err
	}
	how := bridge.Deletion{Cascade: sim.Background}
	if seconds := given.GracePeriodSeconds; seconds != nil {
		grace := model.Seconds(*seconds)
		if *seconds < 0 {
			grace = time.Second // As in a real API server.
		}
		how.Grace = &grace
	}
	if policy := given.PropagationPolicy; policy != nil {
		how.Cascade, how.Cascades = cascades[*policy], true
	}
	//lint:ignore SA1019 Old clients still send it.
	if orphan := given.OrphanDependents; orphan != nil {
		if how.Cascades = true; *orphan {
			how.Cascade = sim.Orphan
		}
	}
	if !how.Cascades && (q.Kind == kinds.Job || q.Kind.Kind == "ReplicationController") {
		how.Cascade, how.Cascades = sim.Orphan, true
		if q.Kind == kinds.Job {
			q.Warn("child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove " +
				"them or set propagationPolicy=Orphan to suppress this warning")
		}
	}
	return &given, how, nil
}

// cascades are the ways of deletion but for sim.Background.
var cascades = map[metav1.DeletionPropagation]sim.DeletionPolicy{
	metav1.DeletePropagationForeground: sim.Foreground, metav1.DeletePropagationOrphan: sim.Orphan,
}
