package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/pace"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/nodes"
)

// session is a server that a test speaks to, in process, and the clock of its clients.
type session struct {
	t *testing.T
	*serve.Server
	now      time.Time
	recorded []recording.Recorded
}

// record keeps what is recorded.
func (s *session) record(r recording.Recorded) { s.recorded = append(s.recorded, r) }

// begin begins a session whose clock stands unless the test moves it.
func begin(t *testing.T, change func(*serve.Config)) *session {
	t.Helper()
	plain, err := scenario.Parse("serve.yaml", []byte("name: serve\nsteps: [{create: {name: unplayed, image: none}}]\n"),
		nil, scenario.Options{Kubernetes: "1.37"})
	require.NoError(t, err)
	s := &session{t: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	c := serve.Config{
		Config: bridge.Config{World: plain.Config(scenario.RunOptions{}), Kubernetes: "1.37.2", Epoch: s.now}, Speed: clock.Paused,
		Timing: pace.Timing{Now: func() time.Time { return s.now }}, When: when, Record: s.record}
	if change != nil {
		change(&c)
	}
	s.Server = serve.New(c)
	s.Start()
	return s
}

// when calls a function when a channel is closed.
func when(closed <-chan bool, do func()) {
	go func() {
		<-closed
		do()
	}()
}

// ask sends a request and returns its code and what it was answered.
func (s *session) ask(method, path, body string, header ...string) (int, map[string]any) {
	s.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	var answer map[string]any
	d := json.NewDecoder(w.Body)
	if err := d.Decode(&answer); err != nil && err != io.EOF {
		require.NoError(s.t, err, "%s %s: %s", method, path, w.Body)
	}
	return w.Code, answer
}

// must is ask for a request that is answered with a code of success.
func (s *session) must(method, path, body string, header ...string) map[string]any {
	s.t.Helper()
	code, answer := s.ask(method, path, body, header...)
	require.Less(s.t, code, 300, "%s %s: %v", method, path, answer)
	return answer
}

// at returns what is at a path of an answer: "status.readyReplicas", "items.0.metadata.name".
func at(t *testing.T, answer any, path string) any {
	t.Helper()
	for part := range strings.SplitSeq(path, ".") {
		switch of := answer.(type) {
		case map[string]any:
			answer = of[part]
		case []any:
			i := 0
			_, err := fmt.Sscan(part, &i)
			require.NoError(t, err)
			if i >= len(of) {
				return nil
			}
			answer = of[i]
		}
	}
	return answer
}

const (
	sets = "/apis/apps/v1/namespaces/default/statefulsets"
	pods = "/api/v1/namespaces/default/pods"
	web  = `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","labels":{"app":"web"}},"spec":{
		"replicas":3,"serviceName":"web","selector":{"matchLabels":{"app":"web"}},
		"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"app","image":"app:v1"}]}}}}`
)

// TestASetLives: it is created, its pods come in virtual time, it is scaled and deleted.
func TestASetLives(t *testing.T) {
	s := begin(t, nil)
	created := s.must("POST", sets, web)
	require.Equal(t, "app:v1", at(t, created, "spec.template.spec.containers.0.image"))
	require.Equal(t, "OrderedReady", at(t, created, "spec.podManagementPolicy"), "defaults are filled in")
	require.Equal(t, "Pending", at(t, s.must("GET", pods+"/web-0", ""), "status.phase"),
		"the controller has answered at once")
	code, _ := s.ask("GET", pods+"/web-1", "")
	require.Equal(t, 404, code)

	s.must("POST", "/sim/clock/settle", "")
	set := s.must("GET", sets+"/web", "")
	require.EqualValues(t, 3, at(t, set, "status.readyReplicas"))
	require.EqualValues(t, 3, len(s.must("GET", pods, "")["items"].([]any)))
	pod := s.must("GET", pods+"/web-2", "")
	require.Equal(t, at(t, set, "metadata.uid"), at(t, pod, "metadata.ownerReferences.0.uid"))

	scale := s.must("PATCH", sets+"/web/scale", `{"spec":{"replicas":1}}`, "Content-Type", "application/merge-patch+json")
	require.EqualValues(t, 1, at(t, scale, "spec.replicas"))
	s.must("POST", "/sim/clock/settle", "")
	require.EqualValues(t, 1, len(s.must("GET", pods, "")["items"].([]any)))

	gone := s.must("DELETE", sets+"/web", "")
	require.Equal(t, "Success", gone["status"])
	s.must("POST", "/sim/clock/settle", "")
	require.Empty(t, s.must("GET", pods, "")["items"])
	require.NotEmpty(t, s.must("GET", "/api/v1/namespaces/default/events", "")["items"])
}

// TestRefusals: a Status with its code, its reason and its causes.
func TestRefusals(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, web)
	for _, c := range []struct {
		name, method, path, body, form string
		code                           int
		reason, message                string
	}{
		{"a path that leads nowhere", "GET", "/apis/apps/v1/things", "", "", 404, "NotFound",
			"could not find the requested resource"},
		{"an object that is not there", "GET", sets + "/db", "", "", 404, "NotFound", `statefulsets.apps "db" not found`},
		{"a name that is taken", "POST", sets, web, "", 409, "AlreadyExists", `statefulsets.apps "web" already exists`},
		{"a wrong object whose name is taken", "POST", sets, strings.Replace(web, "3", "-3", 1), "", 422, "Invalid",
			"spec.replicas: Invalid value: -3"},
		{"an immutable field", "PATCH", sets + "/web", `{"spec":{"serviceName":"db"}}`, "application/merge-patch+json", 422,
			"Invalid",
			"field is immutable"},
		{"an old version", "PATCH", sets + "/web", `{"metadata":{"resourceVersion":"1"}}`, "application/merge-patch+json",
			409, "Conflict",
			"the object has been modified"},
		{"a namespace that is not there", "POST", strings.Replace(sets, "default", "none", 1), web, "", 404, "NotFound",
			`namespaces "none" not found`},
		{"no JSON", "POST", sets, "{", "", 400, "BadRequest", "must be of type StatefulSet"},
		{"another kind", "POST", sets, `{"kind":"Pod","apiVersion":"v1"}`, "", 400, "BadRequest",
			"cannot be handled as a StatefulSet"},
		{"an unknown field", "POST", sets + "?fieldValidation=Strict", strings.Replace(web, `"replicas"`, `"replicsa"`, 1),
			"", 400,
			"BadRequest", `unknown field "spec.replicsa"`},
		{"a patch of no known form", "PATCH", sets + "/web", `{}`, "application/else", 415, "UnsupportedMediaType",
			"415: Unsupported Media Type"},
		{"a JSON patch that does not fit", "PATCH", sets + "/web", `[{"op":"test","path":"/spec/replicas","value":9}]`,
			"application/json-patch+json", 422, "Invalid", "error in our request"},
		{"a pod without containers", "POST", pods, `{"metadata":{"name":"p"},"spec":{}}`, "", 422, "Invalid",
			"spec.containers: Required"},
		{"another uid", "DELETE", sets + "/web", `{"preconditions":{"uid":"uid-999"}}`, "", 409, "Conflict",
			"the UID in the precondition (uid-999) does not match"},
		{"a method that is not served", "PUT", sets, "", "", 405, "MethodNotAllowed", ""},
		{"a deletion in all namespaces", "DELETE", "/api/v1/configmaps", "", "", 405, "MethodNotAllowed", ""},
		{"a creation in no namespace", "POST", "/api/v1/configmaps", `{"metadata":{"name":"a"}}`, "", 405,
			"MethodNotAllowed", ""},
		{"a deletion of all namespaces", "DELETE", "/api/v1/namespaces", "", "", 405, "MethodNotAllowed", ""},
		{"a namespace that stays", "DELETE", "/api/v1/namespaces/default", "", "", 403, "Forbidden", "may not be deleted"},
		{"an unknown propagation", "DELETE", sets + "/web?propagationPolicy=None", "", "", 422, "Invalid",
			"supported values: \"Foreground\""},
		{"two propagations", "DELETE", sets + "/web", `{"propagationPolicy":"Orphan","orphanDependents":true}`, "", 422,
			"Invalid", "cannot be both set"},
		{"negative replicas", "PUT", sets + "/web/scale", `{"spec":{"replicas":-1}}`, "", 422, "Invalid",
			`Scale.autoscaling "web" is invalid: spec.replicas`},
		{"an eviction of another pod", "POST", pods + "/web-0/eviction", `{"metadata":{"name":"web-1"}}`, "", 400,
			"BadRequest", "name in URL does not match"},
		{"a time that is no number", "GET", pods + "?watch=1&timeoutSeconds=soon", "", "", 400, "BadRequest", "soon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, answer := s.ask(c.method, c.path, c.body, "Content-Type", c.form)
			require.Equal(t, c.code, code, answer)
			require.Equal(t, "Status", answer["kind"])
			require.Equal(t, c.reason, answer["reason"])
			require.Contains(t, answer["message"], c.message)
			if c.code == 422 && c.reason == "Invalid" && c.form != "application/json-patch+json" {
				require.NotEmpty(t, at(t, answer, "details.causes.0.field"))
			}
		})
	}
	require.Contains(t, at(t, s.must("GET", "/sim/clock", ""), "speed"), "paused", "the world goes on")
}

