package kube_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario/kube"
)

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
