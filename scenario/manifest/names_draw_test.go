package manifest_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// namedSet is a StatefulSet whose revision gets a name after that many collisions.
type namedSet struct {
	Collisions int32           `json:"collisions"`
	Set        json.RawMessage `json:"set"`
}

// drawNamedSet makes a StatefulSet whose template has any fields of the API with any values. It need not be valid.
func drawNamedSet(random *rand.Rand) namedSet {
	d := templateDraw{random, 12}
	set := &appsv1.StatefulSet{}
	set.Name, set.Namespace = d.pick("web", "db", "a.b"), "default"
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	template := &set.Spec.Template
	template.Labels = map[string]string{"app": "web"}
	if d.rarely() {
		template.Annotations = map[string]string{"note": d.text()}
	}
	d.rare = []int{6, 12, 30}[d.IntN(3)]
	d.fill(reflect.ValueOf(&template.Spec).Elem())
	template.Spec.EphemeralContainers = nil
	d.rare = []int{4, 8, 30}[d.IntN(3)]
	template.Spec.Containers = make([]corev1.Container, 1+d.IntN(2))
	for i := range template.Spec.Containers {
		d.fill(reflect.ValueOf(&template.Spec.Containers[i]).Elem())
	}
	template.Spec.Volumes = make([]corev1.Volume, d.IntN(3))
	for i := range template.Spec.Volumes {
		d.fill(reflect.ValueOf(&template.Spec.Volumes[i]).Elem())
	}
	data, err := json.Marshal(set)
	if err != nil {
		panic(err)
	}
	collisions := int32(0)
	if d.rarely() {
		collisions = int32(d.IntN(300))
	}
	return namedSet{collisions, data}
}

// templateDraw fills objects at random: one in rare of the fields that may be left out.
type templateDraw struct {
	*rand.Rand
	rare int
}

func (d templateDraw) rarely() bool                  { return d.IntN(d.rare) == 0 }
func (d templateDraw) pick(options ...string) string { return options[d.IntN(len(options))] }

func (d templateDraw) text() string {
	return d.pick("a", "b-1", "example.com/x", "ü <&>", "", "1", "true", "app:v1", "app:latest", "app", "\u2028\\\"",
		"registry.example.com:5000/a/b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")
}

// one fills one of the sources, or none.
func (d templateDraw) one(sources reflect.Value) {
	if i := d.IntN(sources.NumField() + 1); i < sources.NumField() {
		d.fill(sources.Field(i))
	}
}

// fill fills a value. Structs get some of their fields.
func (d templateDraw) fill(v reflect.Value) {
	switch into := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*into = resource.MustParse(d.pick("1", "1000m", "0.5", "1.0001", "1Gi", "1073741824", "1e3", "0", "-1", "100Mi"))
		return
	case *intstr.IntOrString:
		*into = []intstr.IntOrString{intstr.FromInt32(80), intstr.FromString("http"), intstr.FromString("50%")}[d.IntN(3)]
		return
	case *metav1.ObjectMeta:
		*into = metav1.ObjectMeta{Labels: map[string]string{"a": d.text()}}
		return
	case *corev1.VolumeSource, *corev1.VolumeProjection:
		d.one(v)
		return
	case *corev1.HostAlias:
		*into = corev1.HostAlias{IP: "10.0.0.1", Hostnames: []string{d.text()}}
		return
	case *metav1.Time, *metav1.FieldsV1:
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(d.IntN(2) == 0)
	case reflect.Int32:
		v.SetInt([]int64{0, 1, 3, 30, 8080, 65535, -1, 1<<31 - 1}[d.IntN(8)])
	case reflect.Int64:
		v.SetInt([]int64{0, 1, 30, 3600, -5, 1 << 40, 1<<53 + 1, 1<<63 - 1}[d.IntN(8)])
	case reflect.String:
		v.SetString(d.text())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), d.IntN(3), 2))
		for i := range v.Len() {
			d.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range d.IntN(3) {
			value := reflect.New(v.Type().Elem()).Elem()
			d.fill(value)
			v.SetMapIndex(reflect.ValueOf(d.pick("cpu", "memory", "a", "z<")).Convert(v.Type().Key()), value)
		}
	case reflect.Struct:
		d.fillStruct(v)
	}
}

func (d templateDraw) fillStruct(v reflect.Value) {
	deeper := d
	deeper.rare = max(2, d.rare/3)
	for i := range v.NumField() {
		if v.Type().Field(i).Anonymous || d.rarely() {
			deeper.fill(v.Field(i))
		}
	}
}
