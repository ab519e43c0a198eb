package expect_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

const threePods = "- create: {name: web, replicas: 3, image: \"app:v1\"}\n"

// played are small scenarios with what is expected of them: some of it holds, and most fails in a way of its own.
var played = []struct{ name, text, expect string }{
	{"exactly, with one event too many, and with too few", threePods,
		"- exactly: {states: [Ready], is: [\"web-? Ready\", \"web-? Ready\"]}\n" +
			"- exactly: {states: [Ready], is: [\"web-? Ready\", \"web-1 Ready\", \"web-? Ready\", \"web-3 Ready\"]}\n" +
			"- exactly: {states: [Ready], is: [\"web-0 Ready\", \"web-2 Ready\", \"web-1 Ready\"]}\n" +
			"- exactly: {states: [Ready], is: [[\"web-2 Ready\", \"web-? Ready\", \"web-1 Ready\"]]}\n" +
			"- exactly: {states: [Ready], is: [[\"web-2 Ready\", \"web-1 Ready\"], \"web-0 Ready\"]}\n" +
			"- exactly: {states: [Ready], is: []}\n- exactly: {states: [Ready, Gone], during: 1, is: [\"web-9 Ready\"]}\n"},
	{"what Helm waits for, without a block rollingUpdate", "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, " +
		"spec: {replicas: 2, serviceName: web, updateStrategy: {type: RollingUpdate}, selector: {matchLabels: {app: web}}, " +
		"template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"app:v1\"}]}}}}\n" +
		"- setImage: {image: \"app:v2\"}\n  name: update\n",
		"- helmWait: {since: update, within: 3s}\n- helmWait: {since: update, within: 3s, helm: 3}\n- helmWait: {since: update}\n" +
			"- helmWait: {since: 1, within: 1s}\n- completes: {within: 1s}\n- completes: {since: 1, within: 6s}\n"},
	{"what Helm waits for, under a partition", "- create: {name: web, replicas: 3, image: \"app:v1\", " +
		"updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}}\n- setImage: {image: \"app:v2\"}\n- scale: {replicas: 1}\n",
		"- helmWait: {since: 2, within: 1s}\n- helmWait: {since: 2, within: 4s}\n- helmWait: {since: 3, within: 1s}\n" +
			"- helmWait: {since: 3, within: 1s, helm: 3}\n- completes: {since: 2}\n- helmWait: {within: 0s}\n"},
	{"a drain that ends, and one of a node that nobody drains", "- create: {name: web, replicas: 2, image: \"app:v1\"}\n" +
		"- drain: node-1\n  name: first\n- drain: node-2\n  name: second\n",
		"- drained: {node: node-1}\n- drained: {node: node-9}\n- drained: {node: node-1, since: second}\n- drained: {node: node-2, since: second}\n" +
			"- drained: {node: \"node-?\", since: first}\n- drained: {within: 1s}\n- drained: {since: 9}\n"},
	{"a drain that a budget stops", "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
		"spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}}\n" + threePods + "- drain: node-2\n- uncordon: node-2\n",
		"- drained: {}\n- drained: {node: node-2, since: 3, within: 10s}\n- budget: web\n- ends: settled\n" +
			"- budget: {name: web, since: 3}\n- budget: db\n"},
	{"a budget that a rollout does not ask", "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
		"spec: {minAvailable: 3, selector: {matchLabels: {app: web}}}}\n" + threePods + "- setImage: {image: \"app:v2\"}\n",
		"- budget: web\n- budget: {name: web, since: 3}\n- budget: {name: web, since: 2}\n"},
	{"two sets", threePods + "- create: {name: db, replicas: 1, image: \"db:1\"}\n- delete: statefulset/web\n",
		"- always: \"sets['default/web'].serving + sets['default/db'].serving < 4\"\n- always: \"sets.all(k, sets[k].serving > 0)\"\n" +
			"- eventually: \"sets['default/db'].serving > 1\"\n- check: {at: 4s, that: \"sets['default/web'].pods.size() == 9\"}\n" +
			"- check: {at: settled, that: \"size(sets) == 2\"}\n- count: {of: \"* Pending\", is: 3}\n- completes: {}\n  for: web\n"},
	{"loops of conditions", threePods,
		"- always: \"pods.filter(p, p.ready).size() <= 2\"\n- always: \"pods.map(p, p.name).size() < 3\"\n" +
			"- always: \"pods.exists_one(p, p.name == 'web-1')\"\n- eventually: \"pods.map(p, [p.name, p.image]).size() == 4\"\n" +
			"- eventually: \"pods.all(p, p.ready && p.restarts == 1)\"\n- check: {at: 1s, that: \"pods.map(p, p.ordinal + 1) == [2]\"}\n"},
	{"a run that is cut off by its limit", "- create: {name: web, replicas: 3, image: \"app:v1\"}\n- after: 5s\n  scale: {replicas: 9}\n",
		"- completes: {}\n- ends: settled\n- eventually: \"serving == 9\"\n- order: [\"web-2 Ready\", \"web-1 Ready\"]\n" +
			"- stuck: {pod: web-3}\n- never: \"web-[3-9] Ready\"\n- descending: \"web-* Pending\"\n- check: {at: 2, that: \"serving == 3\"}\n"},
	{"names", "- apply: {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {clusterIP: None, selector: {app: web}, " +
		"ports: [{name: http, port: 80}]}}\n- create: {name: web, replicas: 2, image: \"app:v1\"}\n- delete: pod/web-1\n",
		"- resolves: {name: web-1.web, at: 1s, to: [web-1]}\n- resolves: {name: web, to: [web-0]}\n- resolves: {name: web, to: [web-0, web-1]}\n" +
			"- resolves: {name: web-1.web, at: 3, to: []}\n- resolves: {name: nobody.web, to: []}\n- resolves: {name: elsewhere, to: [web-0]}\n"},
}

// TestPlayed: what users are told of expectations, in testdata/played.golden.
func TestPlayed(t *testing.T) {
	var b strings.Builder
	for _, p := range played {
		fmt.Fprintf(&b, "# %s\n\n", p.name)
		until := ""
		if strings.Contains(p.name, "cut off") {
			until = "until: 8s\n"
		}
		for _, one := range strings.Split(strings.TrimPrefix(p.expect, "- "), "\n- ") {
			text := "kubernetes: \"1.37\"\n" + until + "steps:\n" + p.text + "expect:\n- " + strings.TrimSuffix(one, "\n") + "\n"
			fmt.Fprintf(&b, "- %s\n", strings.TrimSuffix(one, "\n"))
			s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
			if err != nil {
				fmt.Fprintf(&b, "  refused: %v\n\n", err)
				continue
			}
			o := s.Run(scenario.RunOptions{})
			for _, v := range o.Verdicts {
				fmt.Fprintf(&b, "  %s", v.Outcome)
				for _, lines := range [][]string{{v.Detail}, prefixed("- ", v.Expected), prefixed("+ ", v.Got), prefixed("| ", v.Around)} {
					for _, line := range lines {
						if line != "" {
							fmt.Fprintf(&b, "\n    %s", line)
						}
					}
				}
				b.WriteString("\n")
			}
			b.WriteString("\n")
		}
	}
	const golden = "testdata/played.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "go test ./scenario/expect -run Played -update writes it: read the diff")
}

func prefixed(mark string, lines []string) []string {
	var list []string
	for _, line := range lines {
		list = append(list, mark+line)
	}
	return list
}