// TestUnchanging: data that are not to change do not, whatever else of the object does.
func TestUnchanging(t *testing.T) {
	s := begin(t, nil)
	const configs, secrets = "/api/v1/namespaces/default/configmaps", "/api/v1/namespaces/default/secrets"
	s.must("POST", configs, `{"metadata":{"name":"a"},"data":{"k":"v"},"immutable":true}`)
	s.must("POST", secrets, `{"metadata":{"name":"a"},"stringData":{"k":"v"},"immutable":true}`)
	for patch, path := range map[string]string{
		`{"data":{"k":"w"}}`: configs, `{"binaryData":{"b":"AA=="}}`: configs, `{"immutable":null}`: configs,
		`{"stringData":{"k":"w"}}`: secrets,
	} {
		code, answer := s.ask("PATCH", path+"/a", patch, "Content-Type", "application/merge-patch+json")
		require.Equal(t, 422, code, patch)
		require.Contains(t, answer["message"], "field is immutable")
	}
	s.must("PATCH", configs+"/a", `{"metadata":{"labels":{"x":"y"}}}`, "Content-Type", "application/merge-patch+json")
	s.must("PATCH", secrets+"/a", `{"stringData":{"k":"v"}}`, "Content-Type", "application/merge-patch+json")
}

// TestDryRun: it answers as the write would, and changes nothing.
func TestDryRun(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets+"?dryRun=All", web)
	code, _ := s.ask("GET", sets+"/web", "")
	require.Equal(t, 404, code)
	s.must("POST", sets, web)
	patch := s.must("PATCH", sets+"/web?dryRun=All", `{"spec":{"replicas":9}}`, "Content-Type",
		"application/merge-patch+json")
	require.EqualValues(t, 9, at(t, patch, "spec.replicas"))
	require.EqualValues(t, 3, at(t, s.must("GET", sets+"/web", ""), "spec.replicas"))
	code, _ = s.ask("PATCH", sets+"/web?dryRun=All", `{"spec":{"serviceName":"db"}}`, "Content-Type",
		"application/merge-patch+json")
	require.Equal(t, 422, code)
	s.must("DELETE", sets+"/web?dryRun=All", "")
	s.must("GET", sets+"/web", "")
	require.Len(t, s.must("DELETE", sets+"?dryRun=All", "")["items"], 1)
	s.settle()
	for least, want := range map[string]int{"2": 201, "3": 429} {
		s.must("POST", "/apis/policy/v1/namespaces/default/poddisruptionbudgets", `{"metadata":{"name":"b"},"spec":{
			"minAvailable":`+least+`,"selector":{"matchLabels":{"app":"web"}}}}`)
		s.settle()
		for _, form := range []string{`?dryRun=All {"metadata":{"name":"web-0"}}`,
			` {"metadata":{"name":"web-0"},"deleteOptions":{"dryRun":["All"]}}`} {
			query, body, _ := strings.Cut(form, " ")
			code, _ = s.ask("POST", pods+"/web-0/eviction"+query, body)
			require.Equal(t, want, code, least)
		}
		s.must("DELETE", "/apis/policy/v1/namespaces/default/poddisruptionbudgets/b", "")
	}
	require.Nil(t, at(t, s.must("GET", pods+"/web-0", ""), "metadata.deletionTimestamp"))
}

