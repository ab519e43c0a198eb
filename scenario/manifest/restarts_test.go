package manifest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// TestRestartsOfContainers has what each version makes of the restart policies of single containers.
func TestRestartsOfContainers(t *testing.T) {
	const (
		policy = "containers: [{name: a, image: a, restartPolicy: Never}]"
		onExit = "restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [42]}}]"
		all    = "restartPolicyRules: [{action: RestartAllContainers, exitCodes: {operator: NotIn, values: [0]}}]"
		once   = "initContainers: [{name: i, image: i, restartPolicy: OnFailure}]\ncontainers: [{name: a, image: a}]"
	)
	for _, test := range []struct {
		spec  string
		minor int
		wrong []string
		keeps bool
	}{
		{policy, 28, nil, false},
		{policy, 29, []string{"spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers"}, true},
		{policy, 33, []string{"spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers"}, true},
		{policy, 34, nil, false},
		{policy, 35, nil, true},
		{once, 33, []string{`spec.initContainers[0].restartPolicy: Unsupported value: "OnFailure": supported values: "Always"`}, true},
		{once, 34, nil, false},
		{"containers: [{name: a, image: a, restartPolicy: Never, " + onExit + "}]", 35, nil, true},
		{"containers: [{name: a, image: a, restartPolicy: Never, " + all + "}]", 35,
			[]string{`spec.containers[0].restartPolicyRules[0].action: Unsupported value: "RestartAllContainers": supported values: "Restart"`}, true},
		{"containers: [{name: a, image: a, restartPolicy: Never, " + all + "}]", 36, nil, true},
		{"initContainers: [{name: s, image: s, restartPolicy: Always, " + onExit + "}]\ncontainers: [{name: a, image: a}]", 35,
			[]string{"spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always"}, true},
	} {
		template := &corev1.PodTemplateSpec{}
		require.NoError(t, yaml.Unmarshal([]byte(test.spec), &template.Spec))
		defaultPodTemplate(template)
		stored := modelTemplate(template).In(test.minor)
		require.Equal(t, test.wrong, stored.Wrong, "1.%d: %s", test.minor, test.spec)
		require.Equal(t, test.keeps, strings.Count(stored.Data, `"restartPolicy":`) > 1, "1.%d: %s", test.minor, test.spec)
	}
}
