package proof

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	helm3 "helm.sh/helm/v3/pkg/kube"
	helm4 "helm.sh/helm/v4/pkg/kube"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// serveSpeed is how much faster than the tools' own time the simulated cluster goes.
const serveSpeed = 5

// late is how much later than sim says a tool may end, in the cluster's time: what the machine takes to hear of it.
const late = 3 * time.Second

// change is a change of a StatefulSet: its fields before and after. Where old is empty, the set is created. rules are those
// of a scenario's kubelet.
type change struct{ what, old, new, rules string }

var changes = []change{
	{"another image", "replicas: 3, image: a:1", "replicas: 3, image: a:2", ""},
	{"another image, one pod", "replicas: 1, image: a:1", "replicas: 1, image: a:2", ""},
	{"another image, Parallel", "replicas: 3, image: a:1, podManagementPolicy: Parallel",
		"replicas: 3, image: a:2, podManagementPolicy: Parallel", ""},
	{"a canary", "replicas: 3, image: a:1, updateStrategy: {rollingUpdate: {partition: 2}}",
		"replicas: 3, image: a:2, updateStrategy: {rollingUpdate: {partition: 2}}", ""},
	{"two of three", "replicas: 3, image: a:1, updateStrategy: {rollingUpdate: {partition: 1}}",
		"replicas: 3, image: a:2, updateStrategy: {rollingUpdate: {partition: 1}}", ""},
	{"OnDelete", "replicas: 3, image: a:1, updateStrategy: {type: OnDelete}",
		"replicas: 3, image: a:2, updateStrategy: {type: OnDelete, rollingUpdate: null}", ""},
	{"to OnDelete", "replicas: 2, image: a:1", "replicas: 2, image: a:1, updateStrategy: {type: OnDelete, rollingUpdate: null}", ""},
	{"up", "replicas: 2, image: a:1", "replicas: 4, image: a:1", ""},
	{"up and another image", "replicas: 2, image: a:1", "replicas: 3, image: a:2", ""},
	{"down", "replicas: 3, image: a:1", "replicas: 1, image: a:1", ""},
	{"down, Parallel", "replicas: 4, image: a:1, podManagementPolicy: Parallel",
		"replicas: 1, image: a:1, podManagementPolicy: Parallel", ""},
	{"to nothing", "replicas: 3, image: a:1", "replicas: 0, image: a:1", ""},
	{"from nothing", "replicas: 0, image: a:1", "replicas: 2, image: a:1", ""},
	{"minReadySeconds", "replicas: 2, image: a:1, minReadySeconds: 5", "replicas: 2, image: a:2, minReadySeconds: 5", ""},
	{"minReadySeconds, up", "replicas: 1, image: a:1, minReadySeconds: 6", "replicas: 3, image: a:1, minReadySeconds: 6", ""},
	{"two at once", "replicas: 4, image: a:1, updateStrategy: {rollingUpdate: {maxUnavailable: 2}}",
		"replicas: 4, image: a:2, updateStrategy: {rollingUpdate: {maxUnavailable: 2}}", ""},
	{"nothing of the pods", "replicas: 3, image: a:1", "replicas: 3, image: a:1, minReadySeconds: 1", ""},
	{"another start", "replicas: 2, image: a:1", "replicas: 2, image: a:1, ordinals: {start: 2}", ""},
	{"slow pods", "replicas: 2, image: a:1", "replicas: 2, image: a:2", "{match: {image: a:2}, ready: 20s}"},
	{"a new set", "", "replicas: 3, image: a:1", ""},
	{"a crash loop that heals, in a rollout", "replicas: 2, image: a:1", "replicas: 2, image: a:2",
		"{match: {image: a:2, pod: web-1}, crash: 3s, crashes: 2, ready: 5s}"},
	{"a crash loop that heals", "", "replicas: 3, image: a:1, podManagementPolicy: Parallel",
		"{match: {pod: web-0}, ready: 20s}, {match: {pod: web-*}, crash: 3s, crashes: 3, ready: 5s}"},
}