// TestDiscovery: each kind is found in both forms, and each can be listed.
func TestDiscovery(t *testing.T) {
	s := begin(t, nil)
	require.Equal(t, "v1.37.2", s.must("GET", "/version", "")["gitVersion"])
	require.Equal(t, "apps", at(t, s.must("GET", "/apis", ""), "groups.0.name"))
	found := 0
	for _, root := range []string{"/api", "/apis"} {
		list := s.must("GET", root, "", "Accept",
			"application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json")
		for _, group := range list["items"].([]any) {
			name, _ := at(t, group, "metadata.name").(string)
			version := at(t, group, "versions.0.version").(string)
			path := "/api/" + version
			if name != "" {
				path = "/apis/" + name + "/" + version
			}
			listed := s.must("GET", path, "")["resources"].([]any)
			for _, r := range at(t, group, "versions.0.resources").([]any) {
				found++
				if slices.Contains(at(t, r, "verbs").([]any), any("list")) {
					s.must("GET", path+"/"+at(t, r, "resource").(string), "")
				}
				require.True(t, strings.Contains(fmt.Sprint(listed), at(t, r, "resource").(string)))
			}
		}
	}
	require.Greater(t, found, 25)
}

// TestSelectors: by labels and by fields.
func TestSelectors(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, web)
	s.must("POST", "/sim/clock/settle", "")
	for query, want := range map[string]int{
		"labelSelector=app%3Dweb": 3, "labelSelector=app%3Ddb": 0, "fieldSelector=metadata.name%3Dweb-1": 1,
		"fieldSelector=status.phase%3DRunning": 3, "fieldSelector=spec.nodeName%21%3Dnode-1": 2, "limit=2": 2,
	} {
		list := s.must("GET", pods+"?"+query, "")
		require.Len(t, list["items"], want, query)
		if query == "limit=2" {
			rest := s.must("GET", pods+"?limit=2&continue="+at(t, list, "metadata.continue").(string), "")
			require.Len(t, rest["items"], 1)
		}
	}
	code, refused := s.ask("GET", pods+"?fieldSelector=spec.subdomain%3Dx", "")
	require.Equal(t, 400, code)
	require.Contains(t, refused["message"], "field label not supported: spec.subdomain")
	table := s.must("GET", pods, "", "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json")
	require.Equal(t, []any{"web-0", "1/1", "Running", "0"}, at(t, table, "rows.0.cells").([]any)[:4])
}

