//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// endless are commands that take much longer than anybody waits for them, in each way of spending the time: reading,
// playing, searching, telling, and waiting for somebody who types.
var endless = []string{
	"run huge.yaml", "run -o html huge.yaml", "run -o json huge.yaml", "run -o jsonl huge.yaml", "run -o watch huge.yaml",
	"run --kubernetes 1.36,1.37 huge.yaml", "run --save-as-test=saved.yaml huge.yaml", "run -",
	"test -j 1 huge.yaml huge2.yaml", "test --html pages --junit junit.xml huge.yaml", "check - huge.yaml",
	"compare --with spec.replicas=3 huge.yaml", "compare huge.yaml huge2.yaml", "explain huge.yaml",
	"explain --kubernetes 1.36,1.37 huge.yaml", "explain - two.yaml",
	"explore --all --runs 1000000 small.yaml", "explore -o json --all --runs 1000000 small.yaml",
	"explore -o html --all --runs 1000000 small.yaml", "explore huge.yaml", "explore old.yaml new.yaml",
	"sweep --runs 1000000 small.yaml", "sweep -o json --runs 1000000 small.yaml", "sweep huge.yaml",
	"plan old.yaml new.yaml", "plan -o html old.yaml new.yaml", "plan - new.yaml",
	"upgrade --from 1.16 --to 1.37 old.yaml", "upgrade - --to 1.37",
	"init --write first.yaml old.yaml", "init -", "atlas", "atlas -o json", "learn 2", "merge -",
	"expand -",
}

// TestMoments ends each of these commands at many moments, with Ctrl-C and with SIGTERM: it does not hang, and ends
// with the exit code of the signal, without a word of a defect, and what it prints as JSON is whole. INTERRUPTIONS=20 tries
// so many moments for each; without it there is one for some.
func TestMoments(t *testing.T) {
	folder(t)
	writeMany(t)
	moments, step := 1, 6
	if n, err := strconv.Atoi(os.Getenv("INTERRUPTIONS")); err == nil {
		moments, step = n, 1
	}
	for i := 0; i < len(endless); i += step {
		line := endless[i]
		for m := range moments {
			after := time.Duration(20+(m*m*m*40+i*37)%3000) * time.Millisecond
			signal := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[m%2]
			t.Run(fmt.Sprintf("%s after %s", line, after), func(t *testing.T) { endAfter(t, line, after, signal) })
		}
	}
}

// patient is how long a command may take on a machine that does other things too.
const patient = time.Minute

// endAfter runs a command, sends it a signal, and looks at how it ends.
func endAfter(t *testing.T, line string, after time.Duration, signal syscall.Signal) {
	cmd := exec.Command("sim", strings.Fields(line)...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	defer stdin.Close()
	require.NoError(t, cmd.Start())
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	select {
	case <-over:
		t.Skip("it had ended before")
	case <-time.After(after):
	}
	if errors.Is(cmd.Process.Signal(signal), os.ErrProcessDone) {
		t.Skip("it had ended before")
	}
	select {
	case err = <-over:
	case <-time.After(patient):
		require.NoError(t, cmd.Process.Kill())
		<-over
		require.Fail(t, "it did not end")
	}
	require.NotContains(t, stderr.String(), "goroutine")
	var exit *exec.ExitError
	if status := syscall.WaitStatus(0); errors.As(err, &exit) {
		status = exit.Sys().(syscall.WaitStatus)
		if status.Signaled() {
			require.Equal(t, signal, status.Signal(), "nobody listens yet")
			return
		}
		require.Equal(t, 128+int(signal), status.ExitStatus(), stderr.String())
	} else if err == nil {
		require.Contains(t, []string{"atlas", "plan"}, strings.Fields(line)[0], "only these may have come to their end meanwhile")
	}
	if strings.Contains(line, "-o json ") && out.Len() > 0 {
		require.True(t, json.Valid(out.Bytes()))
	}
}

// writeMany writes what the commands read.
func writeMany(t *testing.T) {
	huge := `steps: [{create: {name: web, replicas: 50000, image: "a:1"}}, {setImage: {image: "a:2"}}]
expect: [{ends: settled}]
`
	small := `kubernetes: "1.27"
steps:
- create: {name: web, replicas: 4, image: "a:1", podManagementPolicy: Parallel, minReadySeconds: 5}
- setImage: {image: "a:2"}
`
	var manifests [2]strings.Builder
	for i := range 400 {
		for v := range manifests {
			fmt.Fprintf(&manifests[v], `---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web-%[1]d}
spec:
  serviceName: web
  replicas: 4
  selector: {matchLabels: {app: web-%[1]d}}
  template:
    metadata: {labels: {app: web-%[1]d}}
    spec: {containers: [{name: a, image: "a:%[2]d", resources: {requests: {cpu: %[1]dm}}}]}
`, i+1, v)
		}
	}
	was, next := manifests[0].String(), manifests[1].String()
	for name, text := range map[string]string{
		"huge.yaml": huge, "huge2.yaml": huge, "small.yaml": small, "old.yaml": was, "new.yaml": next, "two.yaml": was,
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}
