package serve_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/lives"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestKubectlLives plays the recordings of whole control planes through a real kubectl against sim serve, where kubectl has
// a command for each of their steps: the effects are those that were recorded. SIM_KUBECTL names the kubectl; without it
// the test is skipped. LIVES are parts of names, to play some.
func TestKubectlLives(t *testing.T) {
	kubectl := os.Getenv("SIM_KUBECTL")
	if kubectl == "" {
		t.Skip("SIM_KUBECTL names no kubectl")
	}
	p := &typist{kubectl: kubectl, dir: t.TempDir()}
	listener := httptest.NewServer(http.HandlerFunc(p.serve))
	defer listener.Close()
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "config"), fmt.Appendf(nil,
		"apiVersion: v1\nkind: Config\ncurrent-context: sim\nclusters: [{name: sim, cluster: {server: %q}}]\n"+
			"contexts: [{name: sim, context: {cluster: sim, user: sim}}]\nusers: [{name: sim, user: {token: x}}]\n",
		listener.URL), 0o600))
	played, left := 0, map[string]int{}
	for _, file := range []string{"lives", "own"} {
		archive, err := txtar.ParseFile("../testdata/recordings/" + file + ".txtar")
		require.NoError(t, err)
		for i := 0; i < len(archive.Files); i += 2 {
			name, text := strings.TrimSuffix(archive.Files[i].Name, ".yaml"), archive.Files[i].Data
			if _, differs := lives.Differ[name]; differs || untypable[name] != "" || !strings.Contains(name, os.Getenv("LIVES")) {
				continue
			}
			steps, other := typed(t, name, text)
			if other != "" {
				left[other]++
				continue
			}
			played++
			t.Run(name, func(t *testing.T) {
				var want lives.Lives
				require.NoError(t, json.Unmarshal(archive.Files[i+1].Data, &want))
				for n, text := range want.Refused { // Of some the recording has what kubectl made of it.
					want.Refused[n] = fromServer.ReplaceAllString(text, "")
				}
				got := p.play(t, name, text, steps)
				differences := want.Against(got)
				require.Empty(t, differences, strings.Join(differences, "\n"))
			})
		}
	}
	t.Logf("%d recordings were played; these have a step that kubectl has no command for: %v", played, left)
}

// fromServer is what kubectl puts before the words of the API server.
var fromServer = regexp.MustCompile(`^Error from server \(\w+\): `)

// typing is a step as it is typed: after which time, counted from where, or after which command has returned, and the words
// of kubectl with its input. A drain goes on while other commands are typed.
type typing struct {
	at, after    *time.Duration
	waits, words []string
	input        string
	drains       bool
}

// typed returns the steps of a scenario as kubectl's commands, or the first word for which there is none.
func typed(t *testing.T, name string, text []byte) (all []typing, other string) {
	whole, err := scenario.Expand(name, text, nil, scenario.Options{})
	require.NoError(t, err)
	var s struct{ Steps []map[string]any }
	require.NoError(t, yaml.Unmarshal(whole, &s))
	set := ""
	for _, step := range s.Steps {
		one := typing{}
		for word, into := range map[string]**time.Duration{"at": &one.at, "after": &one.after} {
			if text, has := step[word]; has {
				d, err := time.ParseDuration(text.(string))
				require.NoError(t, err)
				*into = &d
			}
		}
		if step["namespace"] != nil {
			return nil, "namespace"
		}
		if when, waits := step["when"].(map[string]any); waits {
			if one.waits = awaited(when); one.waits == nil {
				return nil, "when"
			}
		}
		_, one.drains = step["drain"]
		for _, verb := range slices.Sorted(maps.Keys(step)) {
			if write := typists[verb]; write != nil {
				one.words, one.input = write(&set, step, step[verb])
			}
		}
		if one.words == nil {
			for _, verb := range []string{"at", "after", "when", "refused", "name"} {
				delete(step, verb)
			}
			return nil, strings.Join(slices.Sorted(maps.Keys(step)), " ")
		}
		all = append(all, one)
	}
	return all, ""
}

