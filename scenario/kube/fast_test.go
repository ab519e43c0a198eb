package kube

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestNoDetour: nothing of a usual manifest is left to encoding/json, which would read the same at several times the
// price.
func TestNoDetour(t *testing.T) {
	const usual = `
metadata: {name: web, labels: {app: web}, generation: 3}
spec:
  replicas: 3
  template:
    spec:
      hostNetwork: true
      nodeSelector: {disk: ssd}
      containers:
      - {name: app, image: "app:v1", tty: false, ports: [{containerPort: 80}], resources: {requests: {cpu: 500m, memory: 1Gi}}}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce]}}]
`
	var read, decoded map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(usual), &read))
	data, err := json.Marshal(read)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &decoded))
	for _, given := range []map[string]any{read, decoded} {
		var set appsv1.StatefulSet
		require.True(t, fill(reflect.ValueOf(&set).Elem(), given))
	}
}

// told is a type that only encoding/json writes and reads with quotes: the option in its tag, which no type of
// Kubernetes has, tells who was at work.
type told struct {
	N int64 `json:"n,string"`
}

// TestWhoReads: what is given as it should be is read here, and only the rest by encoding/json.
func TestWhoReads(t *testing.T) {
	const exact = 1 << 53
	for _, c := range []struct {
		name  string
		given any
		here  bool
	}{
		{"a whole number of YAML", 3, true},
		{"a whole number of 64 bits", int64(3), true},
		{"a number as it is written", json.Number("12"), true},
		{"a whole number of JSON", 3.0, true},
		{"the greatest number that is exact", float64(exact - 1), true},
		{"the least number that is exact", -float64(exact - 1), true},
		{"a number that may have been rounded", float64(exact), false},
		{"a negative one that may have been rounded", -float64(exact), false},
		{"a fraction", 3.5, false},
		{"null", nil, true},
	} {
		var into told
		err := Decode(map[string]any{"n": c.given}, &into)
		if !c.here {
			require.ErrorContains(t, err, "invalid use of ,string", c.name)
			continue
		}
		require.NoError(t, err, c.name)
	}
	var into told
	require.NoError(t, Unmarshal([]byte(`{"n": 12}`), &into))
	require.Equal(t, told{12}, into)
	require.ErrorContains(t, Unmarshal([]byte(`{"N": 12}`), &told{}), "invalid use of ,string", "a name in capitals")
}

