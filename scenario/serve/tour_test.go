package serve_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// TestKubectl walks a real kubectl through testdata/tour/kubectl.golden, whose lines that begin with $ are the commands: the
// file reads as a session of kubectl 1.37. Where older versions print something else, that comes behind it. SIM_KUBECTL
// names the kubectl; without it the test is skipped. With -update, walk the newest kubectl first.
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
	var after strings.Builder
	for _, e := range exchanges(string(before)) {
		e.hear(version, c.run(e.command))
		after.WriteString(e.String())
	}
	goldenfile.Equal(t, golden, after.String())
}

// newest is the version of kubectl whose session the golden file is.
const newest = "1.37"

// older begins what a version of kubectl and those before it print.
var older = regexp.MustCompile(`^--- kubectl (1\.\d\d) and older\n$`)

// exchange is a command of a session, with the heading that comes before it, and what it prints, the newest kubectl first.
type exchange struct {
	heading, command string
	says             []answer
}

// answer is what the kubectl of a version prints, and those before it up to the next answer.
type answer struct{ version, text string }

// exchanges reads a session.
func exchanges(session string) (all []exchange) {
	heading := ""
	var last *exchange
	for line := range strings.Lines(session) {
		if command, is := strings.CutPrefix(line, "$ "); is {
			all = append(all, exchange{heading, command, []answer{{version: newest}}})
			heading, last = "", &all[len(all)-1]
			continue
		}
		if found := older.FindStringSubmatch(line); found != nil {
			last.says = append(last.says, answer{version: found[1]})
			continue
		}
		switch {
		case !strings.HasPrefix(line, "# "):
			last.says[len(last.says)-1].text += line
		case last == nil:
			heading = line
		default:
			said := &last.says[len(last.says)-1].text
			*said = strings.TrimSuffix(*said, "\n")
			heading = "\n" + line
		}
	}
	return all
}

// hear notes what a version prints, if it is another thing than what is known of it.
func (e *exchange) hear(version, text string) {
	i := 0
	for i+1 < len(e.says) && e.says[i+1].version >= version {
		i++
	}
	switch {
	case e.says[i].text == text:
	case e.says[i].version == version:
		e.says[i].text = text
	default:
		e.says = slices.Insert(e.says, i+1, answer{version, text})
	}
}

// String is the exchange as the session has it.
func (e *exchange) String() string {
	text := e.heading + "$ " + e.command
	same := func(a, b answer) bool { return a.text == b.text }
	for i, said := range slices.CompactFunc(e.says, same) {
		if i > 0 {
			text += fmt.Sprintf("--- kubectl %s and older\n", said.version)
		}
		text += said.text
	}
	return text
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
		config.Speed, config.Lockstep, config.Now = clock.Max, 150*time.Millisecond, time.Now
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
