package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

const dumpOfOne = `apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: web, namespace: default, uid: 11111111-2222-3333-4444-555555555555, generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z"}
  spec:
    replicas: 1
    selector: {matchLabels: {app: web}}
    template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:v1"}]}}
  status: {observedGeneration: 1, replicas: 1, readyReplicas: 0, currentRevision: web-1, updateRevision: web-1}
`

// inputs goes to a folder with a small file of each kind that commands read.
func inputs(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write := func(name, text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o644)) }
	write("fine.yaml", diskScenario)
	write("stuck.yaml", diskStuck)
	write("checked.yaml", diskScenario+"expect:\n  - always: \"serving >= 0\"\n")
	write("old.yaml", diskSet)
	write("new.yaml", strings.Replace(diskSet, "app:v1", "app:v2", 1))
	write("dump.yaml", dumpOfOne)
	write("text.txt", "text\n")
	require.NoError(t, os.Mkdir("empty", 0o755))
	for file, line := range map[string]string{
		"timeline.jsonl": "run -o jsonl fine.yaml",
		"explore.json":   "explore -o json --shard 0/2 --runs 20 fine.yaml",
		"sweep.json":     "sweep -o json --shard 0/2 --runs 4 fine.yaml",
	} {
		code, out, errors := call(t, command.Simulator, "", strings.Fields(line)...)
		require.Less(t, code, cli.ExitUsage, errors)
		write(file, out)
	}
}