// TestParts: the parts of a list show one instant, whatever is written between them. A part that comes too late says so,
// and how the list goes on without that.
func TestParts(t *testing.T) {
	s := begin(t, nil)
	const secrets = "/api/v1/namespaces/default/secrets"
	write := func(name string) { s.must("POST", secrets, `{"metadata":{"name":"`+name+`"}}`) }
	names := func(list map[string]any) (names string) {
		for _, item := range list["items"].([]any) {
			names += at(t, item, "metadata.name").(string)
		}
		return names
	}
	for _, name := range []string{"a", "c", "e", "g"} {
		write(name)
	}
	first := s.must("GET", secrets+"?limit=1", "")
	version := at(t, first, "metadata.resourceVersion").(string)
	require.EqualValues(t, 3, at(t, first, "metadata.remainingItemCount"))
	s.must("DELETE", secrets+"/c", "")
	s.must("DELETE", secrets+"/e", "")
	s.must("PUT", secrets+"/g", `{"metadata":{"name":"g","labels":{"x":"y"}}}`)
	for _, name := range []string{"b", "e", "h"} {
		write(name)
	}
	next := secrets + "?limit=2&continue=" + at(t, first, "metadata.continue").(string)
	second := s.must("GET", next, "")
	require.Equal(t, "ce", names(second))
	require.Equal(t, version, at(t, second, "metadata.resourceVersion"))
	last := s.must("GET", secrets+"?limit=2&continue="+at(t, second, "metadata.continue").(string), "")
	require.Equal(t, "g", names(last))
	require.Nil(t, at(t, last, "items.0.metadata.labels"))
	require.Nil(t, at(t, last, "metadata.continue"))
	require.Nil(t, at(t, s.must("GET", secrets+"?limit=1&labelSelector=!x", ""), "metadata.remainingItemCount"))

	for i := range 9_000 {
		s.must("PUT", secrets+"/a", fmt.Sprintf(`{"metadata":{"name":"a","labels":{"n":"%d"}}}`, i))
	}
	code, expired := s.ask("GET", next, "")
	require.Equal(t, 410, code)
	require.Equal(t, "Expired", expired["reason"])
	rest := s.must("GET", secrets+"?continue="+at(t, expired, "metadata.continue").(string), "")
	require.Equal(t, "begh", names(rest))
}

// stream reads the events of a watch over a loopback listener.
type stream struct {
	t *testing.T
	*json.Decoder
}

func (s stream) next() (string, map[string]any) {
	s.t.Helper()
	var event struct {
		Type   string
		Object map[string]any
	}
	require.NoError(s.t, s.Decode(&event))
	return event.Type, event.Object
}

// TestWatch: what is there, then each change, in order, up to the end of the time that the client gives.
func TestWatch(t *testing.T) {
	s := begin(t, nil)
	server := httptest.NewServer(s)
	defer server.Close()
	version := at(t, s.must("GET", pods, ""), "metadata.resourceVersion").(string)
	s.must("POST", sets, web)
	response, err := http.Get(server.URL + pods + "?watch=1&timeoutSeconds=30&resourceVersion=" + version)
	require.NoError(t, err)
	defer response.Body.Close()
	events := stream{t, json.NewDecoder(response.Body)}
	kind, object := events.next()
	require.Equal(t, "ADDED web-0", kind+" "+at(t, object, "metadata.name").(string))
	s.must("POST", "/sim/clock/settle", "")
	seen := map[string]int{}
	for seen["ADDED"] < 2 || at(t, object, "metadata.name") != "web-2" || at(t, object, "status.phase") != "Running" {
		kind, object = events.next()
		seen[kind]++
	}
	require.Greater(t, seen["MODIFIED"], 5)

	initial,
		err := http.Get(server.URL + pods + "?watch=1&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true" +
		"&resourceVersionMatch=NotOlderThan")
	require.NoError(t, err)
	defer initial.Body.Close()
	all, err := io.ReadAll(initial.Body)
	require.NoError(t, err)
	require.Equal(t, 3, bytes.Count(all, []byte(`"ADDED"`)))
	require.Contains(t, string(all), "k8s.io/initial-events-end")
	require.Equal(t, 2, bytes.Count(all, []byte(`"BOOKMARK"`)), "the second one says from where to go on")
}

// TestTheClock: at 60x a second of the clients is a minute, and max plays what is left to be played.
func TestTheClock(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.Speed = clock.Speed(60) })
	s.must("POST", sets, web)
	s.now = s.now.Add(time.Second)
	require.EqualValues(t, 60, s.must("GET", "/sim/clock", "")["at"])
	require.EqualValues(t, 3, at(t, s.must("GET", sets+"/web", ""), "status.readyReplicas"))
	s.must("POST", "/sim/clock/pause", "")
	s.now = s.now.Add(time.Hour)
	require.EqualValues(t, 60, s.must("GET", "/sim/clock", "")["at"])
	require.EqualValues(t, 90, s.must("POST", "/sim/clock/advance?by=30s", "")["at"])
	s.must("POST", "/sim/clock/speed?to=max", "")
	s.must("PATCH", sets+"/web", `{"spec":{"replicas":5}}`, "Content-Type", "application/merge-patch+json")
	for s.Turn() == 0 {
	}
	require.EqualValues(t, 5, at(t, s.must("GET", sets+"/web", ""), "status.readyReplicas"))
	code, _ := s.ask("POST", "/sim/clock/speed?to=fast", "")
	require.Equal(t, 400, code)
}

