package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
)

// TestParseSettings holds where one setting ends and the next begins.
func TestParseSettings(t *testing.T) {
	tests := []struct {
		text string
		want []scenario.Setting
		err  string
	}{
		{text: "spec.replicas=5", want: []scenario.Setting{{"spec.replicas", "5"}}},
		{text: "spec.a=1, spec.b = x=y", want: []scenario.Setting{{"spec.a", "1"}, {"spec.b", "x=y"}}},
		{
			text: "spec.a={x: 1, y: [2, 3]},spec.b=2",
			want: []scenario.Setting{{"spec.a", "{x: 1, y: [2, 3]}"}, {"spec.b", "2"}},
		},
		{text: `spec.a="1,2",spec.b='3,"4'`, want: []scenario.Setting{{"spec.a", `"1,2"`}, {"spec.b", `'3,"4'`}}},
		{text: "spec.replicas", err: `"spec.replicas" is not a setting: write FIELD=VALUE, like spec.replicas=5`},
		{text: "spec.a=1,", err: `"" is not a setting`},
		{text: "=1", err: `"=1" is not a setting`},
		{text: "spec.a=", err: `"spec.a=" is not a setting`},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got, err := scenario.ParseSettings(tt.text)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func parseWith(t *testing.T, text, with string) (*scenario.Scenario, error) {
	t.Helper()
	settings, err := scenario.ParseSettings(with)
	require.NoError(t, err)
	return scenario.Parse("with.yaml", []byte(text), nil, scenario.Options{With: settings})
}

// TestWith holds that every set is given the settings, whichever step makes it, and that the digest tells them.
func TestWith(t *testing.T) {
	const object = `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {serviceName: web, replicas: 2,
      selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
      spec: {containers: [{name: app, image: "app:v1"}]}}}}`
	tests := map[string]string{
		"short":   `steps: [{create: {name: web, replicas: 2, image: "app:v1", minReadySeconds: 7}}]`,
		"create":  "steps:\n  - create: " + object,
		"apply":   "steps:\n  - apply: " + object,
		"replace": "steps:\n  - create: " + object + "\n  - replace: " + object,
	}
	const with = "spec.podManagementPolicy=Parallel,spec.updateStrategy.rollingUpdate.partition=1," +
		"spec.minReadySeconds=null"
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			plain, err := parseWith(t, text, "spec.replicas=2")
			require.NoError(t, err)
			s, err := parseWith(t, text, with)
			require.NoError(t, err)
			require.NotEqual(t, plain.Digest, s.Digest)
			var sets []*model.StatefulSet
			for _, e := range s.Run(scenario.RunOptions{}).Timeline {
				if e.Step != nil {
					sets = append(sets, e.Step.Sets...)
				}
			}
			require.NotEmpty(t, sets)
			for _, set := range sets {
				require.Equal(t, model.Parallel, set.Spec.PodManagement)
				require.EqualValues(t, 1, set.Spec.Strategy.RollingUpdate.Partition)
				require.EqualValues(t, 2, set.Spec.Replicas)
				require.Zero(t, set.Spec.MinReadySeconds)
			}
		})
	}
}

// TestBadWith holds what is said of settings that no set can have.
func TestBadWith(t *testing.T) {
	tests := []struct{ with, want string }{
		{"spec.podManagementPolcy=X", `--with spec.podManagementPolcy: unknown field "spec.podManagementPolcy": ` +
			"did you mean podManagementPolicy?"},
		{"spec=3", "--with spec: this is not a field of a StatefulSet's spec: write the whole path, like spec.replicas"},
		{"metadata.name=x", "--with metadata.name: this is not a field of a StatefulSet's spec"},
		{"spec.replicas=many", `--with spec.replicas: spec.replicas is "many": write a whole number`},
		{"spec.replicas=-1", "--with spec.replicas: spec.replicas: Invalid value: -1"},
		{"spec.replicas=2000000000", "--with spec.replicas: spec.replicas is 2000000000: write at most"},
		{"spec.ordinals={", "--with spec.ordinals: this is not YAML"},
		{"spec.selector.matchLabels.app=other", "with.yaml:1:"},
		{"spec.replicas.x=1,spec.serviceNam=y", "--with spec.serviceNam: unknown field"},
	}
	for _, tt := range tests {
		t.Run(tt.with, func(t *testing.T) {
			_, err := parseWith(t, `steps: [{create: {name: web, replicas: 2, image: "app:v1"}}]`, tt.with)
			require.ErrorContains(t, err, tt.want)
		})
	}
}
