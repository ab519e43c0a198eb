package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestServicesThatNoVersionTakes: what is wrong with a Service that selects pods is found before the run begins. Others
// have no influence on a run.
func TestServicesThatNoVersionTakes(t *testing.T) {
	for _, c := range []struct{ name, service, want string }{
		{"headless, without ports", "metadata: {name: web}, spec: {selector: {app: web}, clusterIP: None}", ""},
		{"ports with names", "metadata: {name: web}, spec: {selector: {app: web}, ports: [{name: a, port: 1}, {name: b, port: 65535}]}", ""},
		{"no name", "metadata: {}, spec: {selector: {app: web}, clusterIP: None}", "the Service has no name: give it metadata.name"},
		{"no ports", "metadata: {name: web}, spec: {selector: {app: web}}",
			"spec.ports: Required value: only a headless Service (clusterIP: None) may be without ports"},
		{"port 0", "metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 0}]}",
			"s.yaml:2:109: spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive"},
		{"no port", "metadata: {name: web}, spec: {selector: {app: web}, ports: [{name: a}]}",
			"spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive"},
		{"too large a port", "metadata: {name: web}, spec: {selector: {app: web}, clusterIP: None, ports: [{port: 65536}]}",
			"spec.ports[0].port: Invalid value: 65536: must be between 1 and 65535, inclusive"},
		{"several ports without names", "metadata: {name: web}, spec: {selector: {app: web}, ports: [{name: a, port: 1}, {port: 2}]}",
			"spec.ports[1].name: Required value: each of several ports has a name"},
		{"a name twice", "metadata: {name: web}, spec: {selector: {app: web}, ports: [{name: a, port: 1}, {name: a, port: 2}]}",
			`spec.ports[1].name: Duplicate value: "a": each port has a name of its own`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scenario.Parse("s.yaml", []byte("steps:\n- apply: {apiVersion: v1, kind: Service, "+c.service+"}\n"),
				nil, scenario.Options{})
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