// TestLeasesOfNodes: the leases of the kubelets show how late it is, in one namespace and among all leases, where each
// has its place in the order. A kubelet that is silent has none.
func TestLeasesOfNodes(t *testing.T) {
	s := begin(t, func(c *serve.Config) {
		c.World.Start = &sim.State{From: "a test"}
		for _, name := range []string{"a", "b", "silent"} {
			node := sim.NodeState{Node: nodes.Spec{Name: name}, Down: name == "silent", NotReady: name == "silent"}
			c.World.Start.Nodes = append(c.World.Start.Nodes, node)
		}
	})
	s.must("GET", "/api/v1/nodes/silent", "")
	const leases = "/apis/coordination.k8s.io/v1"
	for _, namespace := range []string{"default", "kube-system"} {
		s.must("POST", leases+"/namespaces/"+namespace+"/leases",
			`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"mine"}}`)
	}
	s.must("POST", "/sim/clock/advance?by=90s", "")
	all := s.must("GET", leases+"/leases", "")
	for i, key := range []string{"default/mine", "kube-node-lease/a", "kube-node-lease/b", "kube-system/mine"} {
		item := fmt.Sprintf("items.%d.metadata.", i)
		require.Equal(t, key, fmt.Sprint(at(t, all, item+"namespace"), "/", at(t, all, item+"name")))
	}
	const of = leases + "/namespaces/kube-node-lease/leases"
	require.Equal(t, "2026-01-01T00:01:30.000000Z", at(t, s.must("GET", of+"/b", ""), "spec.renewTime"))
	require.Len(t, s.must("GET", of, "")["items"], 2)
	for _, name := range []string{"c", "silent"} {
		code, _ := s.ask("GET", of+"/"+name, "")
		require.Equal(t, 404, code, name)
	}
}

// TestLockstep: the clock jumps only when the clients are quiet.
func TestLockstep(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.Speed, c.Lockstep = clock.Max, 20*time.Millisecond })
	s.must("POST", sets, web)
	require.Equal(t, 20*time.Millisecond, s.Turn(), "a client was just heard of")
	s.now = s.now.Add(20 * time.Millisecond)
	require.Zero(t, s.Turn())
}

// TestANameOfTheDeleted: an object that is being deleted has its name still, and the refusal says so. A budget may have any
// name.
func TestANameOfTheDeleted(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, web)
	s.must("DELETE", sets+"/web", `{"propagationPolicy":"Foreground"}`)
	code, answer := s.ask("POST", sets, web)
	require.Equal(t, 409, code)
	require.Equal(t, `object is being deleted: statefulsets.apps "web" already exists`, answer["message"])
	s.must("POST", "/apis/policy/v1/namespaces/default/poddisruptionbudgets", `{"metadata":{"name":"B_x"},"spec":{}}`)
}

const claims = "/api/v1/namespaces/default/persistentvolumeclaims"

// TestOwnersOfClaims: the owners that a client gives a claim count for the controller of the set and for the collector,
// and are shown as they were sent. A finalizer of a client keeps a claim.
func TestOwnersOfClaims(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, strings.Replace(web, `"template"`, `"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete"},
		"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":
		{"storage":"1Gi"}}}}],"template"`, 1))
	s.settle()
	own := at(t, s.must("GET", claims+"/data-web-0", ""), "metadata.ownerReferences.0").(map[string]any)
	owner := s.must("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"owner"}}`)
	give := func(claim, refs, more string) {
		s.must("PATCH", claims+"/"+claim, `{"metadata":{"ownerReferences":[`+refs+`]`+more+`}}`,
			"Content-Type", "application/merge-patch+json")
	}
	other := fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":%q}`, at(t, owner, "metadata.uid"))
	give("data-web-1", other, "")
	gone := `{"apiVersion":"apps/v1","kind":"StatefulSet","name":"unknown","uid":"9d86d6ae","controller":true}`
	give("data-web-2", gone, `,"finalizers":["example.com/kept"]`)
	s.must("PATCH", claims+"/data-web-0", `{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}`, "Content-Type",
		"application/merge-patch+json")
	code, _ := s.ask("PATCH", claims+"/data-web-0", `{"spec":{"volumeName":"another"}}`, "Content-Type",
		"application/merge-patch+json")
	require.Equal(t, 422, code)
	s.must("PATCH", sets+"/web", `{"metadata":{"labels":{"a":"b"}},"spec":{"replicas":4}}`, "Content-Type",
		"application/merge-patch+json")
	s.settle()
	refs := at(t, s.must("GET", claims+"/data-web-1", ""), "metadata.ownerReferences").([]any)
	require.Len(t, refs, 2, "another owner is kept, and the set comes behind it")
	require.Equal(t, "owner", at(t, refs, "0.name"))
	require.Equal(t, own, refs[1])
	third := s.must("GET", claims+"/data-web-2", "")
	require.Equal(t, "9d86d6ae", at(t, third, "metadata.ownerReferences.0.uid"))
	require.NotNil(t, at(t, third, "metadata.deletionTimestamp"), "its owner does not exist")

	s.must("DELETE", sets+"/web", "")
	s.settle()
	left := s.must("GET", claims, "")["items"].([]any)
	require.Len(t, left, 2)
	require.Equal(t, []any{"data-web-1", "data-web-2"}, []any{at(t, left, "0.metadata.name"), at(t, left, "1.metadata.name")})
	s.must("PATCH", claims+"/data-web-2", `{"metadata":{"finalizers":null}}`, "Content-Type", "application/merge-patch+json")
	s.must("DELETE", "/api/v1/namespaces/default/configmaps/owner", "")
	s.settle()
	require.Empty(t, s.must("GET", "/api/v1/persistentvolumes", "")["items"])
	require.Empty(t, s.must("GET", claims, "")["items"], "the last owner of the one has gone, and the last finalizer of the other")
}