// TestWrongLines: what a command line asks for that cannot be is said before anything is printed, with exit code 2.
func TestWrongLines(t *testing.T) {
	inputs(t)
	const (
		version, gate, gone = `no Kubernetes version "1.99": sim knows 1.16, `, "feature gate X is not known in Kubernetes 1.3", ": there is no such file"
		empty, shard        = "empty: there is no *.json, *.yaml or *.yml in this folder", "is not a shard: a shard is I/N with I from 0 to N-1"
		most                = "--deviations, --runs and -j must be at least 1"
		bounds              = "--quorum must be at least 0, and --runs from 1 to 100000"
		seeds               = "--runs must be from 1 to 10000000, and -j at least 1"
		delay               = `--start: "soon" is not a duration: write one like 90s`
		ownTimes            = "are for a dump of a live cluster: stuck.yaml is a scenario, which has its own times"
		named               = "name one lesson by its number"
	)
	for _, c := range []struct{ line, says string }{
		{"atlas --kubernetes 1.99", version},
		{"versions 1.99 1.37", version},
		{"check nowhere.jsonl fine.yaml", "nowhere.jsonl" + gone},
		{"check timeline.jsonl nowhere.yaml", "nowhere.yaml" + gone},
		{"check text.txt fine.yaml", "text.txt:1: this is not a timeline"},
		{"compare nowhere.yaml fine.yaml", "nowhere.yaml: the file cannot be read"},
		{"compare --kubernetes 1.99 fine.yaml fine.yaml", version},
		{"compare --with replicas=3 nowhere.yaml", "nowhere.yaml: the file cannot be read"},
		{"compare --with nothing=3 fine.yaml", "--with nothing: this is not a field of a StatefulSet's spec"},
		{"compare -j 0 fine.yaml fine.yaml", "-j must be at least 1"},
		{"expand nowhere.yaml", "nowhere.yaml" + gone},
		{"expand --kubernetes 1.99 fine.yaml", version},
		{"explain nowhere.yaml", "nowhere.yaml: the file cannot be read"},
		{"explain --at=-1s fine.yaml", "--at -1s: nothing happens before 0s"},
		{"explain --kubernetes 1.99 fine.yaml", version},
		{"explain --start 5s stuck.yaml", ownTimes},
		{"explain --recording timeline.jsonl stuck.yaml", ownTimes},
		{"explain --now 2026-01-31T12:00:00Z stuck.yaml", ownTimes},
		{"explain --at 0s dump.yaml", "--at, --until and several versions are for scenarios"},
		{"explain --kubernetes 1.36,1.37 dump.yaml", "--at, --until and several versions are for scenarios"},
		{"explain --now soon dump.yaml", "--now soon: write a time like 2026-01-31T12:00:00Z"},
		{"explain dump.yaml nowhere.yaml", "nowhere.yaml" + gone},
		{"explain dump.yaml web", "web" + gone + ": write --pod web to explain only this pod or StatefulSet"},
		{"explain dump.yaml default/web", "default/web" + gone + ": write --pod default/web to explain only this pod or StatefulSet"},
		{"explain dump.yaml nothing-2", "nothing-2" + gone + ", and dump.yaml has nothing of that name"},
		{"plan -f old.yaml -f fine.yaml", "-f is for the values of a chart, with --helm: name the manifests without it: sim plan old.yaml fine.yaml"},
		{"test --junit empty", "--junit has taken empty for its file, so there is no PATH: sim test --junit report.xml empty"},
		{"init old.yaml -o json", "--write json: this flag names the file, and json is the name of a format: write -o rollout.yaml"},
		{"explain --kubernetes 1.99 dump.yaml", version},
		{"explain --feature-gates X=true dump.yaml", gate},
		{"explain --start soon dump.yaml", delay},
		{"explain --recording nowhere.json dump.yaml", "nowhere.json" + gone},
		{"explain --recording text.txt dump.yaml", "--recording text.txt:1:2: this is not JSON"},
		{"explain -n shp dump.yaml", "the dump has no StatefulSet in this namespace: namespaces with StatefulSets: default"},
		{"explain --pod nobody dump.yaml", "--pod: there is no pod nobody in the dump"},
		{"explain --pod elsewhere/web-0 dump.yaml", "--pod: there is no pod elsewhere/web-0 in the dump"},
		{"explore --shard 2/2 fine.yaml", shard},
		{"explore --shard -1/2 fine.yaml", shard},
		{"explore --shard 0/0 fine.yaml", shard},
		{"explore --shard 0/17 fine.yaml", shard},
		{"explore --shard a/2 fine.yaml", shard},
		{"explore --shard 1/b fine.yaml", shard},
		{"explore --deviations=-1 fine.yaml", most},
		{"explore --runs 0 fine.yaml", most},
		{"explore -j 0 fine.yaml", most},
		{"explore nowhere.yaml", "nowhere.yaml" + gone},
		{"explore --promise nope fine.yaml", `there is no promise "nope"`},
		{"explore --no-promise nope fine.yaml", `there is no promise "nope"`},
		{"explore --waive nope fine.yaml", `there is no known trap "nope"`},
		{"explore --kubernetes 1.99 fine.yaml", version},
		{"explore --replay nope fine.yaml", `--replay: "nope" is not a token`},
		{"explore --matrix 2 -", "the shards cannot read standard input: name files"},
		{"explore --job 17 fine.yaml", "a search has from 1 to 16 shards"},
		{"explore --job 0 fine.yaml", "a search has from 1 to 16 shards"},
		{"sweep --matrix=-1 fine.yaml", "a search has from 1 to 16 shards"},
		{"explore --write text.txt/x --runs 50 stuck.yaml", "text.txt: not a directory"},
		{"merge nowhere.json", "nowhere.json" + gone},
		{"merge text.txt", "text.txt:1:2: this is not JSON: give a report of sim explore or sim sweep -o json"},
		{"merge sweep.json explore.json", "explore.json:1:1: reports of sim sweep and of sim explore cannot be merged: this is not one of sim sweep"},
		{"merge explore.json sweep.json", "explore.json:1:1: reports of sim sweep and of sim explore cannot be merged: this is not one of sim sweep"},
		{"plan nowhere.yaml new.yaml", "nowhere.yaml" + gone},
		{"plan old.yaml nowhere.yaml", "nowhere.yaml" + gone},
		{"plan --quorum=-1 old.yaml new.yaml", bounds},
		{"plan --runs 0 old.yaml new.yaml", bounds},
		{"plan --runs 100001 old.yaml new.yaml", bounds},
		{"plan --recording nowhere.json old.yaml new.yaml", "nowhere.json" + gone},
		{"plan --recording text.txt old.yaml new.yaml", "--recording text.txt:1:2: this is not JSON"},
		{"plan --kubernetes 1.99 old.yaml new.yaml", version},
		{"plan --feature-gates X=true old.yaml new.yaml", gate},
		{"plan --require nope old.yaml new.yaml", `--require "nope" is not a requirement`},
		{"plan --show nope old.yaml new.yaml", "--show nope: this plan has no such case"},
		{"plan --start soon old.yaml new.yaml", delay},
		{"plan empty new.yaml", empty},
		{"plan old.yaml empty", empty},
		{"plan -j 0 old.yaml new.yaml", "-j must be at least 1"},
		{"sweep --runs 0 fine.yaml", seeds},
		{"sweep --runs 10000001 fine.yaml", seeds},
		{"sweep -j 0 fine.yaml", seeds},
		{"sweep --require nope fine.yaml", `--require "nope" is not a requirement`},
		{"sweep --kubernetes 1.99 fine.yaml", version},
		{"sweep --shard 2/2 fine.yaml", shard},
		{"sweep nowhere.yaml", "nowhere.yaml: the file cannot be read"},
		{"test --timeout=-1s fine.yaml", "--timeout -1s: a timeout must not be negative"},
		{"test -j 0 fine.yaml", "-j 0: -j must be at least 1"},
		{"test --html text.txt/x fine.yaml", "--html: "},
		{"upgrade --from 1.99 --to 1.37 old.yaml", version},
		{"upgrade --from 1.36 --to 1.99 old.yaml", version},
		{"upgrade --from 1.36 --to 1.37 nowhere.yaml", "nowhere.yaml" + gone},
		{"upgrade --from 1.36 --to 1.37 empty", empty},
		{"upgrade --from 1.36 --to 1.37 --feature-gates-from X=true old.yaml", gate},
		{"upgrade --from 1.36 --to 1.37 --feature-gates-to X=true old.yaml", gate},
		{"upgrade --from 1.36 --to 1.37 --show default/none old.yaml", "there is no StatefulSet default/none in the input"},
		{"upgrade --from 1.36 --to 1.37 -j 0 old.yaml", "-j must be at least 1"},
		{"run --save-as-test=text.txt/x fine.yaml", "text.txt/x: not a directory"},
		{"run --save-as-test text.txt", "text.txt:1:1: "},
		{"run --save-as-test nowhere.yaml", "nowhere.yaml: the file cannot be read"},
		{"run --no-history -o html fine.yaml", "use -o jsonl"},
		{"run --since=-1s fine.yaml", "--since -1s is before the run begins"},
		{"learn 0", "there is no lesson 0: the lessons are 1 to 11"},
		{"learn 12", "there is no lesson 12: the lessons are 1 to 11"},
		{"learn --lesson 0", "there is no lesson 0"},
		{"learn --lesson 12", "there is no lesson 12"},
		{"learn nothing", named},
		{"learn all", "all is for pages: sim learn all --report"},
		{"learn all --report --dir text.txt/x", "--dir: "},
	} {
		t.Run(c.line, func(t *testing.T) {
			code, out, errors := call(t, command.Simulator, "", strings.Fields(c.line)...)
			require.Equal(t, cli.ExitUsage, code, errors)
			require.Contains(t, errors, c.says)
			if !strings.HasPrefix(c.line, "explore --write") && !strings.HasPrefix(c.line, "run --save") {
				require.Empty(t, out)
			}
		})
	}
}

