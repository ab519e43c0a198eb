package save_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/save"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// runs are scenarios with what a run may have: pods that go in all orders, drains, budgets, claims, and ends of all kinds.
var runs = []struct{ name, text string }{
	{"two pods and two sets are stuck", `
kubelet: {rules: [{match: {image: "bad:*"}, start: never}]}
steps:
- create: {name: a, replicas: 2, image: "bad:1", podManagementPolicy: Parallel}
- after: 1s
  create: {name: b, replicas: 1, image: "bad:1"}
`},
	{"one set of two is stuck", `
kubelet: {rules: [{match: {image: "bad:*"}, start: never}]}
steps:
- create: {name: a, replicas: 2, image: "a:1"}
- create: {name: b, replicas: 1, image: "bad:1"}
`},
	{"a scale-down of many at once", `
steps:
- create: {name: web, replicas: 12, image: "a:1", podManagementPolicy: Parallel}
- scale: {replicas: 3}
`},
	{"a scale-down of eight at once", `
steps:
- create: {name: web, replicas: 9, image: "a:1", podManagementPolicy: Parallel}
- scale: {replicas: 1}
`},
	{"pods of two templates", `
steps:
- create: {name: web, replicas: 4, image: "a:1", podManagementPolicy: Parallel}
- setImage: {image: "a:2"}
- after: 3s
  scale: {replicas: 0}
`},
	{"steps of one name, and of none", `
steps:
- create: {name: web, replicas: 3, image: "a:1"}
  name: first
- scale: {replicas: 2}
  name: less
- scale: {replicas: 1}
  name: less
- scale: {replicas: 0}
  name: "less: all of it"
- scale: {replicas: 2}
  name: setImage
- setImage: {image: "a:2"}
- setImage: {image: "a:3"}
  name: last
`},
	{"a drain", `
nodes: 3
steps:
- create: {name: web, replicas: 3, image: "a:1"}
- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}}
- drain: node-2
`},
	{"two sets, a drain and a budget", `
nodes: 3
steps:
- create: {name: a, replicas: 3, image: "a:1"}
- create: {name: b, replicas: 1, image: "a:1"}
- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a}, spec: {maxUnavailable: 1, selector: {matchLabels: {app: a}}}}
- drain: node-2
`},
	{"a drain that does not end", `
nodes: 3
until: 1h
steps:
- create: {name: web, replicas: 3, image: "a:1"}
- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}}
- drain: node-2
`},
	{"claims", `
steps:
- create:
    name: web
    replicas: 2
    image: "a:1"
    volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
- scale: {replicas: 1}
`},
	{"a slow rollout", `
steps:
- create: {name: web, replicas: 2, image: "a:1", minReadySeconds: 90}
- setImage: {image: "a:2"}
`},
	{"a rollout of ten seconds", "kubelet: {start: 1s, ready: 4s}\nsteps:\n- create: {name: web, replicas: 2, image: \"a:1\"}\n"},
	{"no pods", "steps:\n- create: {name: web, replicas: 0, image: \"a:1\"}\n"},
	{"a set that is deleted", "steps:\n- create: {name: web, replicas: 2, image: \"a:1\"}\n- delete: statefulset/web\n"},
	{"a run that is cut off", "until: 4s\nsteps:\n- create: {name: web, replicas: 5, image: \"a:1\"}\n"},
	{"what it has already, in other words", `
steps:
- create: {name: web, replicas: 2, image: "a:1"}
expect:
- {during: create, ascending: '@1 Ready'}

- completes:
    within: "10s"
# The end.
`},
	{"keys behind the expectations", `
expect:
  - ends: settled

# what happens
steps:
- create: {name: web, replicas: 1, image: "a:1"}
`},
	{"a key right behind the expectations", "expect:\n  - ends: settled\n  - completes: {}\nsteps:\n- create: {name: web, replicas: 1, image: \"a:1\"}\n"},
	{"an empty key", "steps:\n- create: {name: web, replicas: 1, image: \"a:1\"}\nexpect:\n\nuntil: 1h\n"},
	{"stuck", `
kubelet: {rules: [{match: {image: "a:2"}, start: never}]}
steps:
- create: {name: web, replicas: 2, image: "a:1"}
- setImage: {image: "a:2"}
`},
	{"two sets", `
steps:
- create: {name: a, replicas: 1, image: "a:1"}
- create: {name: b, replicas: 3, image: "a:1", podManagementPolicy: Parallel}
- scale: {statefulset: b, replicas: 1}
  name: less
`},
	{"others delete as well", `
steps:
- create: {name: web, replicas: 3, image: "a:1"}
- setImage: {image: "a:2"}
- {after: 1s, delete: pod/web-0}
`},
	{"refused", `
steps:
- create: {name: web, replicas: 1, image: "a:1"}
- patch: {spec: {serviceName: other}}
`},
	{"a last line that has no end", "steps:\n- create: {name: web, replicas: 1, image: \"a:1\"}\nexpect:\n- ends: settled"},
}

// TestSaved shows the expectations that are added for all kinds of runs: testdata/saved.txt. They hold.
func TestSaved(t *testing.T) {
	var text strings.Builder
	for _, c := range runs {
		test, added := saved(t, "s.yaml", []byte(c.text))
		require.True(t, parsed(t, "s.yaml", test).Run(scenario.RunOptions{}).Held(), "%s\n%s", c.name, test)
		fmt.Fprintf(&text, "# %s\n\n%s\n%d more\n\n", c.name, strings.Trim(string(test), "\n"), added)
	}
	goldenfile.Equal(t, "testdata/saved.txt", text.String())
}

// TestNoScenario: what is no scenario in lines of its own cannot take expectations.
func TestNoScenario(t *testing.T) {
	for text, says := range map[string]string{
		"": "a scenario is not a mapping", "- a\n": "a scenario is not a mapping", "a: [\n": "did not find expected node content",
		"{steps: []}": "write its keys in lines of their own", "steps: []\nexpect: [completes: {}]\n": "line 2: the expectations are written in flow",
	} {
		_, _, err := save.Test([]byte(text), []string{"completes: {}"})
		require.ErrorContains(t, err, says)
	}
	for line, more := range map[string]int{"order: [a, b]": 0, "order: [a, c]": 1, "order: [b, a]": 1, "order: [a]": 1, "{order: ['a', b]}": 0} {
		_, added, err := save.Test([]byte("steps: []\nexpect:\n  - order: [a, b]\n"), []string{line})
		require.NoError(t, err)
		require.Equal(t, more, added, line)
	}
	test, added, err := save.Test([]byte("steps: []\r\n\r\n"), []string{"completes: {}", "order: [a]\nduring: b"})
	require.NoError(t, err)
	require.Equal(t, 2, added)
	require.Contains(t, string(test), "expect:\n  - completes: {}\n  - order: [a]\n    during: b\n")
}
