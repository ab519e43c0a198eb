package manifest

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// typed reads nodes as the JSON form of a Go type of the API: every field must be known and of its type. A null is an
// absent field. Problems go to r, and a value that has one is nil in the result, so all problems of an object are
// found in one walk.
type typed struct {
	r *strict.Reader
	// nodes holds the node at each field path, as in spec.template.spec.containers[0].image. value fills it.
	nodes map[string]*yaml.Node
	// nulls keeps nulls, as a patch needs them. directives also lets the keys of a strategic merge patch pass.
	nulls, directives bool
	// ours is true for input that kubectl never reads: then YAML 1.1's booleans are text.
	ours bool
}

var (
	timeType      = reflect.TypeFor[metav1.Time]()
	microTimeType = reflect.TypeFor[metav1.MicroTime]()
	quantityType  = reflect.TypeFor[resource.Quantity]()
	intstrType    = reflect.TypeFor[intstr.IntOrString]()
)

// value reads a node as a type; nil for a null, and if there is a problem. It panics on a Go type that no object has.
func (t *typed) value(n *yaml.Node, path string, as reflect.Type) any {
	for as.Kind() == reflect.Pointer {
		as = as.Elem()
	}
	t.nodes[path] = n
	if n.ShortTag() == "!!null" {
		return nil
	}
	switch as {
	case timeType, microTimeType:
		return t.time(n, path)
	case quantityType:
		return t.quantity(n, path)
	case intstrType:
		return t.intOrString(n, path)
	}
	switch as.Kind() {
	case reflect.Struct:
		return t.object(n, path, as)
	case reflect.Map:
		return t.dictionary(n, path, as.Elem())
	case reflect.Slice:
		return t.list(n, path, as.Elem())
	case reflect.String:
		return t.text(n, path)
	case reflect.Bool:
		return t.truth(n, path)
	case reflect.Int32:
		return t.number(n, path, strict.Any32)
	case reflect.Int64:
		return t.number(n, path, strict.Range{Min: math.MinInt64, Max: math.MaxInt64})
	}
	panic("manifest: " + path + " is of the Go kind " + as.Kind().String() + ", which no field of a StatefulSet is")
}

// readTyped reads an object into a type of Kubernetes' API, and returns the node of each field for messages. A
// value that does not fit becomes a problem, and then it returns nil.
func readTyped[T any](r *strict.Reader, n *yaml.Node, into *T) map[string]*yaml.Node {
	before := len(r.Problems)
	reader := typed{r: r, nodes: map[string]*yaml.Node{}}
	given, _ := reader.value(n, "", reflect.TypeFor[T]()).(map[string]any)
	if len(r.Problems) > before {
		return nil
	}
	if err := kube.Decode(given, into); err != nil {
		misfit(r, n, reflect.TypeFor[T]().Name(), err)
		return nil
	}
	return reader.nodes
}

// object reads a mapping with the fields of a struct.
func (t *typed) object(n *yaml.Node, path string, as reflect.Type) any {
	return t.fields(n, path, fieldsOf(as))
}

// fields reads a mapping with the given fields. Another key is a problem, unless it is a directive of a patch.
func (t *typed) fields(n *yaml.Node, path string, fields []jsonField) any {
	typed := slices.ContainsFunc(fields, func(f jsonField) bool { return f.name == "type" })
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" && typed && !t.r.Lenient {
		t.r.Problem(n, named(path)+" is "+strict.Describe(n), "write {type: "+strict.Shorten(n.Value)+"}")
		return nil
	}
	m := t.r.Map(n, named(path))
	if m == nil {
		return nil
	}
	object := map[string]any{}
	for _, key := range m.Keys() {
		i := slices.IndexFunc(fields, func(f jsonField) bool { return f.name == key })
		switch {
		case i >= 0:
			t.put(object, key, t.value(m.Value(key), join(path, key), fields[i].as))
		case t.directives && strings.HasPrefix(key, "$"):
			object[key] = t.free(m.Value(key))
		default:
			t.unknown(m.Key(key), path, fields)
		}
	}
	return object
}