// TestLimitsAtTheEdge: each limit is at least 1.
func TestLimitsAtTheEdge(t *testing.T) {
	folder(t, "good.yaml")
	for _, flag := range []string{"replicas", "events", "cost", "depth", "nodes", "documents", "file-size", "duration"} {
		for value, says := range map[string]string{"0": "a limit must be at least 1", "1": ""} {
			if flag == "duration" {
				value += "s"
			}
			code, _, errors := call(t, new(fakeEngine).engine(), "", "run", "--max-"+flag+"="+value, "good.yaml")
			require.Contains(t, errors, says)
			require.Equal(t, says == "", code == cli.ExitOK, flag+" "+value)
		}
	}
}

// TestLinesAtTheEdge: the least and the most that the flags take are taken.
func TestLinesAtTheEdge(t *testing.T) {
	inputs(t)
	for _, line := range []string{
		"compare -j 1 fine.yaml fine.yaml", "explain --at 0s fine.yaml", "explain --now 2026-01-31T12:00:00Z dump.yaml",
		"explain --kubernetes 1.36 dump.yaml", "explain --start 5s dump.yaml",
		"explore --shard 1/2 --runs 1 fine.yaml", "explore --shard 15/16 --runs 1 fine.yaml", "explore --shard 0/1 --runs 1 fine.yaml",
		"explore --deviations 0 -j 1 --runs 1 --seed 7 fine.yaml", "explore --for 1h --runs 1 fine.yaml", "explore --random --runs 20 fine.yaml", "explore --job 16 fine.yaml",
		"explore --matrix 1 fine.yaml", "plan --quorum 0 --runs 1 -j 1 old.yaml new.yaml", "sweep --runs 1 -j 1 fine.yaml",
		"sweep --shard 1/2 --runs 4 --seed 3 fine.yaml", "test -j 1 --timeout 0s fine.yaml", "test --timeout 1h fine.yaml",
		"upgrade --from 1.36 --to 1.37 -j 1 old.yaml", "run --since 0s fine.yaml", "learn --no-pause 1", "learn --no-pause 10",
		"learn --no-pause --lesson 1", "learn --no-pause --lesson 10", "run --max-events 1000 fine.yaml",
	} {
		code, out, errors := call(t, command.Simulator, "", strings.Fields(line)...)
		require.Less(t, code, cli.ExitUsage, "%s: %s", line, errors)
		require.NotEmpty(t, out, line)
	}
}