// manifest is the set with some fields.
func manifest(fields string) string {
	image, more := "", []string{}
	for _, field := range strings.Split(fields, ", ") {
		if name, is := strings.CutPrefix(field, "image: "); is {
			image = name
		} else {
			more = append(more, field)
		}
	}
	return `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {` + strings.Join(more, ", ") +
		`, serviceName: web, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, ` +
		`spec: {containers: [{name: app, image: "` + image + `"}]}}}}` + "\n"
}

// said is how a tool ends, so long after the change.
type said struct {
	Gate, Says string
	At         *float64
}

// TestWaitersAgainstServe lets a real kubectl and the waiters of Helm 3 and 4 wait for changes in the cluster of sim serve.
// Each ends as sim plan --gate has said, and then. SIM and SIM_KUBECTL name the programs.
func TestWaitersAgainstServe(t *testing.T) {
	sim, kubectl := os.Getenv("SIM"), os.Getenv("SIM_KUBECTL")
	if sim == "" || kubectl == "" {
		t.Skip("SIM and SIM_KUBECTL name no programs")
	}
	for _, c := range changes {
		t.Run(c.what, func(t *testing.T) {
			s := &served{t: t, sim: sim, kubectl: kubectl, dir: t.TempDir(), change: c}
			s.write("old.yaml", manifest(c.old))
			s.write("new.yaml", manifest(c.new))
			want := s.foretold()
			s.start()
			for name, got := range s.wait() {
				expected := want[name]
				t.Logf("%-24s %-6s at %5.1fs, sim said %-6s at %5.1fs", name, got.Says, *got.At, expected.Says, *expected.At)
				require.Equal(t, expected.Says, got.Says, name)
				polls := late
				if name == "helm-3" || name == "helm-4-legacy" {
					polls += serveSpeed * 2 * time.Second
				}
				require.InDelta(t, *expected.At+polls.Seconds()/2-0.25, *got.At, polls.Seconds()/2+0.25, name)
			}
		})
	}
}

// tools are those that wait.
var tools = []string{"kubectl-rollout-status", "helm-3", "helm-4", "helm-4-legacy"}

// served is a change in the cluster of sim serve.
type served struct {
	t                 *testing.T
	sim, kubectl, dir string
	change
	api *kubernetes.Clientset
}

// write writes a file.
func (s *served) write(name, text string) {
	require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600))
}

// command is a program in the folder of the test.
func (s *served) command(program string, args ...string) *exec.Cmd {
	c := exec.CommandContext(s.t.Context(), program, args...)
	c.Dir, c.Env = s.dir, append(os.Environ(), "KUBECONFIG="+filepath.Join(s.dir, "kubeconfig"))
	return c
}

// run runs a program, and returns what it prints.
func (s *served) run(program string, args ...string) string {
	out, err := s.command(program, args...).Output()
	require.NoError(s.t, err, "%v", args)
	return string(out)
}

// foretold is what sim plan says of the change; sim run where a kubelet has rules, or the set is new.
func (s *served) foretold() map[string]said {
	gates := "--gate=" + strings.Join(tools, ",")
	var answer struct {
		Sets  []struct{ Gates []said }
		Gates []struct {
			Step int
			said
		}
	}
	said := map[string]said{}
	if s.old != "" && s.rules == "" {
		require.NoError(s.t, json.Unmarshal([]byte(s.run(s.sim, "plan", "-o=json", "--start=1s", "--ready=2s", "--stop=2s", gates, "old.yaml", "new.yaml")), &answer))
		for _, g := range answer.Sets[0].Gates {
			said[g.Gate] = g
		}
		return said
	}
	steps := "- apply: new.yaml\n"
	if s.old != "" {
		steps = "- apply: old.yaml\n" + steps
	}
	s.write("run.yaml", "kubelet: {rules: ["+s.rules+"]}\nsteps:\n"+steps)
	require.NoError(s.t, json.Unmarshal([]byte(s.run(s.sim, "run", "-o=json", gates, "run.yaml")), &answer))
	for _, g := range answer.Gates {
		said[g.Gate] = g.said
	}
	return said
}

