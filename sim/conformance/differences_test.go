package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestSimulated is a player that plays cases with the simulated controller, of which the real one can be held to be another
// version.
func TestSimulated(t *testing.T) {
	cases := os.Getenv("CONFORMANCE_CASES")
	if cases == "" {
		t.Skip("for .ci/tasks/differences")
	}
	data, err := os.ReadFile(cases)
	require.NoError(t, err)
	known, err := ParseCases(data)
	require.NoError(t, err)
	var lines bytes.Buffer
	for _, c := range known {
		text := ""
		if profile, err := c.Profile(); err != nil {
			text = "error: " + err.Error()
		} else {
			events, err := c.Play(statefulset.New(profile))
			require.NoError(t, err)
			text = Record(events)
		}
		require.NoError(t, json.NewEncoder(&lines).Encode(text))
	}
	require.NoError(t, os.WriteFile(os.Getenv("CONFORMANCE_PLAYED"), lines.Bytes(), 0o644))
}

// kinds are the kinds of cases in which two versions are compared. Each makes a case of its kind of a plain one.
var kinds = []struct {
	name string
	of   func(*Case, draw)
}{
	{"plain", func(*Case, draw) {}},
	{"partition", ofPartition},
	{"surplus", ofSurplus},
	{"recreate", func(c *Case, _ draw) {
		c.FeatureGates = map[string]bool{"StatefulSetRecreateStrategy": true}
		c.Steps[0].Create["updateStrategy"] = map[string]any{"type": "Recreate"}
	}},
	{"refused", func(c *Case, d draw) { c.Refused = drawRefusals(d); c.oneClaim() }},
	{"claims", ofClaims},
}

// ofPartition has a budget beside a partition, and pods that are never Ready.
func ofPartition(c *Case, d draw) {
	block := map[string]any{"partition": d.between(1, 4), "maxUnavailable": pick[any](d, 1, 2, "25%", "50%", "100%")}
	create := c.Steps[0].Create
	create["replicas"], create["podManagementPolicy"] = d.between(3, 7), pick(d, "Parallel", "OrderedReady", "Parallel")
	create["updateStrategy"] = map[string]any{"type": "RollingUpdate", "rollingUpdate": block}
	if d.chance(2) {
		ordinal := d.below(5)
		c.Kubelet.Rules = append(c.Kubelet.Rules, Rule{Match: Match{Ordinal: &ordinal}, Times: Times{Ready: "never"}})
	}
	c.Steps = append(c.Steps[:1], Step{SetImage: &SetImage{setName, "app:v2"}})
}

// ofSurplus scales a Parallel set down while a pod is missing whose creation fails from the start; deletions may fail too.
func ofSurplus(c *Case, d draw) {
	create, replicas, later := c.Steps[0].Create, d.between(3, 7), pick(d, "10s", "3s", "700ms")
	create["replicas"], create["podManagementPolicy"] = replicas, "Parallel"
	lost := d.below(replicas - 1)
	c.Steps = append(c.Steps[:1], Step{After: &later, Scale: &Scale{setName, int32(d.between(lost+1, replicas-1))}})
	c.Refused = []Fault{{On: fmt.Sprintf("create pod %s-%d", setName, lost), Reason: pick(d, refusals...), Times: d.between(5, 90)}}
	if d.chance(2) {
		surplus := fmt.Sprintf("delete pod %s-%d", setName, replicas-1)
		c.Refused = append(c.Refused, Fault{On: surplus, Reason: pick(d, refusals...), Times: d.between(1, 9)})
	}
}

// ofClaims has claims and a retention policy, and claims whose creations fail.
func ofClaims(c *Case, d draw) {
	create := c.Steps[0].Create
	create["persistentVolumeClaimRetentionPolicy"] = map[string]any{
		"whenDeleted": pick(d, "Delete", "Retain"), "whenScaled": pick(d, "Delete", "Retain"),
	}
	create["volumeClaimTemplates"] = []any{map[string]any{"metadata": map[string]any{"name": "data"}}}
	if d.chance(2) {
		c.Refused = []Fault{{On: fmt.Sprintf("create claim data-%s-%d", setName, d.below(4)), Reason: pick(d, refusals...), Times: 2}}
	}
}

// TestDifferences writes the report of .ci/tasks/differences: what the players of two versions do differently.
func TestDifferences(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("DIFFERENCES_CASES"))
	if n == 0 {
		t.Skip("for .ci/tasks/differences")
	}
	seed, _ := strconv.Atoi(os.Getenv("CONFORMANCE_SEED"))
	var report bytes.Buffer
	fmt.Fprintf(&report, "# What %s does otherwise than %s\n\n| kind | cases | differ | with |\n| --- | --- | --- | --- |\n",
		filepath.Base(os.Getenv("DIFFERENCES_TO")), filepath.Base(os.Getenv("DIFFERENCES_FROM")))
	smallest := ""
	for _, kind := range kinds {
		draws := rapid.Custom(func(t *rapid.T) *Case {
			c := DrawCase(t, os.Getenv("DIFFERENCES_VERSION"))
			kind.of(c, draw{t})
			return c
		})
		cases := make([]*Case, n)
		for i := range cases {
			cases[i] = draws.Example(seed*n + i)
		}
		differ := differing(t, cases)
		for i := range differ[:min(len(differ), mostShrunk)] {
			differ[i] = shrunk(t, differ[i])
		}
		fmt.Fprintf(&report, "| %s | %d | %d | %s |\n", kind.name, n, len(differ), featuresOf(differ[:min(len(differ), mostShrunk)]))
		smallest += smallestOf(t, kind.name, differ[:min(len(differ), mostShrunk)])
	}
	report.WriteString(smallest)
	require.NoError(t, os.WriteFile(os.Getenv("DIFFERENCES_REPORT"), report.Bytes(), 0o644))
}