// TestTemplatesOfClaimsAreKept: the metadata that an operator gives a template of claims is shown as it was sent, so what
// was read can be written again. Each claim gets its owners, and goes with them.
func TestTemplatesOfClaimsAreKept(t *testing.T) {
	s := begin(t, nil)
	const configs = "/api/v1/namespaces/default/configmaps"
	owner := s.must("POST", configs, `{"metadata":{"name":"owner","finalizers":["example.com/kept"]}}`)
	ref := fmt.Sprintf(`"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":%q,"controller":true}]`,
		at(t, owner, "metadata.uid"))
	s.must("POST", sets, strings.NewReplacer(`"name":"web",`, `"name":"web",`+ref+`,`,
		`"template"`, `"volumeClaimTemplates":[{"metadata":{"name":"data","namespace":"default","labels":{"a":"b"},`+ref+`},
		"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}],"template"`).Replace(web))
	s.settle()
	set := s.must("GET", sets+"/web", "")
	require.Equal(t, "owner", at(t, set, "spec.volumeClaimTemplates.0.metadata.ownerReferences.0.name"))
	require.Equal(t, "owner", at(t, s.must("GET", claims+"/data-web-0", ""), "metadata.ownerReferences.0.name"))
	set["spec"].(map[string]any)["replicas"] = 2
	data, _ := json.Marshal(set)
	require.EqualValues(t, 2, at(t, s.must("PUT", sets+"/web", string(data)), "spec.replicas"))

	s.must("DELETE", configs+"/owner", "")
	s.settle()
	require.Len(t, s.must("GET", claims, "")["items"], 3, "its finalizer holds the owner")
	s.must("PATCH", configs+"/owner", `{"metadata":{"finalizers":null}}`, "Content-Type", "application/merge-patch+json")
	s.settle()
	for _, path := range []string{sets, pods, claims} {
		require.Empty(t, s.must("GET", path, "")["items"], "what an owner owns goes after its last finalizer")
	}
	for path, name := range map[string]string{configs: "late", "/api/v1/namespaces/default/services": "late", sets: "web"} {
		body := strings.Replace(web, `"name":"web",`, `"name":"web",`+ref+`,`, 1)
		if path != sets {
			body = `{"metadata":{"name":"late",` + ref + `},"spec":{"clusterIP":"None"}}`
		}
		s.must("POST", path, body)
		s.settle()
		code, _ := s.ask("GET", path+"/"+name, "")
		require.Equal(t, 404, code, "what an operator makes for an owner that has gone goes too")
	}
}

// TestDeletionOfOwners: what an object owns that only the API has is left, is deleted after it, or goes before it, as its
// deletion says, and also if a finalizer holds the owner for some time.
func TestDeletionOfOwners(t *testing.T) {
	const configs, merge = "/api/v1/namespaces/default/configmaps", "application/merge-patch+json"
	for policy, left := range map[string]int{"Orphan": 4, "Background": 0, "Foreground": 0} {
		t.Run(policy, func(t *testing.T) {
			s := begin(t, nil)
			refs := ""
			for _, name := range []string{"owner", "other"} {
				owner := s.must("POST", configs, `{"metadata":{"name":"`+name+`","finalizers":["example.com/kept"]}}`)
				refs += fmt.Sprintf(`,{"apiVersion":"v1","kind":"ConfigMap","name":%q,"uid":%q,"blockOwnerDeletion":true}`, name,
					at(t, owner, "metadata.uid"))
			}
			one, both := strings.Split(refs, ",{")[1], refs[1:]
			s.must("POST", sets, strings.Replace(web, `"name":"web"`, `"name":"web","ownerReferences":[{`+one+`]`, 1))
			s.must("POST", claims, `{"metadata":{"name":"c","ownerReferences":[{`+one+`]},"spec":{"accessModes":["ReadWriteOnce"],
				"resources":{"requests":{"storage":"1Gi"}}}}`)
			s.must("POST", configs, `{"metadata":{"name":"child","ownerReferences":[{`+one+`]}}`)
			s.must("POST", configs, `{"metadata":{"name":"shared","ownerReferences":[`+both+`]}}`)
			s.settle()
			all := []string{sets + "/web", claims + "/c", configs + "/child", configs + "/shared"}
			there := func() (n int) {
				for _, path := range all {
					if code, _ := s.ask("GET", path, ""); code == 200 {
						n++
					}
				}
				return n
			}
			for _, owner := range []string{"owner", "other"} {
				s.must("DELETE", configs+"/"+owner, `{"propagationPolicy":"`+policy+`"}`)
				kept := s.must("GET", configs+"/"+owner, "")
				require.NotNil(t, at(t, kept, "metadata.deletionTimestamp"))
				if policy == "Foreground" && owner == "owner" {
					require.Equal(t, []any{"example.com/kept", "foregroundDeletion"}, at(t, kept, "metadata.finalizers"))
					require.Equal(t, 2, there(), "the set waits for its pods, and the shared one has another owner")
				}
				s.settle()
				s.must("PATCH", configs+"/"+owner, `{"metadata":{"finalizers":null}}`, "Content-Type", merge)
				s.settle()
				code, _ := s.ask("GET", configs+"/"+owner, "")
				require.Equal(t, 404, code)
				if policy != "Orphan" && owner == "owner" {
					require.Len(t, at(t, s.must("GET", configs+"/shared", ""), "metadata.ownerReferences"), 1)
				}
			}
			require.Equal(t, left, there())
			for _, path := range all[:left] {
				require.Nil(t, at(t, s.must("GET", path, ""), "metadata").(map[string]any)["ownerReferences"], path)
			}
		})
	}
}

