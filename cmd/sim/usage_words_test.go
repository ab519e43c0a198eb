package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestUsageWords: a command line that means nothing ends with the code for that, and says what would be right.
func TestUsageWords(t *testing.T) {
	set := filepath.Join(t.TempDir(), "web.yaml")
	require.NoError(t, os.WriteFile(set, []byte("steps:\n- create: {name: web, replicas: 1, image: \"a:1\"}\n"), 0o644))
	for line, says := range map[string]string{
		"explore --shard 3/3 web.yaml":                        "I/N with I from 0 to N-1, and N of at most 16",
		"explore --shard 0/17 web.yaml":                       "is not a shard",
		"explore --shard -1/3 web.yaml":                       "is not a shard",
		"explore --shard 1 web.yaml":                          "is not a shard",
		"explore --shard 1/x web.yaml":                        "is not a shard",
		"explore --promise nothing web.yaml":                  `there is no promise "nothing": the promises are`,
		"explore --no-promise nothing web.yaml":               `there is no promise "nothing"`,
		"explore --promise stays --no-promise stays web.yaml": "no promise is left that a run could break",
		"explore --deviations -1 web.yaml":                    "--deviations, --runs and -j must be at least 1",
		"explore --runs 0 web.yaml":                           "--runs and -j must be at least 1",
		"explore -j 0 web.yaml":                               "--runs and -j must be at least 1",
		"explore --waive nothing web.yaml":                    `there is no known trap "nothing"`,
		"explore --replay sx1.x.y web.yaml web.yaml":          "--replay plays one run: name one file and one version",
		"sweep --runs 0 web.yaml":                             "--runs must be from 1 to",
		"sweep -j 0 web.yaml":                                 "-j at least 1",
		"sweep --require held web.yaml":                       "is not a requirement",
		"test --timeout -1s web.yaml":                         "a timeout must not be negative",
		"test -j 0 web.yaml":                                  "-j",
		"run --max-memory much web.yaml":                      "is not a size",
		"run --max-memory -1 web.yaml":                        "is not a size",
		"run --max-memory 99999999999GiB web.yaml":            "is not a size",
		"run --max-file-size 9MB web.yaml":                    "write a whole number of bytes, or one like 512MiB or 2GiB",
		"run --max-memory 1.5GiB web.yaml":                    "write a whole number of bytes, or one like 512MiB or 2GiB",
		"run --save-as-test=x web.yaml web.yaml":              "sim run --save-as-test=FILE SCENARIO",
		"plan --quorum -1 web.yaml web.yaml":                  "--quorum must be at least 0",
		"check --max-depth 0 web.yaml web.yaml":               "a limit must be at least 1",
		"compare --until -1s web.yaml web.yaml":               "a run cannot end before it begins",
		"explain --until -1s web.yaml":                        "a run cannot end before it begins",
		"explore --until -1s web.yaml":                        "a run cannot end before it begins",
		"sweep --max-nodes 0 web.yaml":                        "a limit must be at least 1",
		"init --max-nodes 0 web.yaml":                         "a limit must be at least 1",
		"run --kubernetes 1.36,1.37 --max-nodes 0 web.yaml":   "a limit must be at least 1",
		"test --max-nodes 0 web.yaml":                         "a limit must be at least 1",
		"plan --max-nodes 0 web.yaml web.yaml":                "a limit must be at least 1",
		"upgrade --from 1.36 --to 1.37 --max-cost 0 web.yaml": "a limit must be at least 1",
		"sweep - -":                           "standard input, which can only be read once",
		"explore --job 2 --matrix 2 web.yaml": "--job and --matrix do not go together",
		"run --sed 1 web.yaml":                "unknown flag: --sed: did you mean --seed?",
		"plan --requires x web.yaml web.yaml": "unknown flag: --requires: did you mean --require?",
		"plan -o md web.yaml web.yaml":        "did you mean markdown? Choose one of text, ",
		"run -o htm web.yaml":                 "did you mean html? Choose one of text, ",
		"run --color alwys web.yaml":          "did you mean always? Choose one of ",
		"test -o junit web.yaml":              "-o junit: what it writes is named by --junit",
		"atlas hot-lop":                       `there is no trap "hot-lop": did you mean hot-loop? It must be one of `,
		"init --kubernetes 9.9 web.yaml":      `--kubernetes: no Kubernetes version "9.9"`,
	} {
		code, out, err := call(t, command.Simulator, "", strings.Split(strings.ReplaceAll(line, "web.yaml", set), " ")...)
		require.Equal(t, cli.ExitUsage, code, "sim %s\n%s", line, err)
		require.Empty(t, out, line)
		require.Contains(t, err, says, line)
	}
}

// TestMemoryWords: an amount of memory is read in every unit, and shown in the largest in which it is whole.
func TestMemoryWords(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0GiB", "1": "1", "1024": "1KiB", "1KiB": "1KiB", "1Ki": "1KiB", "1536Mi": "1536MiB", "2048MiB": "2GiB", "2Gi": "2GiB", "3GiB": "3GiB",
		"8589934591GiB": "8589934591GiB", "1025": "1025",
	} {
		var bytes int64
		flag := cli.BytesFlag(&bytes)
		require.NoError(t, flag.Set(text), text)
		require.Equal(t, want, flag.String(), text)
	}
}

// TestExploreWords: the command that is printed for a finding has the promises that were asked for, and finds it again.
func TestExploreWords(t *testing.T) {
	set := filepath.Join(t.TempDir(), "web.yaml")
	require.NoError(t, os.WriteFile(set, []byte("kubernetes: \"1.37\"\nsteps:\n- create: {name: web, replicas: 3, image: \"a:1\", podManagementPolicy: Parallel, "+
		"updateStrategy: {type: RollingUpdate}, minReadySeconds: 30}\n- setImage: {image: \"a:2\"}\n"), 0o644))
	for args, words := range map[string]string{
		"": "sim explore ", "--all": "sim explore --all ", "--promise keeps-serving": "sim explore --promise keeps-serving ",
		"--kubernetes 1.36,1.37": "sim explore --kubernetes 1.3",
	} {
		line := append([]string{"explore", "--runs", "60", "--color", "never"}, strings.Fields(args)...)
		code, out, err := call(t, command.Simulator, "", append(line, set)...)
		require.Equal(t, cli.ExitFailed, code, "%s\n%s", args, err)
		at := strings.Index(out, words)
		require.GreaterOrEqual(t, at, 0, "%s\n%s", args, out)
		printed, _, _ := strings.Cut(out[at:], "\n")
		again := strings.Fields(strings.ReplaceAll(printed, "'", ""))[1:]
		_, replayed, err := call(t, command.Simulator, "", again...)
		require.NotEmpty(t, replayed, "%s\n%s", printed, err)
	}
}