// awaited returns the command of kubectl that returns when a condition holds.
func awaited(when map[string]any) []string {
	if set, is := when["rolloutStatus"].(string); is && len(when) == 1 {
		return []string{"rollout", "status", "statefulset/" + set}
	}
	if object, is := when["wait"].(string); is && len(when) == 2 {
		return []string{"wait", object, fmt.Sprintf("--for=%v", when["for"])}
	}
	return nil
}

// object is a value of a step that may be the name of an object alone.
func object(value any, key string) map[string]any {
	if name, is := value.(string); is {
		_, after, found := strings.Cut(name, "/")
		if !found {
			after = name
		}
		return map[string]any{key: after}
	}
	return value.(map[string]any)
}

// of returns the StatefulSet of a step: the last one, unless it names one.
func of(set *string, step map[string]any) string {
	if name, has := step["statefulset"].(string); has {
		return "statefulset/" + name
	}
	return "statefulset/" + *set
}

// send is a command that reads a manifest.
func send(verb string) func(*string, map[string]any, any) ([]string, string) {
	return func(set *string, _ map[string]any, value any) ([]string, string) {
		fields, is := value.(map[string]any)
		if !is {
			return nil, ""
		}
		if fields["kind"] == "StatefulSet" && verb == "create" || *set == "" {
			*set, _ = fields["metadata"].(map[string]any)["name"].(string)
		}
		data, _ := json.Marshal(fields)
		return []string{verb, "-f", "-"}, string(data)
	}
}

// on is a command about a StatefulSet.
func on(words func(of string, value map[string]any) []string) func(*string, map[string]any, any) ([]string, string) {
	return func(set *string, _ map[string]any, value any) ([]string, string) {
		fields := object(value, "statefulset")
		return words(of(set, fields), fields), ""
	}
}

// node is a command about a node.
func node(words ...string) func(*string, map[string]any, any) ([]string, string) {
	return func(_ *string, _ map[string]any, value any) ([]string, string) {
		name, is := value.(string)
		if !is {
			return nil, ""
		}
		return append(words, name), ""
	}
}

// typists make commands of the steps for which kubectl has one.
var typists = map[string]func(set *string, step map[string]any, value any) ([]string, string){
	"create": send("create"), "apply": send("apply"), "replace": send("replace"), "createPod": podTyped,
	"cordon": node("cordon"), "uncordon": node("uncordon"),
	"outOfService": func(_ *string, _ map[string]any, value any) ([]string, string) {
		fields, taint := object(value, "node"), "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
		if fields["remove"] == true {
			taint += "-"
		}
		return []string{"taint", "node", fmt.Sprint(fields["node"]), taint}, ""
	},
	"drain": func(_ *string, _ map[string]any, value any) ([]string, string) {
		fields := object(value, "node")
		words := []string{"drain", fmt.Sprint(fields["node"]), "--ignore-daemonsets", "--delete-emptydir-data"}
		if fields["force"] == true {
			words = append(words, "--force")
		}
		if timeout, has := fields["timeout"]; has {
			words = append(words, fmt.Sprintf("--timeout=%v", timeout))
		}
		return words, ""
	},
	"scale": on(func(of string, v map[string]any) []string {
		return []string{"scale", of, fmt.Sprintf("--replicas=%v", v["replicas"])}
	}),
	"setImage": on(func(of string, v map[string]any) []string {
		container := "*"
		if named, has := v["container"]; has {
			container = named.(string)
		}
		return []string{"set", "image", of, fmt.Sprintf("%s=%v", container, v["image"])}
	}),
	"restart": on(func(of string, _ map[string]any) []string { return []string{"rollout", "restart", of} }),
	"undo": on(func(of string, v map[string]any) []string {
		words := []string{"rollout", "undo", of}
		if to, has := v["toRevision"]; has {
			words = append(words, fmt.Sprintf("--to-revision=%v", to))
		}
		return words
	}),
	"patch": on(func(of string, v map[string]any) []string {
		form := "merge"
		if named, has := v["type"].(string); has {
			form = named
		}
		delete(v, "statefulset")
		delete(v, "type")
		data, _ := json.Marshal(v)
		return []string{"patch", of, "--type=" + form, "-p", string(data)}
	}),
	"label": func(_ *string, _ map[string]any, value any) ([]string, string) {
		fields := value.(map[string]any)
		words := []string{"label", "--overwrite", fmt.Sprintf("pod/%v", fields["pod"])}
		labels := fields["labels"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(labels)) {
			if labels[name] == nil {
				words = append(words, name+"-")
			} else {
				words = append(words, fmt.Sprintf("%s=%v", name, labels[name]))
			}
		}
		return words, ""
	},
	"evict": func(_ *string, _ map[string]any, value any) ([]string, string) {
		pod := object(value, "pod")["pod"].(string)
		return []string{"create", "--raw", "/api/v1/namespaces/default/pods/" + pod + "/eviction", "-f", "-"},
			fmt.Sprintf(`{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":%q,"namespace":"default"}}`, pod)
	},
	"delete": func(_ *string, step map[string]any, value any) ([]string, string) {
		what, is := value.(string)
		if fields, mapping := value.(map[string]any); mapping {
			for _, kind := range []string{"pod", "statefulset", "pvc", "service", "poddisruptionbudget"} {
				if name, has := fields[kind].(string); has && (kind != "pvc" || fields["force"] != true) {
					what, is = kind+"/"+name, true
				}
			}
			maps.Copy(step, fields)
		}
		if !is {
			return nil, ""
		}
		words := []string{"delete", what, "--wait=false"}
		if cascade, has := step["cascade"].(string); has {
			words = append(words, "--cascade="+cascade)
		}
		if step["force"] == true {
			words = append(words, "--force", "--grace-period=0")
		}
		return words, ""
	},
}