// TestOwnersOfOneAnother: an object whose owners all go is deleted, also if one of them owns the other, if one was never
// there, or if a client deletes all of them at once.
func TestOwnersOfOneAnother(t *testing.T) {
	const configs = "/api/v1/namespaces/default/configmaps"
	for _, policy := range []string{"Background", "Foreground", "Orphan"} {
		for _, path := range []string{configs + "/a", configs} {
			s := begin(t, nil)
			refs := `{"apiVersion":"v1","kind":"ConfigMap","name":"never","uid":"none","blockOwnerDeletion":true}`
			for _, name := range []string{"a", "b", "c"} {
				more := `,"ownerReferences":[` + refs + `]`
				if name == "a" {
					more = ""
				}
				o := s.must("POST", configs, `{"metadata":{"name":"`+name+`"`+more+`}}`)
				refs += fmt.Sprintf(`,{"apiVersion":"v1","kind":"ConfigMap","name":%q,"uid":%q,"blockOwnerDeletion":true}`, name,
					at(t, o, "metadata.uid"))
			}
			s.must("DELETE", path, `{"propagationPolicy":"`+policy+`"}`)
			s.settle()
			for _, name := range []string{"a", "b", "c"} {
				code, _ := s.ask("GET", configs+"/"+name, "")
				stays := policy == "Orphan" && path != configs && name != "a"
				require.Equal(t, map[bool]int{true: 200, false: 404}[stays], code, "%s %s: %s", policy, path, name)
			}
		}
	}
}

// TestForegroundInACircle: objects that own one another in a circle and wait for one another go, as a real cluster sees to
// it: the last of the circle holds nobody up.
func TestForegroundInACircle(t *testing.T) {
	const configs = "/api/v1/namespaces/default/configmaps"
	for _, circle := range []string{"ab", "abc", "abcd"} {
		s := begin(t, nil)
		uids := map[rune]any{}
		for _, name := range circle {
			uids[name] = at(t, s.must("POST", configs, `{"metadata":{"name":"`+string(name)+`"}}`), "metadata.uid")
		}
		for i, name := range circle {
			owner := rune(circle[(i+1)%len(circle)])
			s.must("PATCH", configs+"/"+string(name), fmt.Sprintf(`{"metadata":{"ownerReferences":[{"apiVersion":"v1",
				"kind":"ConfigMap","name":%q,"uid":%q,"blockOwnerDeletion":true}]}}`, string(owner), uids[owner]),
				"Content-Type", "application/merge-patch+json")
		}
		s.must("DELETE", configs+"/a", `{"propagationPolicy":"Foreground"}`)
		for _, name := range circle {
			code, _ := s.ask("GET", configs+"/"+string(name), "")
			require.Equal(t, 404, code, "%c of %s", name, circle)
		}
	}
}

// TestForeground: an owner goes when its last pod has gone, also behind a checkpoint. What is not to hold it up does not.
func TestForeground(t *testing.T) {
	s := begin(t, nil)
	const configs = "/api/v1/namespaces/default/configmaps"
	owner := s.must("POST", configs, `{"metadata":{"name":"owner"}}`)
	ref := fmt.Sprintf(`"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":%q`, at(t, owner, "metadata.uid"))
	s.must("POST", sets, strings.Replace(web, `"name":"web"`, `"name":"web",`+ref+`,"blockOwnerDeletion":true}]`, 1))
	s.must("POST", configs, `{"metadata":{"name":"slow","finalizers":["example.com/kept"],`+ref+`}]}}`)
	s.settle()
	s.must("DELETE", configs+"/owner", `{"propagationPolicy":"Foreground"}`)
	s.must("POST", "/sim/checkpoint/going", "")
	for range 2 {
		require.Len(t, s.must("GET", pods, "")["items"], 3)
		s.must("GET", configs+"/owner", "")
		s.settle()
		code, _ := s.ask("GET", configs+"/owner", "")
		require.Equal(t, 404, code)
		require.Empty(t, s.must("GET", pods, "")["items"])
		require.NotNil(t, at(t, s.must("GET", configs+"/slow", ""), "metadata.deletionTimestamp"))
		s.must("POST", "/sim/restore/going", "")
	}
}

