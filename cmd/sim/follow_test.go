package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestFollowServed follows the rollouts of a cluster that sim serves, by a real kubectl: SIM_KUBECTL is its path.
func TestFollowServed(t *testing.T) {
	kubectl := os.Getenv("SIM_KUBECTL")
	if kubectl == "" {
		t.Skip("SIM_KUBECTL names no kubectl")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "kubeconfig")
	require.NoError(t, os.Symlink(kubectl, filepath.Join(dir, "kubectl")))
	t.Setenv("PATH", dir)
	t.Setenv("KUBECONFIG", config)
	t.Chdir(dir)
	write := func(image string) {
		require.NoError(t, os.WriteFile("web.yaml", []byte(strings.ReplaceAll(servedSet, "IMAGE", image)), 0o644))
	}
	write("app:v1")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int)
	go func() {
		s := &streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard, ctx: ctx}
		ended <- Main([]string{"serve", "--epoch", "now", "--kubeconfig", config, "web.yaml"}, s, simulator)
	}()
	require.Eventually(t, func() bool { _, err := os.Stat(config); return err == nil }, 10*time.Second, 50*time.Millisecond)
	code, out, stderr := call(t, simulator, "", "follow", "web", "--every", "500ms", "--timeout", "1m")
	require.Equal(t, exitOK, code, out+stderr)
	require.Contains(t, out, "Complete after")
	write("app:v2")
	said, err := exec.Command(kubectl, "apply", "-f", "web.yaml").CombinedOutput()
	require.NoError(t, err, "%s", said)
	code, out, stderr = call(t, simulator, "", "follow", "sts/web", "--every", "500ms", "--timeout", "1m", "--record", "seen.jsonl")
	require.Equal(t, exitOK, code, out+stderr)
	require.Contains(t, out, "forecast: in this order web-1, web-0; complete in about")
	require.NotContains(t, out, "!")
	code, again, stderr := call(t, simulator, "", "follow", "web", "--replay", "seen.jsonl")
	require.Equal(t, exitOK, code, stderr)
	require.Equal(t, out, again, "a recording is followed as it was")
	code, out, stderr = call(t, simulator, "", "explain", "--live", "web")
	require.Equal(t, exitOK, code, out+stderr)
	require.Contains(t, out, "AT REST default/web (2 of 2)")
	stop()
	<-ended
}

const servedSet = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  serviceName: web
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: "IMAGE", readinessProbe: {tcpSocket: {port: 80}}}]
`