// mostShrunk is how many cases of each kind are made smaller, one after the other.
const mostShrunk = 8

// differing returns the cases that the two players play differently.
func differing(t *testing.T, cases []*Case) []*Case {
	from, to := played(t, "DIFFERENCES_FROM", cases), played(t, "DIFFERENCES_TO", cases)
	var differ []*Case
	for i := range cases {
		if from[i] != to[i] {
			differ = append(differ, cases[i])
		}
	}
	return differ
}

// played returns what a player records of each case.
func played(t *testing.T, player string, cases []*Case) []string {
	folder := t.TempDir()
	var lines bytes.Buffer
	for _, c := range cases {
		require.NoError(t, json.NewEncoder(&lines).Encode(c))
	}
	in, out := filepath.Join(folder, "cases"), filepath.Join(folder, "played")
	require.NoError(t, os.WriteFile(in, lines.Bytes(), 0o644))
	command := exec.Command(os.Getenv(player))
	command.Env = append(os.Environ(), "CONFORMANCE_CASES="+in, "CONFORMANCE_PLAYED="+out)
	text, err := command.CombinedOutput()
	require.NoError(t, err, string(text))
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	records := make([]string, len(cases))
	decoder := json.NewDecoder(bytes.NewReader(data))
	for i := range records {
		require.NoError(t, decoder.Decode(&records[i]))
	}
	return records
}

// shrunk makes a case smaller as long as the players differ in it: it takes the first of all smaller ones in each round.
func shrunk(t *testing.T, c *Case) *Case {
	for {
		differ := differing(t, smaller(c))
		if len(differ) == 0 {
			return c
		}
		c = differ[0]
	}
}

// smaller returns the cases that are one thing smaller than a case.
func smaller(c *Case) []*Case {
	var all []*Case
	with := func(change func(*Case)) {
		copied, err := ParseCase([]byte(c.String()))
		if err != nil {
			panic(err)
		}
		if change(copied); copied.String() != c.String() {
			all = append(all, copied)
		}
	}
	for i := 1; i < len(c.Steps); i++ {
		with(func(c *Case) { c.Steps = slices.Delete(c.Steps, i, i+1) })
		with(func(c *Case) { c.Steps[i].After = nil })
	}
	for i := range c.Kubelet.Rules {
		with(func(c *Case) { c.Kubelet.Rules = slices.Delete(c.Kubelet.Rules, i, i+1) })
	}
	for i := range c.Refused {
		with(func(c *Case) { c.Refused = slices.Delete(c.Refused, i, i+1) })
	}
	with(func(c *Case) { c.FeatureGates = nil })
	for _, key := range slices.Sorted(maps.Keys(c.Steps[0].Create)) {
		if key != "name" && key != "image" && key != "replicas" {
			with(func(c *Case) { delete(c.Steps[0].Create, key) })
		}
	}
	with(func(c *Case) {
		if replicas := c.Steps[0].Create["replicas"].(float64); replicas > 1 {
			c.Steps[0].Create["replicas"] = replicas - 1
		}
	})
	return all
}

// featuresOf counts what cases have, the most frequent first.
func featuresOf(cases []*Case) string {
	counts := map[string]int{}
	for _, c := range cases {
		for _, word := range []string{"Parallel", "OnDelete", "Recreate", "partition", "maxUnavailable", "%", "minReadySeconds", "ordinals",
			"volumeClaimTemplates", "RetentionPolicy", "create pod", "delete pod", "create claim", "update set", "revision *", `"scale"`,
			`"never"`, `"unready"`, `"fail"`} {
			if strings.Contains(c.String(), word) {
				counts[strings.Trim(word, `"`)]++
			}
		}
	}
	words := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	for i, word := range words {
		words[i] = fmt.Sprintf("%s %d", word, counts[word])
	}
	return strings.Join(words, ", ")
}

// smallestOf prints the smallest of cases, and where the versions part in it.
func smallestOf(t *testing.T, kind string, cases []*Case) string {
	if len(cases) == 0 {
		return ""
	}
	c := slices.MinFunc(cases, func(a, b *Case) int { return len(a.String()) - len(b.String()) })
	one := []*Case{c}
	parts := FirstDifference(played(t, "DIFFERENCES_FROM", one)[0], played(t, "DIFFERENCES_TO", one)[0])
	parts = strings.NewReplacer("ours:  ", "before:", "theirs:", "after: ").Replace(parts)
	return fmt.Sprintf("\n## %s\n\n```text\n%s\n```\n\n```json\n%s```\n", kind, parts, c)
}
