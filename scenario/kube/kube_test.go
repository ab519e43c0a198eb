package kube_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	realapps "k8s.io/api/apps/v1"
	realcore "k8s.io/api/core/v1"
	realpolicy "k8s.io/api/policy/v1"
	realquantity "k8s.io/apimachinery/pkg/api/resource"
	realpatch "k8s.io/apimachinery/pkg/util/strategicpatch"
	realvalid "k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario/kube"
	appsv1 "github.com/statefulsim/statefulsim/scenario/kube/api/apps/v1"
	corev1 "github.com/statefulsim/statefulsim/scenario/kube/api/core/v1"
	policyv1 "github.com/statefulsim/statefulsim/scenario/kube/api/policy/v1"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/api/resource"
	metav1 "github.com/statefulsim/statefulsim/scenario/kube/apimachinery/apis/meta/v1"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/util/strategicpatch"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/util/validation"
)

// pairs are types of ours beside the real ones.
var pairs = [][2]reflect.Type{
	{reflect.TypeFor[appsv1.StatefulSet](), reflect.TypeFor[realapps.StatefulSet]()},
	{reflect.TypeFor[appsv1.ControllerRevision](), reflect.TypeFor[realapps.ControllerRevision]()},
	{reflect.TypeFor[corev1.Pod](), reflect.TypeFor[realcore.Pod]()},
	{reflect.TypeFor[corev1.PersistentVolumeClaim](), reflect.TypeFor[realcore.PersistentVolumeClaim]()},
	{reflect.TypeFor[corev1.Service](), reflect.TypeFor[realcore.Service]()},
	{reflect.TypeFor[corev1.Node](), reflect.TypeFor[realcore.Node]()},
	{reflect.TypeFor[corev1.Event](), reflect.TypeFor[realcore.Event]()},
	{reflect.TypeFor[policyv1.PodDisruptionBudget](), reflect.TypeFor[realpolicy.PodDisruptionBudget]()},
}

// TestTypes holds every field of the types to the real ones: names, kinds, and what JSON and patches know of it.
func TestTypes(t *testing.T) {
	seen := map[reflect.Type]bool{}
	for _, pair := range pairs {
		requireSame(t, seen, pair[0].Name(), pair[0], pair[1])
	}
	require.Greater(t, len(seen), 200)
}

func requireSame(t *testing.T, seen map[reflect.Type]bool, at string, ours, real reflect.Type) {
	if seen[ours] {
		return
	}
	seen[ours] = true
	require.Equal(t, real.Kind(), ours.Kind(), at)
	require.Equal(t, real.Name(), ours.Name(), at)
	switch ours.Kind() {
	case reflect.Map:
		requireSame(t, seen, at+" key", ours.Key(), real.Key())
		requireSame(t, seen, at+"{}", ours.Elem(), real.Elem())
	case reflect.Pointer, reflect.Slice:
		requireSame(t, seen, at+"[]", ours.Elem(), real.Elem())
	case reflect.Struct:
		// A time, a quantity and raw JSON are known by what they print: see below.
		if _, prints := reflect.New(ours).Interface().(json.Marshaler); prints {
			return
		}
		require.Equal(t, real.NumField(), ours.NumField(), at)
		for i := range ours.NumField() {
			a, b := ours.Field(i), real.Field(i)
			require.Equal(t, b.Name, a.Name, at)
			for _, tag := range []string{"json", "patchStrategy", "patchMergeKey"} {
				require.Equal(t, b.Tag.Get(tag), a.Tag.Get(tag), at+"."+a.Name)
			}
			requireSame(t, seen, at+"."+a.Name, a.Type, b.Type)
		}
	}
}

// TestCopy copies objects with all kinds of fields: the copy is equal and shares nothing.
func TestCopy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := randomSet().Draw(t, "set")
		var object, again appsv1.StatefulSet
		require.NoError(t, json.Unmarshal([]byte(text), &object))
		require.NoError(t, json.Unmarshal([]byte(text), &again))
		copied := kube.Copy(&object)
		require.Equal(t, again, *copied)
		scramble(reflect.ValueOf(copied).Elem())
		require.Equal(t, again, object)
	})
	require.Nil(t, kube.Copy[appsv1.StatefulSet](nil))
}

// scramble changes whatever a value points at.
func scramble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			scramble(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				scramble(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			scramble(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			v.SetMapIndex(key, reflect.Zero(v.Type().Elem()))
		}
	case reflect.String:
		v.SetString(v.String() + "!")
	}
}

// TestControllerOf: of the owners of an object the one that says so is its controller.
func TestControllerOf(t *testing.T) {
	yes, no := true, false
	owner := func(name string, controls *bool) metav1.OwnerReference {
		return metav1.OwnerReference{Name: name, Controller: controls}
	}
	of := func(owners ...metav1.OwnerReference) string {
		found := kube.ControllerOf(&metav1.ObjectMeta{OwnerReferences: owners})
		if found == nil {
			return "none"
		}
		return found.Name
	}
	require.Equal(t, "none", of())
	require.Equal(t, "none", of(owner("web", nil), owner("db", &no)))
	require.Equal(t, "www", of(owner("web", nil), owner("db", &no), owner("www", &yes)))
}

