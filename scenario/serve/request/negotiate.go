package request

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// The media types of answers.
const (
	MediaJSON, mediaYAML = runtime.ContentTypeJSON, runtime.ContentTypeYAML
	MediaProtobuf        = runtime.ContentTypeProtobuf
)

// Media are the media types of answers, in a real API server's order of preference.
var Media = []string{MediaJSON, mediaYAML, MediaProtobuf}

// Form is the form of an answer that a client wants: its media type, and what the object is converted to. as is
// Table, PartialObjectMetadata or PartialObjectMetadataList in a version of meta.k8s.io, or "".
type Form struct{ Media, As, version string }

// clause is one media type of an Accept header.
type clause struct {
	Media   string
	quality float64
	Params  map[string]string
}

// Clauses returns the clauses of an Accept header, the best first.
func Clauses(header string) []clause {
	var list []clause
	for part := range strings.SplitSeq(header, ",") {
		name, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		quality, err := strconv.ParseFloat(params["q"], 64)
		if err != nil {
			quality = 1
		}
		list = append(list, clause{name, quality, params})
	}
	slices.SortStableFunc(list, func(a, b clause) int { return cmp.Compare(b.quality, a.quality) })
	return list
}

// matches reports whether a clause accepts a media type.
func (c *clause) matches(name string) bool {
	group, _, _ := strings.Cut(name, "/")
	return c.Media == name || c.Media == "*/*" || c.Media == group+"/*"
}

// formOf returns the answer that a clause asks for in a media type it accepts, and false if none exists.
func (q *Request) formOf(c *clause, name string) (Form, bool) {
	f := Form{name, c.Params["as"], c.Params["v"]}
	if f.As == "" && c.Params["g"] == "" && f.version == "" {
		return f, name != MediaProtobuf || q.Kind.Schema == nil && !q.Kind.Plain && q.Shown == nil
	}
	known := slices.Contains([]string{"Table", "PartialObjectMetadata", "PartialObjectMetadataList"}, f.As) &&
		(f.version == "v1" || f.version == "v1beta1") && c.Params["g"] == metav1.GroupName
	return f, known && name != MediaProtobuf
}

// Negotiate finds the form of answer that the client wants, as a real API server does: for a built-in kind it first
// checks that it has the media type at all, and does not accept application/* as one.
func (q *Request) Negotiate() error {
	q.Form = Form{Media: MediaJSON}
	header := q.HTTP.Header.Get("Accept")
	if header == "" || header == MediaJSON || header == "*/*" {
		return nil
	}
	list := Clauses(header)
	if q.Kind.Schema == nil && !slices.ContainsFunc(list, func(c clause) bool {
		return c.Media == "*/*" || slices.Contains(Media, c.Media)
	}) {
		return notAcceptable("406: Not Acceptable\n\nAvailable representations: " + strings.Join(Media, ", "))
	}
	for i := range list {
		for _, name := range Media {
			if f, is := q.formOf(&list[i], name); is && list[i].matches(name) {
				q.Form = f
				return nil
			}
		}
	}
	return notAcceptable("only the following media types are accepted: " + strings.Join(Media, ", "))
}

func notAcceptable(message string) error {
	return refuse.With(http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable, message)
}

// Turnable returns an error if the answer cannot be converted to the requested form.
func (q *Request) Turnable(list bool) error {
	switch {
	case q.Form.As == "Table":
		switch include := q.Query.Get("includeObject"); metav1.IncludeObjectPolicy(include) {
		case "", metav1.IncludeNone, metav1.IncludeMetadata, metav1.IncludeObject:
		default:
			return refuse.With(http.StatusBadRequest, metav1.StatusReasonBadRequest, fmt.Sprintf("Unable to convert to Table as "+
				"requested: includeObject: Invalid value: %q: must be 'Metadata', 'Object', 'None', or empty", include))
		}
	case q.Form.As == "PartialObjectMetadata" && list:
		return notAcceptable("you requested PartialObjectMetadata, but the requested object is a list (*" +
			internalName(q.Kind) + "List)")
	case q.Form.As == "PartialObjectMetadataList" && !list:
		return notAcceptable("you requested PartialObjectMetadataList, but the requested object is not a list (*" +
			internalName(q.Kind) + ")")
	}
	return nil
}

// internalName is the name that a kind's type has in the code of a real API server: core.ConfigMap.
func internalName(k *kinds.Kind) string {
	switch group, _, _ := strings.Cut(k.Group, "."); {
	case k.Schema != nil:
		return "unstructured.Unstructured"
	case group == "" || group == "events":
		return "core." + k.Kind
	default:
		return group + "." + k.Kind
	}
}

// protobuf is an answer in protobuf.
type protobuf []byte

// Wire returns a protobuf message in the envelope that Kubernetes sends.
func Wire(apiVersion, kind string, message []byte) protobuf {
	envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: apiVersion, Kind: kind}, Raw: message}
	data, err := envelope.Marshal()
	if err != nil {
		panic("serve: an envelope cannot be encoded: " + err.Error())
	}
	return append(slices.Clone(magic), data...)
}

// Message returns an object as a message of protobuf.
func Message(o *objects.Object) []byte {
	typed, err := project.Typed(o.Kind, o.Fields)
	if err == nil {
		var data []byte
		if data, err = typed.(interface{ Marshal() ([]byte, error) }).Marshal(); err == nil {
			return data
		}
	}
	panic("serve: an object cannot be encoded as protobuf: " + err.Error())
}

// Messages returns a list of objects in protobuf: every list has its metadata as field 1, and its items as field 2.
func Messages(kind *kinds.Kind, list []*objects.Object, meta map[string]any) protobuf {
	var typed metav1.ListMeta
	if runtime.DefaultUnstructuredConverter.FromUnstructured(widened(meta), &typed) != nil {
		panic("serve: the metadata of a list cannot be encoded")
	}
	head, err := typed.Marshal()
	if err != nil {
		panic("serve: the metadata of a list cannot be encoded: " + err.Error())
	}
	data := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), head)
	for _, o := range list {
		data = protowire.AppendBytes(protowire.AppendTag(data, 2, protowire.BytesType), Message(o))
	}
	return Wire(kind.APIVersion(), kind.Kind+"List", data)
}

// widened returns the metadata of a list with its number as the converter wants it.
func widened(meta map[string]any) map[string]any {
	meta = maps.Clone(meta)
	if left, is := meta["remainingItemCount"].(int); is {
		meta["remainingItemCount"] = int64(left)
	}
	return meta
}

// Send answers with a value in the form that the client wants.
func (q *Request) Send(code int, value any) { SendAs(q.Response, code, q.Form.Media, value) }

// SendAs answers with a value of a media type.
func SendAs(w http.ResponseWriter, code int, name string, value any) {
	var data []byte
	switch v := value.(type) {
	case protobuf:
		data = v
	case metav1.Status:
		if name == MediaProtobuf {
			inner, _ := v.Marshal()
			data = Wire("v1", "Status", inner)
		}
	}
	if name == mediaYAML {
		text, err := json.Marshal(value)
		if err == nil {
			data, err = yaml.JSONToYAML(text)
		}
		if err != nil {
			data = nil
		}
	}
	if data == nil {
		Send(w, code, value)
		return
	}
	w.Header().Set("Content-Type", name)
	w.WriteHeader(code)
	_, _ = w.Write(data)
}
