package manifest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	kjson "sigs.k8s.io/json"
	kyaml "sigs.k8s.io/yaml"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestAsKubectl: a value is taken, and is refused, as kubectl and the API server do it: kubectl makes JSON of YAML,
// and the API server decodes that.
func TestAsKubectl(t *testing.T) {
	places := []string{
		"spec: {replicas: %s}", "spec: {template: {spec: {terminationGracePeriodSeconds: %s}}}",
		"spec: {serviceName: %s}", "metadata: {labels: {a: %s}}", "metadata: {annotations: {%s: a}}",
		"spec: {template: {spec: {hostNetwork: %s}}}", "spec: {updateStrategy: {rollingUpdate: {maxUnavailable: %s}}}",
		"spec: {template: {spec: {containers: [{resources: {limits: {cpu: %s}}}]}}}",
		"spec: {template: {spec: {containers: [{resources: {limits: {%s: 1}}}]}}}",
	}
	values := strings.Fields(`3 3.0 3. -3.0 -0.0 +3 .5 0.5 3.5 1e3 1E3 1.5e1 1.00065e+09 3.6e+03 1e-3 1e10 1e18 1e19 1e21 3000000000.0
		2147483647.0 2147483648.0 9007199254740993 9007199254740993.0 9223372036854775807 9223372036854775808 0o17 017 0755 08
		0x10 0b11 1_000 1_000.0 .inf -.Inf .nan yes No on OFF y n true True "3" "3.0" '017' "yes" 2026-01-31 2026-01-31T10:00:00Z
		"2026-01-31" 12:30 12:30:45 app 3e10 3E10 3e+10 3.e1 .3e1 30e-1 +3e1 -3e1 3e1_0 1e9 0e0 "3e1" 100m 1Gi 25% "25%" !!str\ 3 !!float\ 3 1e400`)
	for _, place := range places {
		for _, value := range values {
			if strings.Contains(place, "{%s:") && (value == "9223372036854775808" || value[0] == '!') {
				// kubectl has no key of such a type, and nobody writes one.
				continue
			}
			value = strings.ReplaceAll(value, `\`, " ")
			text := fmt.Sprintf(place, value)
			t.Run(text, func(t *testing.T) {
				want, wantErr := byKubectl("apiVersion: apps/v1\nkind: StatefulSet\n" + text + "\n")
				stream := strict.ParseStream("f", []byte("apiVersion: apps/v1\nkind: StatefulSet\n"+text+"\n"), strict.Limits{})
				r := stream.Reader("f", strict.Limits{})
				file := manifest.Read(r, stream.Docs)
				if wantErr != nil {
					require.Error(t, r.Err(), wantErr)
					return
				}
				require.NoError(t, r.Err())
				require.Len(t, file.Sets, 1)
				got, err := json.Marshal(file.Sets[0].Object)
				require.NoError(t, err)
				require.JSONEq(t, want, string(got))
			})
		}
	}
}

// byKubectl returns a StatefulSet as the API server has it after kubectl has sent it.
func byKubectl(text string) (string, error) {
	data, err := kyaml.YAMLToJSON([]byte(text))
	if err != nil {
		return "", err
	}
	var sent map[string]any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &sent); err != nil {
		return "", err
	}
	if data, err = json.Marshal(sent); err != nil {
		return "", err
	}
	var set appsv1.StatefulSet
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &set); err != nil {
		return "", err
	}
	set.Status = appsv1.StatefulSetStatus{}
	data, err = json.Marshal(set)
	return string(data), err
}
