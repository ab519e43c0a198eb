package serve

import (
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

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// magic is how an object in protobuf begins.
var magic = []byte("k8s\x00")

// body reads the body of a request as JSON, or the object in it if it is protobuf: into is then filled, and the JSON
// nil.
func body(r *http.Request, into any) ([]byte, error) {
	data, _, err := bodyOf(r, into)
	return data, err
}

// bodyOf is body, and returns what is doubled in YAML as well: JSON no longer shows it.
func bodyOf(r *http.Request, into any) (data []byte, doubled []error, err error) {
	data, err = io.ReadAll(io.LimitReader(r.Body, largest+1))
	switch {
	case err != nil:
		return nil, nil, apierrors.NewBadRequest("the body cannot be read: " + err.Error())
	case len(data) > largest:
		return nil, nil, tooLarge("limit is %d", largest)
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

// garbled is the error of a body in which no object can be recognized.
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
func (q *request) readable() error {
	given := q.http.Header.Get("Content-Type")
	if name, _, err := mime.ParseMediaType(given); given == "" || err == nil && slices.Contains(media, name) {
		return nil
	}
	list := media
	if q.kind.Schema != nil {
		list = media[:2]
	}
	return refuse.With(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType,
		"the body of the request was in an unknown format - accepted media types include: "+strings.Join(list, ", "))
}

// older are the versions of built-in groups that a real API server knows beside the one it serves here.
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
func (q *request) meant(data []byte) error {
	var said struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind,omitempty"`
	}
	if err := json.Unmarshal(data, &said); err != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): couldn't get "+
			"version/kind; json parse error: %v (%s)", q.seen().Kind, err, summary(data)))
	}
	if _, err := schema.ParseGroupVersion(said.APIVersion); err != nil && q.seen().Schema == nil {
		return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s)",
			q.seen().Kind, err, summary(data)))
	}
	return q.meantAs(said.APIVersion, said.Kind)
}

// meantAs is the error of an object that says it has an API version and a kind, if these are others than the request's.
func (q *request) meantAs(apiVersion, kind string) error {
	version := cmp.Or(apiVersion, q.seen().APIVersion())
	if kind = cmp.Or(kind, q.seen().Kind); kind == q.seen().Kind && version == q.seen().APIVersion() {
		return nil
	}
	group, name, _ := strings.Cut(version, "/")
	if name == "" {
		group, name = "", group
	}
	if q.seen().Schema != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("the API version in the data (%s) does not match the expected API version "+
			"(%s)", version, q.seen().APIVersion()))
	}
	var wrong string
	served := kinds.Catalog(nil)
	switch single := strings.TrimSuffix(kind, "List"); {
	case kind == q.seen().Kind && group == q.seen().Group && slices.Contains(strings.Fields(older[group]), name):
		return apierrors.NewBadRequest(fmt.Sprintf("the API version in the data (%s) does not match the expected API version "+
			"(%s)", version, q.seen().APIVersion()))
	case served.Of(version, kind) != nil || served.Of(version, single) != nil ||
		version == "v1" && slices.Contains(everywhere, kind):
		wrong = fmt.Sprintf("converting (%s.%s) to (%s): unknown conversion", name, kind, internalName(q.seen()))
	default:
		wrong = unregistered(version, kind)
	}
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %s", kind, name,
		q.seen().Kind, wrong))
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
			return tooLarge("the body has more than %d values", mostValues)
		}
		err = message.Unmarshal(envelope.Raw)
	}
	if err != nil {
		return err
	}
	return nil
}

// options reads the options in the body of a request, such as DeleteOptions; an empty body leaves them empty.
func options(r *http.Request, into any) error {
	data, err := body(r, into)
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
	data, err := body(r, into)
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

// object reads the object that a request sends. Unknown and doubled fields are an error, a warning or nothing, as the
// request asks.
func (q *request) object() (any, error) {
	if err := q.readable(); err != nil {
		return nil, err
	}
	typed := q.seen().Empty()
	data, doubled, err := bodyOf(q.http, typed)
	var wrong garbled
	if errors.As(err, &wrong) {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %s (%s)",
			q.seen().Kind, strings.TrimPrefix(wrong.Error(), "error converting YAML to JSON: "), summary(wrong.text)))
	}
	if err != nil {
		return nil, err
	}
	if data != nil {
		unknown, err := q.decode(data, typed)
		if err == nil {
			err = q.strictly(append(doubled, unknown...))
			if err != nil && q.kind.Schema == nil {
				err = unhandled(q, err)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if q.shown != nil {
		return project.Typed(q.kind, storedEvent(project.Fields(typed)))
	}
	q.sent = typed
	q.warnOfAnnotations(typed)
	return typed, nil
}

// decode decodes JSON into an object of the request's kind, and returns what is unknown or doubled in it.
func (q *request) decode(data []byte, typed any) (unknown []error, err error) {
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
func unhandled(q *request, because error) error {
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", q.seen().Kind,
		q.seen().Version, q.seen().Kind, because))
}

// strictly answers unknown and doubled fields as the request asks.
func (q *request) strictly(strict []error) error {
	if q.unknown = len(strict) > 0; !q.unknown {
		return nil
	}
	switch q.query.Get("fieldValidation") {
	case metav1.FieldValidationIgnore:
	case metav1.FieldValidationStrict:
		return apierrors.NewBadRequest(runtime.NewStrictDecodingError(strict).Error())
	default:
		for _, wrong := range strict {
			text := strings.TrimPrefix(wrong.Error(), "yaml: unmarshal errors:\n")
			for line := range strings.SplitSeq(text, "\n") {
				q.warn(strings.TrimSpace(line))
			}
		}
	}
	return nil
}

// warn adds a warning to the answer.
func (q *request) warn(text string) {
	q.w.Header().Add("Warning", fmt.Sprintf("299 - %q", text))
}
