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
		{"a name with a dot, which a set beside it need not mind", "metadata: {name: a.b}, spec: {selector: {app: web}, clusterIP: None}", ""},
		{"a label", "metadata: {name: web, labels: {a: b c}}, spec: {selector: {app: web}, clusterIP: None}",
			`metadata.labels: Invalid value: "b c": a valid label must be`},
		{"a selector", "metadata: {name: web}, spec: {selector: {a b: web}, clusterIP: None}",
			`spec.selector: Invalid value: "a b": name part must consist of`},
		{"the name of a port", "metadata: {name: web}, spec: {selector: {app: web}, clusterIP: None, ports: [{name: A_b, port: 1}]}",
			`spec.ports[0].name: Invalid value: "A_b": a lowercase RFC 1123 label`},
		{"a protocol", "metadata: {name: web}, spec: {selector: {app: web}, clusterIP: None, ports: [{port: 1, protocol: tcp}]}",
			`spec.ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP": no version of Kubernetes`},
		{"the name of a target", "metadata: {name: web}, spec: {selector: {app: web}, clusterIP: None, ports: [{port: 1, targetPort: A_b}]}",
			`spec.ports[0].targetPort: Invalid value: "A_b": must contain only alpha-numeric characters`},
		{"the number of a target", "metadata: {name: web}, spec: {selector: {app: web}, clusterIP: None, ports: [{port: 1, targetPort: 70000}]}",
			`spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive`},
		{"a type", "metadata: {name: web}, spec: {selector: {app: web}, clusterIP: None, type: Headless}",
			`spec.type: Unsupported value: "Headless": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"`},
		{"an affinity", "metadata: {name: web}, spec: {selector: {app: web}, clusterIP: None, sessionAffinity: Client}",
			`spec.sessionAffinity: Unsupported value: "Client": supported values: "ClientIP", "None"`},
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
