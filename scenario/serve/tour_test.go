package serve_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// TestKubectl walks a real kubectl through testdata/tour/kubectl.golden, whose lines that begin with $ are the
// commands. SIM_KUBECTL names a kubectl of 1.37, since each version words some of its lines in another way; without it
// the test is skipped.
func TestKubectl(t *testing.T) {
	kubectl := os.Getenv("SIM_KUBECTL")
	if kubectl == "" {
		t.Skip("SIM_KUBECTL names no kubectl 1.37")
	}
	c := &cluster{t: t, kubectl: kubectl, wake: make(chan struct{}, 1)}
	c.start()
	const golden = "testdata/tour/kubectl.golden"
	before, err := os.ReadFile(golden)
	require.NoError(t, err)
	var after bytes.Buffer
	for line := range strings.Lines(string(before)) {
		if command, is := strings.CutPrefix(line, "$ "); is {
			fmt.Fprintf(&after, "%s%s", line, c.run(strings.TrimSpace(command)))
		} else if strings.HasPrefix(line, "# ") {
			after.WriteString("\n" + line)
		}
	}
	goldenfile.Equal(t, golden, strings.TrimPrefix(after.String(), "\n"))
}

// cluster is a session that listens, and whose clock goes from event to event when its clients are quiet.
type cluster struct {
	t          *testing.T
	kubectl    string
	server     *serve.Server
	kubeconfig string
	wake       chan struct{}
}

func (c *cluster) start() {
	ctx, stop := context.WithCancel(context.Background())
	s := begin(c.t, func(config *serve.Config) {
		config.Speed, config.Lockstep, config.Now = clock.Max, 50*time.Millisecond, time.Now
		config.Wake = func() {
			select {
			case c.wake <- struct{}{}:
			default:
			}
		}
	})
	c.server = s.Server
	listener := httptest.NewServer(s)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			if d := s.Turn(); d > 0 {
				select {
				case <-ctx.Done():
				case <-c.wake:
				case <-time.After(d):
				}
			}
		}
	}()
	c.t.Cleanup(func() {
		stop()
		<-ended
		listener.CloseClientConnections()
		listener.Close()
	})
	c.kubeconfig = filepath.Join(c.t.TempDir(), "config")
	require.NoError(c.t, os.WriteFile(c.kubeconfig, fmt.Appendf(nil,
		"apiVersion: v1\nkind: Config\ncurrent-context: sim\n"+
			"clusters: [{name: sim, cluster: {server: %q}}]\ncontexts: [{name: sim, context: {cluster: sim, user: sim}}]\n"+
			"users: [{name: sim, user: {token: x}}]\n", listener.URL), 0o600))
}

// run runs a line in a shell and returns what it prints, once the cluster has settled.
func (c *cluster) run(line string) string {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", `kubectl() { "$SIM_KUBECTL" "$@"; }; `+line)
	cmd.Dir = "testdata/tour"
	cmd.Env = append(os.Environ(), "SIM_KUBECTL="+c.kubectl, "KUBECONFIG="+c.kubeconfig, "HOME="+c.t.TempDir(),
		"KUBECACHEDIR="+c.t.TempDir())
	out, err := cmd.CombinedOutput()
	text := string(out)
	if err != nil {
		text += fmt.Sprintf("(%v)\n", err)
	}
	s := session{t: c.t, Server: c.server}
	for s.must("GET", "/sim/clock", "")["settled"] != true {
		time.Sleep(20 * time.Millisecond)
	}
	return text
}