// start starts sim serve with its clock stopped, makes the set as it was, and changes it.
func (s *served) start() {
	s.write("cluster.yaml", "kubelet: {rules: ["+s.rules+"]}\nsteps: [{apply: new.yaml}]\n")
	ctx, stop := context.WithCancel(context.Background())
	server := s.command(s.sim, "serve", "--speed=paused", "--kubeconfig=kubeconfig", "cluster.yaml")
	server.Cancel = nil
	out, err := server.StdoutPipe()
	require.NoError(s.t, err)
	server.Stderr = os.Stderr
	require.NoError(s.t, server.Start())
	s.t.Cleanup(func() {
		stop()
		require.NoError(s.t, server.Process.Signal(os.Interrupt))
		_ = server.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "export ") {
	}
	go func() {
		for lines.Scan() && ctx.Err() == nil {
		}
	}()
	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(s.dir, "kubeconfig"))
	require.NoError(s.t, err)
	s.api, err = kubernetes.NewForConfig(config)
	require.NoError(s.t, err)
	if s.old != "" {
		s.run(s.kubectl, "apply", "-f", "old.yaml")
		s.run(s.sim, "clock", "settle")
	}
	s.run(s.kubectl, "apply", "-f", "new.yaml")
}

// now is the cluster's time, in seconds.
func (s *served) now() float64 {
	text, err := s.api.RESTClient().Get().AbsPath("/sim/clock").DoRaw(context.Background())
	require.NoError(s.t, err)
	var clock struct{ At float64 }
	require.NoError(s.t, json.Unmarshal(text, &clock))
	return clock.At
}

// wait lets all tools wait for the set, and returns how each ends.
func (s *served) wait() map[string]said {
	waiters := map[string]func() error{
		"kubectl-rollout-status": func() error { return s.command(s.kubectl, "rollout", "status", "statefulset/web").Run() },
		"helm-3":                 s.helm3(),
		"helm-4":                 s.helm4(helm4.StatusWatcherStrategy),
		"helm-4-legacy":          s.helm4(helm4.LegacyStrategy),
	}
	begin := s.now()
	ends := make(chan said)
	for name, waits := range waiters {
		go func() {
			says := "done"
			if waits() != nil {
				says = "failed"
			}
			at := s.now() - begin
			ends <- said{name, says, &at}
		}()
	}
	time.Sleep(time.Second)
	s.run(s.sim, "clock", "speed", fmt.Sprintf("%dx", serveSpeed))
	got := map[string]said{}
	for range waiters {
		end := <-ends
		got[end.Gate] = end
	}
	return got
}

// flags are those with which a client finds the session.
func (s *served) flags() *genericclioptions.ConfigFlags {
	flags, file := genericclioptions.NewConfigFlags(true), filepath.Join(s.dir, "kubeconfig")
	flags.KubeConfig = &file
	return flags
}

// helm3 is the wait of Helm 3.
func (s *served) helm3() func() error {
	client := helm3.New(s.flags())
	client.Namespace = "default"
	resources, err := client.Build(strings.NewReader(manifest(s.new)), false)
	require.NoError(s.t, err)
	return func() error { return client.Wait(resources, 5*time.Minute) }
}

// helm4 is a wait of Helm 4.
func (s *served) helm4(how helm4.WaitStrategy) func() error {
	client := helm4.New(s.flags())
	client.Namespace = "default"
	resources, err := client.Build(strings.NewReader(manifest(s.new)), false)
	require.NoError(s.t, err)
	waiter, err := client.GetWaiter(how)
	require.NoError(s.t, err)
	return func() error { return waiter.Wait(resources, 5*time.Minute) }
}