// podTyped creates a pod.
func podTyped(_ *string, _ map[string]any, value any) ([]string, string) {
	v := value.(map[string]any)
	if v["kind"] == nil {
		v = map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": v["name"], "labels": v["labels"]},
			"spec": map[string]any{"containers": []any{map[string]any{"name": "app", "image": v["image"]}}}}
	}
	data, _ := json.Marshal(v)
	return []string{"create", "-f", "-"}, string(data)
}

// typist is somebody who types commands, each when its time has come.
type typist struct {
	kubectl, dir string
	server       *serve.Server
	// drains are those that have not ended.
	drains []<-chan error
	// refusal is what the server has refused last, and mu guards it: the server writes it, and the test reads it.
	mu      sync.Mutex
	refusal string
}

// refuses notes what is refused, and returns what was noted before.
func (p *typist) refuses(what string) (before string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before, p.refusal = p.refusal, what
	return before
}

// untypable are the recordings that no session with kubectl plays, with the reason.
var untypable = map[string]string{
	"history-restart-quick":                       "kubectl takes the second of a restart from its own clock",
	"life-1.37.2/history-17-restart-undo-restart": "kubectl takes the second of a restart from its own clock",
	"life/nodes-26-drain-shipped-meets-a-rollout": "a try of the drain came in the last instant in which a pod was Terminating",
	"owners-hand-made-zero-pad":                   "the controller never comes to rest, which ends a scenario and no session",
}

// serve serves a request of kubectl, and notes what is refused.
func (p *typist) serve(w http.ResponseWriter, r *http.Request) {
	kept := &kept{ResponseWriter: w}
	p.server.ServeHTTP(kept, r)
	if kept.code >= 400 {
		var status struct{ Message string }
		_ = json.Unmarshal(kept.refusal, &status)
		p.refuses(status.Message)
	}
}

// kept keeps what is refused on its way to kubectl.
type kept struct {
	http.ResponseWriter
	code    int
	refusal []byte
}

// Flush sends what a watch has written.
func (a *kept) Flush() { a.ResponseWriter.(http.Flusher).Flush() }

func (a *kept) WriteHeader(code int) {
	a.code = code
	a.ResponseWriter.WriteHeader(code)
}

func (a *kept) Write(data []byte) (int, error) {
	if a.code >= 400 {
		a.refusal = append(a.refusal, data...)
	}
	return a.ResponseWriter.Write(data)
}

