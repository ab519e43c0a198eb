package judged_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
)

// TestFound judges worlds that were drawn and of which something false was said, cut down to what it was about.
func TestFound(t *testing.T) {
	const claims = `volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: fast, accessModes: [ReadWriteOnce], ` +
		`resources: {requests: {storage: 1Gi}}}}]`
	everybody := func(kind, says string, ends time.Duration) trouble {
		return trouble{kind: kind, ordinal: -1, says: says, ends: ends}
	}
	for name, c := range map[string]struct {
		judged
		state judge.State
		// cause is the name of the first cause; "" if there is none.
		cause string
	}{
		"a pod that becomes Ready in this very second has not kept the next one from being created": {
			judged: judged{wait: 5 * time.Second, part: "pods and sets", given: true, version: "1.36",
				trouble: everybody("none", "", 0),
				text:    "kubelet: {start: 1s, ready: 2s}\nsteps:\n- create: {name: web, image: \"app:v1\", replicas: 3}\n"},
			state: judge.Continues,
		},
		"a pod that starts waits for itself, and not because another one of its template is not Ready yet": {
			judged: judged{wait: time.Second, part: "everything", version: "1.37", trouble: everybody("none", "", 0),
				text: "kubelet: {start: 3s, ready: 10s}\nsteps:\n" +
					"- create: {name: web, image: \"app:v1\", replicas: 2, podManagementPolicy: Parallel}\n- {at: 8s, delete: pod/web-0}\n"},
			state: judge.TooEarly, cause: "not-ready",
		},
		"an old image that cannot be pulled is no obstacle to a rollout that replaces it": {
			judged: judged{wait: 3 * time.Second, part: "everything", version: "1.28",
				trouble: trouble{kind: "image", ordinal: -1, image: "app:v1", says: "manifest unknown"},
				text: "kubelet: {start: 1s, ready: 4s, stop: 2s}\nsteps:\n" +
					"- create: {name: web, image: \"app:v1\", replicas: 3, podManagementPolicy: Parallel}\n" +
					"- {at: 8s, setImage: {statefulset: web, image: \"app:v2\"}}\n"},
			state: judge.TooEarly, cause: "not-ready",
		},
		"a pod whose PVC has no volume may get one, although the dump does not show the PVC": {
			judged: judged{wait: time.Second, part: "without claims", version: "1.37", trouble: everybody("claim", "", 30*time.Second),
				text: "steps:\n- create: {name: web, image: \"app:v1\", replicas: 1, " + claims + "}\n"},
			state: judge.Stuck, cause: "unschedulable",
		},
		"a container that has been restarted lately may end again": {
			judged: judged{wait: 4 * time.Minute, part: "everything", version: "1.37", trouble: everybody("flap", "", 0),
				text: "steps:\n- create: {name: web, image: \"app:v1\", replicas: 1}\n"},
			state: judge.AtRest,
		},
		"a controller that does not look at a new spec may not work": {
			judged: judged{wait: 20 * time.Second, part: "everything", version: "1.37", trouble: everybody("none", "", 0),
				text: "steps:\n- create: {name: web, image: \"app:v1\", replicas: 1}\n- {at: 30s, watch: {delay: 100h, for: 100h}}\n" +
					"- {at: 40s, scale: {statefulset: web, replicas: 2}}\n"},
			state: judge.TooEarly, cause: "controller-idle",
		},
		"a controller that does not create the next pod may not work": {
			judged: judged{wait: 20 * time.Second, part: "everything", version: "1.37", trouble: everybody("none", "", 0),
				text: "kubelet: {start: 1s, ready: 2s}\nsteps:\n- create: {name: web, image: \"app:v1\", replicas: 2}\n" +
					"- {at: 2s, watch: {delay: 100h, for: 100h}}\n"},
			state: judge.TooEarly, cause: "controller-idle",
		},
		"a pod that no scheduler has looked at for seconds may have none": {
			judged: judged{wait: 20 * time.Second, part: "everything", version: "1.37", trouble: everybody("scheduler", "", 0),
				text: "steps:\n- create: {name: web, image: \"app:v1\", replicas: 1}\n"},
			state: judge.TooEarly, cause: "scheduler-idle",
		},
		"a volume that fails to be mounted keeps a pod from starting, perhaps": {
			judged: judged{wait: 20 * time.Second, part: "everything", version: "1.37",
				trouble: everybody("mount", troubles["mount"][1][0], 0),
				text:    "steps:\n- create: {name: web, image: \"app:v1\", replicas: 1}\n"},
			state: judge.TooEarly, cause: "not-started",
		},
		"a pod that starts for much longer than others may not start": {
			judged: judged{wait: time.Minute, part: "pods and sets", given: true, version: "1.37",
				trouble: trouble{kind: "sandbox", ordinal: -1, node: "node-2"},
				text:    "nodes: 2\nkubelet: {start: 1s, ready: 1s}\nsteps:\n- create: {name: web, image: \"app:v1\", replicas: 2}\n"},
			state: judge.TooEarly, cause: "not-started",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.text = "kubernetes: \"" + c.version + "\"\n" + c.text
			data, _ := c.played(t)
			j := judgedBy(t, &c.judged, data)[model.Key{Namespace: "default", Name: "web"}]
			require.Equal(t, c.state, j.State, "%v\n%s", j.Causes, data)
			require.False(t, j.Certain)
			if c.cause != "" {
				require.Equal(t, c.cause, j.Causes[0].Name)
			}
		})
	}
}