// TestQuantities reads, compares and prints quantities as the real package does.
func TestQuantities(t *testing.T) {
	text := rapid.OneOf(rapid.StringMatching(`[+-]?[0-9]{0,20}(\.[0-9]{0,12})?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?`), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		one, other := text.Draw(t, "one"), text.Draw(t, "other")
		a, err := resource.ParseQuantity(one)
		b, realErr := realquantity.ParseQuantity(one)
		require.Equal(t, fmt.Sprint(realErr), fmt.Sprint(err))
		c, err := resource.ParseQuantity(other)
		d, realErr := realquantity.ParseQuantity(other)
		require.Equal(t, fmt.Sprint(realErr), fmt.Sprint(err))
		require.Equal(t, b.String(), a.String())
		require.Equal(t, b.Sign(), a.Sign())
		require.Equal(t, b.MilliValue(), a.MilliValue())
		require.Equal(t, b.Cmp(d), a.Cmp(c))
		require.Equal(t, b.RoundUp(realquantity.Milli), a.RoundUp(resource.Milli))
		require.Equal(t, b.String(), a.String())
	})
}

// TestNames holds what the API server says about names and values.
func TestNames(t *testing.T) {
	rules := [][2]func(string) []string{
		{validation.IsDNS1123Label, realvalid.IsDNS1123Label}, {validation.IsDNS1123Subdomain, realvalid.IsDNS1123Subdomain},
		{validation.IsQualifiedName, realvalid.IsQualifiedName}, {validation.IsValidLabelValue, realvalid.IsValidLabelValue},
		{validation.IsConfigMapKey, realvalid.IsConfigMapKey}, {validation.IsHTTPHeaderName, realvalid.IsHTTPHeaderName},
		{validation.IsRelaxedEnvVarName, realvalid.IsRelaxedEnvVarName}, {validation.IsValidPercent, realvalid.IsValidPercent},
		{validation.IsValidPortName, realvalid.IsValidPortName},
	}
	text := rapid.OneOf(rapid.StringMatching(`[a-z0-9A-Z./_%-]{0,80}`), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		for _, rule := range rules {
			require.Equal(t, rule[1](s), rule[0](s))
		}
	})
}

// TestPatches merges three random sets as kubectl apply does, with our copy of the code and with the real one.
func TestPatches(t *testing.T) {
	ours, err := strategicpatch.NewPatchMetaFromStruct(appsv1.StatefulSet{})
	require.NoError(t, err)
	real, err := realpatch.NewPatchMetaFromStruct(realapps.StatefulSet{})
	require.NoError(t, err)
	different := 0
	rapid.Check(t, func(t *rapid.T) {
		var docs [3][]byte
		for i := range docs {
			docs[i] = []byte(randomSet().Draw(t, "set"))
		}
		a, err := strategicpatch.CreateThreeWayMergePatch(docs[0], docs[1], docs[2], ours, true)
		b, realErr := realpatch.CreateThreeWayMergePatch(docs[0], docs[1], docs[2], real, true)
		require.Equal(t, fmt.Sprint(realErr), fmt.Sprint(err))
		require.Equal(t, string(b), string(a))
		if err != nil || string(a) == "{}" {
			return
		}
		different++
		a, err = strategicpatch.StrategicMergePatch(docs[2], a, appsv1.StatefulSet{})
		b, realErr = realpatch.StrategicMergePatch(docs[2], b, realapps.StatefulSet{})
		require.Equal(t, fmt.Sprint(realErr), fmt.Sprint(err))
		require.Equal(t, string(b), string(a))
	})
	require.NotZero(t, different)
}

// randomSet is a StatefulSet as JSON, with maps, lists with and without keys, and lists of plain values.
func randomSet() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		word := rapid.SampledFrom([]string{"a", "b", "c", "d"})
		labels := rapid.MapOfN(word, word, 0, 3)
		env := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) map[string]any {
			return map[string]any{"name": word.Draw(t, "name"), "value": word.Draw(t, "value")}
		}), 0, 3, named)
		container := rapid.Custom(func(t *rapid.T) map[string]any {
			return map[string]any{
				"name": word.Draw(t, "name"), "image": word.Draw(t, "image"), "env": env.Draw(t, "env"),
				"args":      rapid.SliceOfN(word, 0, 3).Draw(t, "args"),
				"ports":     []any{map[string]any{"containerPort": rapid.IntRange(1, 3).Draw(t, "port")}},
				"resources": map[string]any{"limits": map[string]any{"cpu": "100m"}},
			}
		})
		set := map[string]any{
			"metadata": map[string]any{"labels": labels.Draw(t, "labels"), "finalizers": rapid.SliceOfNDistinct(word, 0, 3, rapid.ID).Draw(t, "finalizers")},
			"spec": map[string]any{
				"replicas": rapid.IntRange(0, 3).Draw(t, "replicas"),
				"selector": map[string]any{"matchLabels": labels.Draw(t, "matchLabels")},
				"template": map[string]any{"spec": map[string]any{
					"containers":  rapid.SliceOfNDistinct(container, 1, 3, named).Draw(t, "containers"),
					"tolerations": []any{map[string]any{"key": word.Draw(t, "key")}},
				}},
			},
		}
		if rapid.Bool().Draw(t, "strategy") {
			set["spec"].(map[string]any)["updateStrategy"] = map[string]any{"rollingUpdate": map[string]any{"maxUnavailable": "50%"}}
		}
		data, err := json.Marshal(set)
		require.NoError(t, err)
		return string(data)
	})
}

func named(of map[string]any) string { return of["name"].(string) }
