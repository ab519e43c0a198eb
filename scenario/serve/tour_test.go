package serve_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// TestKubectl walks a real kubectl through testdata/tour/kubectl.golden, whose lines that begin with $ are the commands: the
// file reads as a session of kubectl 1.37. Where another version prints something else, testdata/tour/kubectl-1.29.golden
// has the command with that. SIM_KUBECTL names the kubectl; without it the test is skipped.
func TestKubectl(t *testing.T) {
	kubectl := os.Getenv("SIM_KUBECTL")
	if kubectl == "" {
		t.Skip("SIM_KUBECTL names no kubectl")
	}
	c := &cluster{t: t, kubectl: kubectl, wake: make(chan struct{}, 1)}
	c.start()
	const golden = "testdata/tour/kubectl.golden"
	before, err := os.ReadFile(golden)
	require.NoError(t, err)
	version := c.version()
	said := told(string(before))
	n := 0
	var all, differs strings.Builder
	for line := range strings.Lines(string(before)) {
		if strings.HasPrefix(line, "# ") {
			all.WriteString("\n" + line)
		}
		if command, is := strings.CutPrefix(line, "$ "); is {
			out := c.run(strings.TrimSpace(command))
			fmt.Fprintf(&all, "%s%s", line, out)
			if out != said[n] {
				fmt.Fprintf(&differs, "%s%s", line, out)
			}
			n++
		}
	}
	if version == newest {
		goldenfile.Equal(t, golden, strings.TrimPrefix(all.String(), "\n"))
		return
	}
	goldenfile.Equal(t, "testdata/tour/kubectl-"+version+".golden", differs.String())
}

// newest is the version of kubectl whose session the golden file is.
const newest = "1.37"

// told returns what each command of a session prints.
func told(session string) []string {
	var all []string
	for part := range strings.SplitSeq("\n"+strings.TrimSuffix(session, "\n"), "\n$ ") {
		_, out, _ := strings.Cut(part+"\n", "\n")
		out, _, _ = strings.Cut("\n"+out, "\n\n# ")
		out = strings.TrimPrefix(out, "\n")
		if out != "" && !strings.HasSuffix(out, "\n") {
			out += "\n"
		}
		all = append(all, out)
	}
	return all[1:]
}

// version returns the minor version of the kubectl. One that was built from its module does not know it: that is the newest,
// unless SIM_KUBECTL_VERSION says which.
func (c *cluster) version() string {
	if said := os.Getenv("SIM_KUBECTL_VERSION"); said != "" {
		return said
	}
	found := regexp.MustCompile(`Client Version: v(1\.[1-9]\d+)`).FindStringSubmatch(c.run("kubectl version --client"))
	if found == nil {
		return newest
	}
	return found[1]
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
		config.When = when
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
	// Its name is that of its user agent, and so of a manager of fields.
	require.NoError(c.t, os.Symlink(c.kubectl, filepath.Join(filepath.Dir(c.kubeconfig), "kubectl")))
	require.NoError(c.t, os.WriteFile(c.kubeconfig, fmt.Appendf(nil,
		"apiVersion: v1\nkind: Config\ncurrent-context: sim\n"+
			"clusters: [{name: sim, cluster: {server: %q}}]\ncontexts: [{name: sim, context: {cluster: sim, user: sim}}]\n"+
			"users: [{name: sim, user: {token: x}}]\n", listener.URL), 0o600))
}

// run runs a line in a shell and returns what it prints, once the cluster has settled.
func (c *cluster) run(line string) string {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir = "testdata/tour"
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(c.kubeconfig)+":"+os.Getenv("PATH"), "KUBECONFIG="+c.kubeconfig, "HOME="+c.t.TempDir(),
		"KUBECACHEDIR="+c.t.TempDir(),
		"KUBECTL_REMOTE_COMMAND_WEBSOCKETS=true")
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