// play plays a scenario with kubectl and reads the timeline of the session as a recording is read.
func (p *typist) play(t *testing.T, name string, text []byte, steps []typing) *lives.Lives {
	begin, err := recording.Read([]recording.Source{{Name: name, Data: text}}, scenario.Options{}, "test")
	require.NoError(t, err)
	c := serve.Config{Config: begin.Config}
	c.Now = time.Now
	p.server, p.drains = serve.New(c), nil
	p.server.Start()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	refused, drained := map[int]string{}, 0
	last := time.Duration(0)
	for i, step := range steps {
		switch {
		case step.at != nil:
			drained += p.pass(t, *step.at)
		case step.after != nil:
			drained += p.pass(t, last+*step.after)
		case step.waits != nil:
			if p.live(t, p.begin(ctx, typing{words: step.waits}), 0) != nil {
				continue // As behind && in a shell.
			}
		default:
			drained += p.pass(t, 0)
			p.clock(t, "/settle")
		}
		last = p.now(t)
		p.refuses("")
		ended := p.begin(ctx, step)
		if step.drains {
			p.drains = append(p.drains, ended)
			continue
		}
		if err := <-ended; err != nil {
			refused[i+1] = cmp.Or(p.refuses(""), err.Error())
		}
	}
	drained += p.pass(t, 0)
	p.clock(t, "/settle")
	var run []byte
	for _, e := range p.server.End() {
		run = append(timeline.AppendJSON(run, &e), '\n')
	}
	got := lives.Of(t, run)
	got.Refused, got.Drained = refused, drained
	return got
}

// begin types a command.
func (p *typist) begin(ctx context.Context, step typing) <-chan error {
	cmd := exec.CommandContext(ctx, p.kubectl, step.words...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(p.dir, "config"), "HOME="+p.dir,
		"KUBECACHEDIR="+filepath.Join(p.dir, "cache"))
	cmd.Stdin = strings.NewReader(step.input)
	ended := make(chan error, 1)
	go func() {
		out, err := cmd.CombinedOutput()
		if err != nil {
			err = errors.New(strings.TrimSpace(string(out)))
		}
		ended <- err
	}()
	return ended
}

// patience is for how long a drain is waited for that is not over when everything else is.
const patience = 20 * time.Second

// pass lets time pass until an instant, at the pace of kubectl while a drain goes on, and counts the drains that succeed.
// Without an instant it waits for the drains.
func (p *typist) pass(t *testing.T, until time.Duration) (drained int) {
	for len(p.drains) > 0 {
		err := p.live(t, p.drains[0], cmp.Or(until, p.now(t)+patience))
		if err == errLater {
			break
		}
		if err == nil {
			drained++
		}
		p.drains = p.drains[1:]
	}
	if left := until - p.now(t); left > 0 {
		p.clock(t, "/advance?by="+left.String())
	}
	return drained
}

// errLater is what live returns if a command goes on.
var errLater = errors.New("the command goes on")

// live lets time pass at the pace of kubectl until a command ends, and returns how, or until an instant if one is given.
func (p *typist) live(t *testing.T, ended <-chan error, until time.Duration) error {
	p.clock(t, "/speed?to=1x")
	defer p.clock(t, "/pause")
	for {
		select {
		case err := <-ended:
			return err
		case <-time.After(min(20*time.Millisecond, p.server.Turn())):
			if until > 0 && p.now(t) >= until {
				return errLater
			}
		}
	}
}

// clock moves the clock, and returns what the server says of it.
func (p *typist) clock(t *testing.T, does string) []byte {
	w := httptest.NewRecorder()
	p.server.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/sim/clock"+does, nil))
	require.Less(t, w.Code, 300, "%s: %s", does, w.Body)
	return bytes.TrimSpace(w.Body.Bytes())
}

// now returns the virtual time of the session.
func (p *typist) now(t *testing.T) time.Duration {
	var said struct{ At json.Number }
	w := httptest.NewRecorder()
	p.server.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/sim/clock", nil))
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &said))
	seconds, err := strconv.ParseFloat(said.At.String(), 64)
	require.NoError(t, err)
	return time.Duration(seconds*1e9 + 0.5)
}