// put sets a field, unless it is null and nulls do not count.
func (t *typed) put(object map[string]any, key string, value any) {
	if value != nil || t.nulls {
		object[key] = value
	}
}

// unknown notes a field that the API does not have. A Lenient reader lets it pass, as dumps of newer servers need.
func (t *typed) unknown(key *yaml.Node, path string, fields []jsonField) {
	if t.r.Lenient || t.r.Full() {
		return
	}
	if path == "" && strict.Message(key.Value+":") {
		what, want := strict.MessageIs(key.Value)
		t.r.Problem(key, what, want)
		return
	}
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].name
	}
	want := "the fields are " + strings.Join(names, ", ")
	if near := strict.Nearest(key.Value, names); near != "" {
		want = "did you mean " + near + "?"
	}
	if strings.HasSuffix("."+path, ".template.spec") && ofContainer(key.Value) {
		want = "it belongs to a container: move it below one of containers"
	}
	t.r.Problem(key, "unknown field "+strconv.Quote(strict.Shorten(join(path, key.Value))), want)
}

// ofContainer reports whether a name is a field of a container.
func ofContainer(name string) bool {
	for field := range reflect.TypeFor[corev1.Container]().Fields() {
		if known, _, _ := strings.Cut(field.Tag.Get("json"), ","); known == name {
			return true
		}
	}
	return false
}

// dictionary reads a mapping with any keys, like labels.
func (t *typed) dictionary(n *yaml.Node, path string, as reflect.Type) any {
	m := t.r.Map(n, named(path))
	if m == nil {
		return nil
	}
	object := map[string]any{}
	for _, key := range m.Keys() {
		name := key
		if !t.ours {
			name = keyText(m.Key(key))
		}
		t.put(object, name, t.value(m.Value(key), path+"["+name+"]", as))
	}
	return object
}

// list reads a list; it is never nil, so that an empty list stays one.
func (t *typed) list(n *yaml.Node, path string, as reflect.Type) any {
	items := []any{}
	for i, item := range t.r.List(n, named(path)) {
		items = append(items, t.value(item, path+"["+strconv.Itoa(i)+"]", as))
	}
	return items
}

// text reads a string. kubectl reads YAML 1.1, where more words than true and false are booleans: an unquoted one
// would not be sent as text. A date is text for it.
func (t *typed) text(n *yaml.Node, path string) any {
	if !t.ours && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		return n.Value
	}
	s, ok := t.r.String(n, path)
	if !ok {
		return nil
	}
	if !t.ours && n.Style&quoted == 0 && slices.Contains(oldBooleans, s) {
		t.r.Problem(n, path+" must be text, but kubectl reads "+s+" as a boolean", "quote this: "+strict.Quote(s))
	}
	return s
}

// quoted are the styles in which a value is always text.
const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// oldBooleans are the further booleans of YAML 1.1, the true ones first: truth relies on that.
var oldBooleans = []string{
	"y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no", "No", "NO", "off", "Off", "OFF",
}

// truth reads a boolean, as kubectl does: yes and on are true.
func (t *typed) truth(n *yaml.Node, path string) any {
	if n.Kind == yaml.ScalarNode && n.Style == 0 && slices.Contains(oldBooleans, n.Value) {
		return isTrue(slices.Index(oldBooleans, n.Value))
	}
	v, ok := t.r.Bool(n, path)
	if !ok {
		return nil
	}
	return v
}

// isTrue reports whether the boolean of YAML 1.1 at an index of oldBooleans is a true one.
func isTrue(i int) bool { return i < slices.Index(oldBooleans, "n") }

// number reads a whole number, as an int64. A number that kubectl converts to a whole one is accepted, such as 3.0.
func (t *typed) number(n *yaml.Node, path string, within strict.Range) any {
	if v, whole := wholeFloat(n); whole && !t.ours {
		if v >= within.Min && v <= within.Max {
			return v
		}
		t.r.Outside(n, path, v, within)
		return nil
	}
	v, ok := t.r.Int(n, path, within)
	if !ok {
		return nil
	}
	return v
}

