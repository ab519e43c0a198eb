package kube_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario/kube"
)

// draw fills a value of any of the types, up to a depth.
func draw(t *rapid.T, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		if depth > 0 && rapid.Bool().Draw(t, "pointer") {
			v.Set(reflect.New(v.Type().Elem()))
			draw(t, v.Elem(), depth-1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			// Most fields stay empty, as they do in manifests; those of one word would be of one shape otherwise.
			if f := v.Field(i); f.CanSet() && (depth > 3 || rapid.IntRange(0, 3).Draw(t, "field") == 0) {
				draw(t, f, depth-1)
			}
		}
	case reflect.Slice:
		if depth > 0 && v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 2).Draw(t, "length"), 2))
			for i := range v.Len() {
				draw(t, v.Index(i), depth-1)
			}
		}
	case reflect.Map:
		if n := rapid.IntRange(-1, 2).Draw(t, "size"); depth > 0 && n >= 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n {
				value := reflect.New(v.Type().Elem()).Elem()
				draw(t, value, depth-1)
				key := rapid.SampledFrom([]string{"a", "cpu", "é<", "x/y"}).Draw(t, "key")
				v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), value)
			}
		}
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{"", "a", `<"&\>`, "é\u2028\x01", "\xff", "10%"}).Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(rapid.SampledFrom([]int32{0, 1, -1, 80, math.MaxInt32}).Draw(t, "number")))
	}
}

// TestMarshal writes random objects, and reads them, as encoding/json does.
func TestMarshal(t *testing.T) {
	for _, empty := range []any{appsv1.StatefulSet{}, corev1.Pod{}} {
		rapid.Check(t, func(t *rapid.T) {
			of := reflect.New(reflect.TypeOf(empty))
			draw(t, of.Elem(), rapid.IntRange(2, 9).Draw(t, "depth"))
			want, wantErr := json.Marshal(of.Interface())
			got, err := kube.Marshal(of.Interface())
			require.Equal(t, wantErr == nil, err == nil)
			require.Equal(t, string(want), string(got))
			requireDecoded(t, of.Type().Elem(), got)
		})
	}
}

// requireDecoded reads a text in both ways.
func requireDecoded(t require.TestingT, of reflect.Type, text []byte) {
	a, b, c := reflect.New(of), reflect.New(of), reflect.New(of)
	wantErr := json.Unmarshal(text, a.Interface())
	require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(kube.Unmarshal(text, b.Interface())), string(text))
	require.Equal(t, a.Interface(), b.Interface())
	var given map[string]any
	if json.Unmarshal(text, &given) != nil || given == nil {
		return
	}
	again, err := json.Marshal(given)
	require.NoError(t, err)
	a = reflect.New(of)
	wantErr = json.Unmarshal(again, a.Interface())
	require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(kube.Decode(given, c.Interface())), string(text))
	require.Equal(t, a.Interface(), c.Interface())
}

// TestDecodeOdd reads what is not as it should be.
func TestDecodeOdd(t *testing.T) {
	for _, text := range []string{
		`null`, `[]`, `x`, `{}`, `{"spec":null}`, `{"SPEC":{"Replicas":3}}`, `{"spec":{"replicas":"3"}}`, `{"spec":{"replicas":3.5}}`,
		`{"spec":{"replicas":3e0}}`, `{"spec":{"replicas":9999999999}}`, `{"spec":{"unknown":1,"replicas":2}}`, `{"metadata":{"labels":{"a":1}}}`,
		`{"metadata":{"generation":9007199254740993}}`, `{"metadata":{"creationTimestamp":"yesterday"}}`, `{"spec":{"template":[]}}`,
		`{"metadata":{"creationTimestamp":"2026-01-02T03:04:05Z","labels":null,"annotations":{}}}`, `{"spec":{"volumeClaimTemplates":[null]}}`,
		`{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":"1","partition":null}}}}`, `{"status":{"replicas":1}} x`,
		`{"spec":{"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":1,"memory":"x"}}}]}}}}`, `{"spec":{},"spec":{"replicas":1}}`,
		`{"spec":{"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":"x"}}}]}}},"apiVersion":"apps/v1"}`,
	} {
		requireDecoded(t, reflect.TypeFor[appsv1.StatefulSet](), []byte(text))
	}
}

// TestDecodeRead reads a manifest as YAML gives it: whole numbers are ints there.
func TestDecodeRead(t *testing.T) {
	text, err := os.ReadFile("../../scenarios/manifests/nginx/web.yaml")
	require.NoError(t, err)
	_, second, _ := bytes.Cut(text, []byte("\n---\n"))
	var given map[string]any
	require.NoError(t, yaml.Unmarshal(second, &given))
	require.Equal(t, "StatefulSet", given["kind"])
	data, err := json.Marshal(given)
	require.NoError(t, err)
	var a, b appsv1.StatefulSet
	require.NoError(t, json.Unmarshal(data, &a))
	require.NoError(t, kube.Decode(given, &b))
	require.Equal(t, a, b)
}
