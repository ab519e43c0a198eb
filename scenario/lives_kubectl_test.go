package scenario_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
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
	"github.com/statefulsim/statefulsim/scenario/serve"
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
		archive, err := txtar.ParseFile("testdata/recordings/" + file + ".txtar")
		require.NoError(t, err)
		for i := 0; i < len(archive.Files); i += 2 {
			name, text := strings.TrimSuffix(archive.Files[i].Name, ".yaml"), archive.Files[i].Data
			if _, differs := livesThatDiffer[name]; differs || untypable[name] != "" || !strings.Contains(name, os.Getenv("LIVES")) {
				continue
			}
			steps, other := typed(t, name, text)
			if other != "" {
				left[other]++
				continue
			}
			played++
			t.Run(name, func(t *testing.T) {
				var want lives
				require.NoError(t, json.Unmarshal(archive.Files[i+1].Data, &want))
				got := p.play(t, name, text, steps)
				differences := want.against(got)
				require.Empty(t, differences, strings.Join(differences, "\n"))
			})
		}
	}
	t.Logf("%d recordings were played; these have a step that kubectl has no command for: %v", played, left)
}

// typing is a step as it is typed: after which time, counted from where, and the words of kubectl with its input.
type typing struct {
	at, after *time.Duration
	words     []string
	input     string
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
		if step["when"] != nil || step["namespace"] != nil {
			return nil, "when"
		}
		for _, verb := range slices.Sorted(maps.Keys(step)) {
			if write := typists[verb]; write != nil {
				one.words, one.input = write(&set, step, step[verb])
			}
		}
		if one.words == nil {
			for _, verb := range []string{"at", "after", "refused", "name"} {
				delete(step, verb)
			}
			return nil, strings.Join(slices.Sorted(maps.Keys(step)), " ")
		}
		all = append(all, one)
	}
	return all, ""
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
			for _, kind := range []string{"pod", "statefulset", "pvc", "service"} {
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
	"history-restart-quick":     "kubectl takes the second of a restart from its own clock",
	"owners-hand-made-zero-pad": "the controller never comes to rest, which ends a scenario and no session",
}

// serve serves a request of kubectl, and notes what is refused.
func (p *typist) serve(w http.ResponseWriter, r *http.Request) {
	noted := httptest.NewRecorder()
	p.server.ServeHTTP(noted, r)
	if noted.Code >= 400 {
		var status struct{ Message string }
		_ = json.Unmarshal(noted.Body.Bytes(), &status)
		p.refuses(status.Message)
	}
	maps.Copy(w.Header(), noted.Header())
	w.WriteHeader(noted.Code)
	_, _ = w.Write(noted.Body.Bytes())
}

// play plays a scenario with kubectl and reads the timeline of the session as a recording is read.
func (p *typist) play(t *testing.T, name string, text []byte, steps []typing) *lives {
	begin, err := serve.Read([]serve.Source{{Name: name, Data: text}}, scenario.Options{}, "test")
	require.NoError(t, err)
	c := begin.Config
	c.Now = time.Now
	p.server = serve.New(c)
	p.server.Start()
	refused := map[int]string{}
	last := time.Duration(0)
	for i, step := range steps {
		switch {
		case step.at != nil:
			p.clock(t, "/advance?by="+(*step.at-p.now(t)).String())
		case step.after != nil:
			p.clock(t, "/advance?by="+(last+*step.after-p.now(t)).String())
		default:
			p.clock(t, "/settle")
		}
		last = p.now(t)
		cmd := exec.Command(p.kubectl, step.words...)
		cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(p.dir, "config"), "HOME="+p.dir,
			"KUBECACHEDIR="+filepath.Join(p.dir, "cache"))
		cmd.Stdin = strings.NewReader(step.input)
		p.refuses("")
		if out, err := cmd.CombinedOutput(); err != nil {
			refused[i+1] = cmp.Or(p.refuses(""), strings.TrimSpace(string(out)))
		}
	}
	p.clock(t, "/settle")
	var run []byte
	for _, e := range p.server.End() {
		run = append(timeline.AppendJSON(run, &e), '\n')
	}
	got := livesOf(t, run)
	got.Refused = refused
	return got
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