// intOrString reads a number or a text. A text in quotes is one even if it looks like a number.
func (t *typed) intOrString(n *yaml.Node, path string) any {
	if tag := n.ShortTag(); tag == "!!str" || tag == "!!timestamp" {
		return t.text(n, path)
	}
	return t.number(n, path, strict.Any32)
}

// time reads a time, and returns its text.
func (t *typed) time(n *yaml.Node, path string) any {
	if n.Kind == yaml.ScalarNode {
		if _, err := time.Parse(time.RFC3339Nano, n.Value); err == nil {
			return n.Value
		}
	}
	t.r.Problem(n, path+" is "+strict.Describe(n), "write a time like 2026-01-31T12:00:00Z")
	return nil
}

// longExponent finds exponents that the parser of quantities needs minutes for.
var longExponent = lazy.Regexp(`[eE][+-]?[0-9]{4}`)

// quantity reads a quantity, and returns its text; the decoder parses it again. Texts that would keep its parser busy
// are refused.
func (t *typed) quantity(n *yaml.Node, path string) any {
	text := n.Value
	if number, is := jsonNumber(n); is && !t.ours {
		text = number
	}
	boolean := !t.ours && n.Style&quoted == 0 && slices.Contains(oldBooleans, text)
	if n.Kind == yaml.ScalarNode && !boolean && len(text) <= 100 && !longExponent().MatchString(text) {
		if _, err := resource.ParseQuantity(text); err == nil {
			return text
		}
	}
	want := "write a quantity like 500m, 2 or 1Gi"
	if unit := strings.TrimSuffix(strings.TrimSuffix(text, "B"), "i"); n.Kind == yaml.ScalarNode && unit != text && len(text) <= 40 {
		if _, err := resource.ParseQuantity(unit); err == nil {
			want = "write " + unit + ", which counts in thousands, or " + unit + "i"
		}
	}
	t.r.Problem(n, path+" is "+strict.Describe(n), want)
	return nil
}

// free reads a value of any type, as JSON would have it.
func (t *typed) free(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			object[n.Content[i].Value] = t.free(n.Content[i+1])
		}
		return object
	case yaml.SequenceNode:
		items := []any{}
		for _, item := range n.Content {
			items = append(items, t.free(item))
		}
		return items
	}
	return scalar(n)
}

// scalar returns the value of a scalar by its tag; a number that fits no Go type stays text.
func scalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int":
		var v int64
		if n.Decode(&v) == nil {
			return v
		}
	case "!!float":
		var v float64
		if n.Decode(&v) == nil && !math.IsInf(v, 0) && !math.IsNaN(v) {
			return v
		}
	}
	return n.Value
}

// jsonField is a field of the JSON form of a struct: its name there, and the type of its value.
type jsonField struct {
	name string
	as   reflect.Type
}

// knownFields are the fields of the structs that were read.
var knownFields lazy.Memo[reflect.Type, []jsonField]

// fieldsOf lists the fields of a struct in their order, those of inlined structs among them. Nothing changes the list.
func fieldsOf(as reflect.Type) []jsonField {
	return knownFields.Get(as, func() []jsonField { return makeFieldsOf(as) })
}

// makeFieldsOf is fieldsOf for a struct that is new.
func makeFieldsOf(as reflect.Type) []jsonField {
	var fields []jsonField
	for f := range as.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && (name == "" || options == "inline"):
			fields = append(fields, fieldsOf(f.Type)...)
		case name != "" && name != "-":
			fields = append(fields, jsonField{name, f.Type})
		}
	}
	return fields
}

// join appends a field to a path, named is the path in a message.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// named is how a problem names the object itself, which has no path.
func named(path string) string {
	if path == "" {
		return "the object"
	}
	return path
}

// VersionedField is a field of a StatefulSet's spec that not every version keeps. Its text is "" if it is not given or
// has no effect. A field counts as kept if its text is the same before and after the server.
type VersionedField struct {
	Path string
	// Gate is the feature gate of the field in versions that do not always keep it.
	Gate string
	Text func(*model.Spec) string
}