// TestForegroundEndsAtOnce: an owner goes with the last that it waits for, also while the clock stands still. A client that
// deletes it once more need not wait.
func TestForegroundEndsAtOnce(t *testing.T) {
	const configs, merge = "/api/v1/namespaces/default/configmaps", "application/merge-patch+json"
	for _, then := range []string{"released", "Background", "Orphan"} {
		s := begin(t, nil)
		owner := s.must("POST", configs, `{"metadata":{"name":"owner"}}`)
		s.must("POST", configs, fmt.Sprintf(`{"metadata":{"name":"slow","finalizers":["example.com/kept"],"ownerReferences":[
			{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":%q,"blockOwnerDeletion":true}]}}`, at(t, owner, "metadata.uid")))
		s.must("DELETE", configs+"/owner", `{"propagationPolicy":"Foreground"}`)
		s.must("GET", configs+"/owner", "")
		if then == "released" {
			s.must("PATCH", configs+"/slow", `{"metadata":{"finalizers":null}}`, "Content-Type", merge)
		} else {
			s.must("DELETE", configs+"/owner", `{"propagationPolicy":"`+then+`"}`)
		}
		code, _ := s.ask("GET", configs+"/owner", "")
		require.Equal(t, 404, code, then)
	}
}

// TestOwnedByPodsAndSets: what a pod or a set owns that only the API has follows it when the cluster has deleted it, and
// stays if a set leaves it. A scenario of the session does the same.
func TestOwnedByPodsAndSets(t *testing.T) {
	const configs, services = "/api/v1/namespaces/default/configmaps/", "/api/v1/namespaces/default/services/"
	for _, policy := range []string{"Background", "Foreground", "Orphan"} {
		s := begin(t, nil)
		s.must("POST", sets, web)
		s.settle()
		own := func(path, kind, version, name string, more string) {
			uid := at(t, s.must("GET", strings.Replace(path, "OWNED", name, 1), ""), "metadata.uid")
			refs := fmt.Sprintf(`"ownerReferences":[{"apiVersion":%q,"kind":%q,"name":%q,"uid":%q}]`, version, kind, name, uid)
			s.must("POST", strings.TrimSuffix(configs, "/"), `{"metadata":{"name":"of-`+name+`",`+refs+`}}`)
			if more != "" {
				s.must("POST", strings.TrimSuffix(services, "/"), `{"metadata":{"name":"of-`+name+`",`+refs+`},`+more+`}`)
			}
		}
		own(sets+"/OWNED", "StatefulSet", "apps/v1", "web", `"spec":{"clusterIP":"None","selector":{"app":"web"},"ports":[{"port":80}]}`)
		own(pods+"/OWNED", "Pod", "v1", "web-1", "")
		s.must("DELETE", pods+"/web-1", "")
		s.must("GET", configs+"of-web-1", "")
		s.settle()
		code, _ := s.ask("GET", configs+"of-web-1", "")
		require.Equal(t, 404, code, "its pod has gone")
		s.must("DELETE", sets+"/web", `{"propagationPolicy":"`+policy+`"}`)
		if policy == "Foreground" {
			s.must("GET", sets+"/web", "")
			code, _ = s.ask("GET", services+"of-web", "")
			require.Equal(t, 404, code, "it goes before its owner")
		}
		s.settle()
		for _, path := range []string{configs, services} {
			code, _ = s.ask("GET", path+"of-web", "")
			require.Equal(t, map[bool]int{true: 200, false: 404}[policy == "Orphan"], code, "%s %s", policy, path)
		}
		s.End()
		saved := recording.Session{Header: recording.Header{Format: 1, Kubernetes: "1.37"}, Requests: s.recorded}
		saved.Epoch = s.now
		_, err := serve.Scenario(&saved, "session", strict.DefaultLimits(), "test")
		require.NoError(t, err, policy)
	}
}

// TestSameAgain: an object that is replaced by itself keeps its version, so an operator that writes what it wants again
// and again hears nothing of it. As protobuf has it, the body names no kind.
func TestSameAgain(t *testing.T) {
	s := begin(t, nil)
	for path, body := range map[string]string{
		"/api/v1/namespaces/default/services": `{"metadata":{"name":"a","labels":{"b":"c"}},"spec":{"clusterIP":"None",
			"selector":{"app":"web"},"ports":[{"port":80,"name":"http"}]}}`,
		"/api/v1/namespaces/default/configmaps": `{"metadata":{"name":"a"},"data":{"a":"b"}}`,
		"/api/v1/namespaces/default/secrets":    `{"metadata":{"name":"a"},"stringData":{"a":"b"}}`,
		"/apis/policy/v1/namespaces/default/poddisruptionbudgets": `{"metadata":{"name":"a"},"spec":{"minAvailable":1,
			"selector":{"matchLabels":{"app":"web"}}}}`,
		"/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles": `{"metadata":{"name":"a"},"rules":[{"verbs":["get"],
			"apiGroups":[""],"resources":["endpoints"]}]}`,
		sets: strings.Replace(web, `"name":"web"`, `"name":"a"`, 1),
	} {
		s.must("POST", path, body)
		s.settle()
		before := s.must("GET", path+"/a", "")
		s.must("POST", "/sim/clock/advance?by=1m", "")
		version := at(t, before, "metadata.resourceVersion").(string)
		s.must("PUT", path+"/a", strings.Replace(body, `"metadata":{`, `"metadata":{"resourceVersion":"`+version+`",`, 1))
		require.Equal(t, before, s.must("GET", path+"/a", ""), path)
	}
	secret := s.must("GET", "/api/v1/namespaces/default/secrets/a", "")
	require.Equal(t, []any{"Yg==", "Opaque", nil}, []any{at(t, secret, "data.a"), secret["type"], secret["stringData"]})
}