// TestWhoWrites: a value of a type of Kubernetes is written here.
func TestWhoWrites(t *testing.T) {
	for want, value := range map[string]any{
		`{"n":3}`:       told{3},
		`{"n":4}`:       &told{4},
		`[{"n":5}]`:     []*told{{5}},
		`{"a":{"n":6}}`: map[string]told{"a": {6}},
		`null`:          (*told)(nil),
	} {
		got, err := Marshal(value)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	room := make([]byte, 0, 100)
	require.Zero(t, testing.AllocsPerRun(10, func() { appendString(room, "from ' ' to '~'") }),
		"most texts mean the same in JSON")
	require.Same(t, layoutOf(reflect.TypeFor[told]()), layoutOf(reflect.TypeFor[told]()), "a type is looked at once")
}

// odd has what no type of Kubernetes has, or hardly any.
type odd struct {
	corev1.LocalObjectReference
	Plain    string
	hidden   int
	Left     int               `json:"-"`
	Map      map[string]int    `json:"map"`
	ByNumber map[int]string    `json:"byNumber,omitempty"`
	ByTime   map[when]string   `json:"byTime,omitempty"`
	Bytes    []byte            `json:"bytes,omitempty"`
	Float    float64           `json:"float,omitempty"`
	Floats   []float64         `json:"floats,omitempty"`
	ByName   map[string]*odd   `json:"byName,omitempty"`
	Time     metav1.Time       `json:"time,omitzero"`
	Writes   writes            `json:"writes"`
	Word     corev1.PullPolicy `json:"word,omitzero"`
}

// writes is a type that only its address writes.
type writes struct{ text string }

func (w *writes) MarshalJSON() ([]byte, error) { return json.Marshal("so: " + w.text) }

// when is a key that writes itself.
type when string

func (w when) MarshalText() ([]byte, error) { return []byte("at " + w), nil }
func (w when) MarshalJSON() ([]byte, error) { return json.Marshal("never as a key") }

// TestOddTypes writes them as encoding/json does, and fails where it does.
func TestOddTypes(t *testing.T) {
	instant := metav1.Time{Time: time.Unix(1_800_000_000, 0).UTC()}
	for name, of := range map[string]*odd{
		"nothing is set":              {},
		"a name from within":          {LocalObjectReference: corev1.LocalObjectReference{Name: "web"}},
		"fields that are not written": {hidden: 1, Left: 2},
		"keys":                        {Map: map[string]int{"b": 1, "a": 2}, ByNumber: map[int]string{2: "b", 1: "a"}},
		"keys that write themselves":  {ByTime: map[when]string{"noon": "x"}},
		"bytes and fractions":         {Bytes: []byte("web"), Float: 1.5, Floats: []float64{0.5, 2}},
		"one in another":              {ByName: map[string]*odd{"é": {Plain: `a"b`}, "a": nil}},
		"an instant":                  {Time: instant},
		"an instant that is none":     {Time: metav1.Time{Time: time.Time{}.In(time.FixedZone("", 3600))}},
		"it writes itself":            {Writes: writes{"web"}, Word: "x"},
		"no number":                   {Float: math.NaN()},
		"no number in a list":         {Floats: []float64{math.NaN()}},
		"no number below a name":      {ByName: map[string]*odd{"a": {Float: math.Inf(1)}}},
	} {
		want, wantErr := json.Marshal(of)
		got, err := Marshal(of)
		require.Equal(t, wantErr == nil, err == nil, name)
		require.Equal(t, string(want), string(got), name)
	}
	for _, char := range strings.Split(" ~\x7f\x1f\"\\<>&é", "") {
		want, err := json.Marshal("web" + char)
		require.NoError(t, err)
		got, err := Marshal("web" + char)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		got, err = Marshal(char)
		require.NoError(t, err)
		require.Equal(t, string(want), `"web`+string(got[1:]))
	}
}

// TestOddObjects reads them as encoding/json does, also where it gives up in the middle.
func TestOddObjects(t *testing.T) {
	for _, text := range []string{
		`{"name":"web","Plain":"x","Left":3,"hidden":4}`, `{"byNumber":{"1":"a"}}`, `{"bytes":"d2Vi"}`, `{"floats":[1,2.5]}`,
		`{"time":"yesterday","Plain":"x"}`, `{"map":{"a":1},"byName":{"b":3}}`,
	} {
		var want, got odd
		wantErr := json.Unmarshal([]byte(text), &want)
		require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(Unmarshal([]byte(text), &got)), text)
		require.Equal(t, want, got, text)
	}
	var list []int
	require.NoError(t, Unmarshal([]byte(`[1, 2]`), &list))
	require.Equal(t, []int{1, 2}, list)
	var set appsv1.StatefulSet
	err := Decode(map[string]any{"metadata": map[string]any{"name": "web"}, "spec": math.NaN()}, &set)
	require.ErrorContains(t, err, "unsupported value: NaN")
	require.Equal(t, appsv1.StatefulSet{}, set, "what cannot be read leaves nothing behind")
}

// TestCodecs: only what writes or reads itself is left to its methods.
func TestCodecs(t *testing.T) {
	for of, want := range map[reflect.Type]bool{
		reflect.TypeFor[appsv1.StatefulSet]():          false,
		reflect.TypeFor[corev1.ResourceList]():         false,
		reflect.TypeFor[corev1.ResourceName]():         false,
		reflect.TypeFor[map[string]metav1.Time]():      false,
		reflect.TypeFor[metav1.Time]():                 true,
		reflect.TypeFor[resource.Quantity]():           true,
		reflect.TypeFor[struct{ metav1.ObjectMeta }](): false,
		reflect.TypeFor[writes]():                      true,
	} {
		require.Equal(t, want, isCodec(of), of)
	}
}