// VersionedFields are all fields of the model that not every supported version has. A version that lacks one drops it
// silently, as an API server does with fields whose gate is off.
var VersionedFields = []VersionedField{
	{"spec.updateStrategy.rollingUpdate.maxUnavailable", "MaxUnavailableStatefulSet", func(s *model.Spec) string {
		block := s.Strategy.RollingUpdate
		if block == nil || block.MaxUnavailable == nil || *block.MaxUnavailable == (model.IntOrPercent{Value: 1}) {
			return ""
		}
		return block.MaxUnavailable.String()
	}},
	{"spec.minReadySeconds", "StatefulSetMinReadySeconds", func(s *model.Spec) string {
		if s.MinReadySeconds == 0 {
			return ""
		}
		return fmt.Sprint(s.MinReadySeconds)
	}},
	{"spec.ordinals.start", "StatefulSetStartOrdinal", func(s *model.Spec) string {
		if s.Ordinals == nil || s.Ordinals.Start == 0 {
			return ""
		}
		return fmt.Sprint(s.Ordinals.Start)
	}},
	{"spec.persistentVolumeClaimRetentionPolicy", "StatefulSetAutoDeletePVC", func(s *model.Spec) string {
		if s.Retention == nil || *s.Retention == (model.Retention{}) {
			return ""
		}
		words := map[bool]string{true: "Delete", false: "Retain"}
		return fmt.Sprintf("{whenDeleted: %s, whenScaled: %s}",
			words[s.Retention.DeleteWithSet], words[s.Retention.DeleteWhenScaled])
	}},
}

// The versions of the StatefulSet before apps/v1. Kubernetes serves them up to 1.15.
const (
	beta1 = "apps/v1beta1"
	beta2 = "apps/v1beta2"
)

var betas = []string{beta1, beta2}

// addBeta adds a StatefulSet of a version that Kubernetes no longer serves. A running set was created when it did:
// the cluster still has the set, and shows it as apps/v1. A manifest to be applied is refused.
func (f *File) addBeta(r *strict.Reader, m *strict.Map, version string) {
	before := len(r.Problems)
	if !r.Lenient {
		want := "write apps/v1"
		if version == beta1 && m.Map("spec").Value("updateStrategy") == nil {
			want += ", and updateStrategy: {type: OnDelete} to keep what " + beta1 + " has as its default"
		}
		r.Problem(m.Value("apiVersion"), "apiVersion is "+version+", which Kubernetes does not serve from 1.16 on", want)
	}
	set := readSet(r, m.Node)
	if set == nil || len(r.Problems) > before {
		f.Wrong = append(f.Wrong, Wrong{other(version, "StatefulSet", m.Node), slices.Clone(r.Problems[before:])})
		return
	}
	set.Object.APIVersion = "apps/v1"
	what := version + " is read as apps/v1, as the API server shows it"
	if version == beta1 && set.Object.Spec.UpdateStrategy.Type == "" {
		what += ", with updateStrategy OnDelete, the default of " + beta1
	}
	at := m.Value("apiVersion")
	r.Warnings = append(r.Warnings, strict.Problem{File: r.File, Line: at.Line, Column: at.Column, What: what})
	if version == beta1 {
		defaultBeta1(set.Object)
	}
	f.Sets = append(f.Sets, set)
}

// defaultBeta1 fills in the API server's defaults for apps/v1beta1 that differ from apps/v1. Given keeps the
// applied fields, so that a later apply leaves these fields alone.
func defaultBeta1(set *appsv1.StatefulSet) {
	if set.Spec.UpdateStrategy.Type == "" {
		set.Spec.UpdateStrategy.Type = appsv1.OnDeleteStatefulSetStrategyType
	}
	labels := set.Spec.Template.Labels
	if labels == nil {
		return
	}
	if set.Spec.Selector == nil {
		set.Spec.Selector = &metav1.LabelSelector{MatchLabels: maps.Clone(labels)}
	}
	if len(set.Labels) == 0 {
		set.Labels = maps.Clone(labels)
	}
}
