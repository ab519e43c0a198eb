//go:build linux

package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
)

// TestRoughInputs: each input that has once hung, or ended as a defect, plays or ends with a clear error, within two
// seconds of CPU and 300 MB.
func TestRoughInputs(t *testing.T) {
	folder, err := filepath.Abs("../../../shared/field4/rough")
	require.NoError(t, err)
	inputs, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	if len(inputs) == 0 {
		t.Skip("the inputs are not there")
	}
	besideSim(t)
	t.Chdir(t.TempDir())
	for _, input := range inputs {
		lines := []string{"run", "test", "check", "explain", "plan web.yaml", "serve --replay", "save"}
		if strings.HasSuffix(input, ".jsonl") {
			lines = append(lines, "serve -o html --replay", "serve -o json --replay", "follow web --replay", "expand", "init --write -")
		}
		for _, line := range lines {
			args := append(strings.Fields(line), input)
			if line == "serve --replay" && strings.HasSuffix(input, ".yaml") {
				continue
			}
			run := exec.Command("sh", append([]string{"-c", `ulimit -d 307200; exec sim "$@"`, "sim"}, args...)...)
			var out, stderr bytes.Buffer
			run.Stdout, run.Stderr = &out, &stderr
			began := time.Now()
			_ = run.Run()
			code := run.ProcessState.ExitCode()
			name := "sim " + strings.Join(args, " ")
			require.LessOrEqual(t, code, cli.ExitUsage, "%s: %s", name, stderr.String())
			require.GreaterOrEqual(t, code, 0, "%s was killed", name)
			require.NotContains(t, stderr.String(), "internal error", name)
			require.NotContains(t, stderr.String(), "out of memory", name)
			if code == cli.ExitUsage {
				require.NotEmpty(t, stderr.String()+out.String(), name)
			}
			require.Less(t, run.ProcessState.UserTime()+run.ProcessState.SystemTime(), 2*time.Second, "%s took %s", name, time.Since(began))
		}
	}
}
