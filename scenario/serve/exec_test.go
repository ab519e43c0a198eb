package serve_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/websocket"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"

	"github.com/statefulsim/statefulsim/scenario/serve"
)

// exec runs a command in a container over a websocket, as kubectl does, and returns what it prints and how it ends.
func (s *session) exec(pod, in string, command ...string) (out, err, status string) {
	s.t.Helper()
	server := httptest.NewServer(s.Server)
	defer server.Close()
	query := url.Values{"command": command, "stdout": {"true"}, "stderr": {"true"}}
	if in != "" {
		query.Set("stdin", "true")
	}
	config, wrong := websocket.NewConfig("ws"+strings.TrimPrefix(server.URL, "http")+pods+"/"+pod+"/exec?"+query.Encode(),
		server.URL)
	require.NoError(s.t, wrong)
	config.Protocol = []string{"v5.channel.k8s.io"}
	c, wrong := websocket.DialConfig(config)
	require.NoError(s.t, wrong)
	defer c.Close()
	if in != "" {
		c.PayloadType = websocket.BinaryFrame
		c.Write(append([]byte{0}, in...))
		c.Write([]byte{255, 0})
	}
	texts := map[byte]string{}
	for {
		var message []byte
		if websocket.Message.Receive(c, &message) != nil {
			break
		}
		texts[message[0]] += string(message[1:])
	}
	var ended struct {
		Status  string
		Details struct{ Causes []struct{ Message string } }
	}
	require.NoError(s.t, json.Unmarshal([]byte(texts[3]), &ended))
	if len(ended.Details.Causes) > 0 {
		return texts[1], texts[2], ended.Details.Causes[0].Message
	}
	return texts[1], texts[2], ended.Status
}

// spdy runs a command in a container over SPDY, as operators do, and returns what its streams have brought.
func (s *session) spdy(pod, in string, command ...string) map[string]string {
	s.t.Helper()
	server := httptest.NewServer(s.Server)
	defer server.Close()
	query := url.Values{"command": command, "stdout": {"true"}, "stderr": {"true"}}
	names := []string{"error", "stdout", "stderr"}
	if in != "" {
		query.Set("stdin", "true")
		names = append(names, "stdin")
	}
	c, streams := s.upgraded(server.URL+pods+"/"+pod+"/exec?"+query.Encode(), names)
	defer c.Close()
	if in != "" {
		io.WriteString(streams["stdin"], in)
		streams["stdin"].Close()
	}
	texts := map[string]string{}
	for _, name := range names[:3] {
		data, _ := io.ReadAll(streams[name])
		texts[name] = string(data)
	}
	return texts
}

// upgraded begins a command over SPDY and opens streams.
func (s *session) upgraded(url string, names []string) (httpstream.Connection, map[string]httpstream.Stream) {
	s.t.Helper()
	request, err := http.NewRequest("POST", url, nil)
	require.NoError(s.t, err)
	request.Header["X-Stream-Protocol-Version"] = []string{"v5.channel.k8s.io", "v4.channel.k8s.io"}
	upgrade, err := spdy.NewRoundTripper(nil)
	require.NoError(s.t, err)
	response, err := upgrade.RoundTrip(request)
	require.NoError(s.t, err)
	c, err := upgrade.NewConnection(response)
	require.NoError(s.t, err)
	streams := map[string]httpstream.Stream{}
	for _, name := range names {
		streams[name], err = c.CreateStream(http.Header{"Streamtype": {name}})
		require.NoError(s.t, err)
	}
	return c, streams
}

// TestExecIsLeft: a client that goes away before it has opened its streams holds nothing up: its request ends. So does that
// of a client that stays and opens none for too long.
func TestExecIsLeft(t *testing.T) {
	soon := false
	s := begin(t, func(c *serve.Config) {
		c.When = func(closed <-chan bool, do func()) {
			if soon {
				go do()
				return
			}
			when(closed, do)
		}
	})
	s.must("POST", sets, web)
	s.settle()
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(w, r)
		ended <- struct{}{}
	}))
	defer server.Close()
	for i, streams := range [][]string{{}, {"error"}, {"error", "stdout"}, {}} {
		soon = i == 3
		c, _ := s.upgraded(server.URL+pods+"/web-0/exec?command=ls&stdin=true&stdout=true", streams)
		if !soon {
			require.NoError(t, c.Close())
		}
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			require.FailNow(t, "the request goes on", "%d streams", len(streams))
		}
	}
}

// TestExecOverSPDY: the streams of a command over SPDY are those over a websocket.
func TestExecOverSPDY(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, web)
	s.settle()
	r := s.spdy("web-0", "sent", "sh", "-c", "cat; echo wrong >&2; exit 3")
	require.Equal(t, "sent", r["stdout"])
	require.Equal(t, "wrong\n", r["stderr"])
	require.Contains(t, r["error"], `"reason":"NonZeroExitCode"`)
	require.Contains(t, s.spdy("web-0", "", "touch", "/tmp/x")["error"], `"status":"Success"`)
	out, _, _ := s.exec("web-0", "", "ls", "/tmp")
	require.Equal(t, "x\n", out)
}

// probed is the set web whose container has a volume and this readiness probe.
func probed(probe string) string {
	return strings.Replace(web, `"image":"app:v1"`, `"image":"app:v1","volumeMounts":[{"name":"data","mountPath":"/data/"}],
		"readinessProbe":`+probe+`}],"volumes":[{"name":"data","emptyDir":{}}],"initContainers":[{"name":"init","image":"i"`, 1)
}

func (s *session) settle() { s.must("POST", "/sim/clock/settle", "") }

func (s *session) ready() any { return at(s.t, s.must("GET", sets+"/web", ""), "status.readyReplicas") }

// TestExecMovesReadiness: what exec does to the files that a readiness probe looks for decides whether the pod is Ready.
// A container begins with them, but for those in a volume. The same is recorded, and a replay of it is the same.
func TestExecMovesReadiness(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, probed(`{"httpGet":{"path":"/localhost.crt","port":80}}`))
	s.settle()
	require.EqualValues(t, 3, s.ready())
	out, _, status := s.exec("web-1", "", "/bin/sh", "-x", "-c", "mv -v /localhost.crt /tmp/ || true")
	require.Equal(t, "renamed '/localhost.crt' -> '/tmp/localhost.crt'\n", out)
	require.Equal(t, "Success", status)
	s.settle()
	require.EqualValues(t, 2, s.ready())
	s.must("POST", "/sim/checkpoint/broken", "")
	s.exec("web-1", "", "mv", "/tmp/localhost.crt", "/")
	s.settle()
	s.must("POST", "/sim/restore/broken", "")
	require.EqualValues(t, 2, s.ready())
	s.exec("web-1", "", "mv", "/tmp/localhost.crt", "/")
	s.settle()
	require.EqualValues(t, 3, s.ready())
	s.exec("web-1", "", "rm", "/localhost.crt")
	s.must("DELETE", pods+"/web-1", "")
	s.settle()
	require.EqualValues(t, 3, s.ready(), "a new container has new files")

	s.must("DELETE", sets+"/web", "")
	s.must("POST", sets, probed(`{"exec":{"command":["test","-f","/data/go"]},"periodSeconds":1}`))
	s.settle()
	require.Nil(t, s.ready(), "a volume is empty")
	s.exec("web-0", "", "touch", "/data/go")
	s.settle()
	require.EqualValues(t, 1, s.ready())

	events := timelineOf(s.End())
	again := begin(t, nil)
	require.NoError(t, again.Replay("session.jsonl", s.recorded))
	require.Equal(t, events, timelineOf(again.End()))
}

// TestProbesOfPrograms: a probe that runs what a simulated container does not have passes, and one that looks for a file
// of the application too.
func TestProbesOfPrograms(t *testing.T) {
	for _, probe := range []string{
		`{"exec":{"command":["pg_isready","-U","postgres"]}}`,
		`{"exec":{"command":["sh","-c","redis-cli ping | grep PONG"]}}`, `{"exec":{"command":["cat","/tmp/healthy"]}}`,
		`{"exec":{"command":["sh","-c","! test -f /tmp/leaving"]}}`, `{"tcpSocket":{"port":80}}`,
		`{"httpGet":{"path":"/","port":80}}`, `{"httpGet":{"path":"/health/ready?full=1","port":80}}`,
	} {
		s := begin(t, nil)
		s.must("POST", sets, probed(probe))
		s.settle()
		require.EqualValues(t, 3, s.ready(), probe)
	}
}

// TestExec: what comes back of a command, and what is refused.
func TestExec(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"c"},"data":{"a.conf":"x=1\n"}}`)
	s.must("POST", sets, strings.Replace(web, `"image":"app:v1"`, `"image":"app:v1","env":[{"name":"POD","valueFrom":
		{"fieldRef":{"fieldPath":"metadata.name"}}}],"volumeMounts":[{"name":"c","mountPath":"/etc/app"}]}],
		"volumes":[{"name":"c","configMap":{"name":"c"}`, 1))
	code, answer := s.ask("GET", pods+"/web-0/exec?command=ls", "")
	require.Equal(t, 400, code, answer)
	require.Contains(t, answer["message"], "it does not run now")
	s.settle()
	for _, test := range []struct {
		in, command      string
		out, err, status string
	}{
		{"", "hostname", "web-0\n", "", "Success"},
		{"", "printenv POD", "web-0\n", "", "Success"},
		{"", "cat /etc/app/a.conf", "x=1\n", "", "Success"},
		{"sent\n", "cat", "sent\n", "", "Success"},
		{"", "false", "", "", "1"},
		{"", "ps aux", "", "exec: ps: not found: the programs of a simulated container are ", "127"},
	} {
		out, err, status := s.exec("web-0", test.in, strings.Fields(test.command)...)
		require.Equal(t, test.out, out, test.command)
		require.True(t, strings.HasPrefix(err, test.err), err)
		require.Equal(t, test.status, status, test.command)
	}
	for path, says := range map[string]string{
		"web-0/exec":                           "at least 1 command",
		"web-0/exec?command=ls":                "exec is served over a websocket or over SPDY/3.1",
		"web-0/exec?command=ls&container=none": "container none is not valid for pod web-0",
		"web-9/exec?command=ls":                `pods "web-9" not found`,
		"web-0/attach":                         "kubectl exec runs commands",
		"web-0/portforward":                    "no process listens",
		"web-0/log?previous=true":              `previous terminated container "app" in pod "web-0" not found`,
		"web-0/log?container=none":             "container none is not valid for pod web-0",
	} {
		_, answer := s.ask("GET", pods+"/"+path, "")
		require.Contains(t, answer["message"], says, path)
	}
}

// TestBinding: a pod that names its node, or that somebody else binds, comes to that node. The kubelet of a node refuses
// a pod of which a host port is taken, and the controller of the set creates it again until it is free.
func TestBinding(t *testing.T) {
	s := begin(t, nil)
	first := at(t, s.must("GET", "/api/v1/nodes", ""), "items.0.metadata.name").(string)
	s.must("POST", pods, `{"metadata":{"name":"p"},"spec":{"nodeName":"`+first+`","containers":[{"name":"c","image":"i",
		"ports":[{"hostPort":2101,"containerPort":2101}]}]}}`)
	s.settle()
	require.Equal(t, "Running", at(t, s.must("GET", pods+"/p", ""), "status.phase"))
	s.must("POST", sets, strings.Replace(web, `"containers":[{`, `"nodeName":"`+first+`","containers":[{"ports":[{"hostPort":2101,
		"containerPort":2101}],`, 1))
	uid := at(t, s.must("GET", pods+"/web-0", ""), "metadata.uid")
	s.must("POST", "/sim/clock/advance?by=1m", "")
	require.NotEqual(t, uid, at(t, s.must("GET", pods+"/web-0", ""), "metadata.uid"))
	s.must("DELETE", pods+"/p?gracePeriodSeconds=0", "")
	s.must("POST", "/sim/clock/advance?by=1m", "")
	require.Equal(t, "Running", at(t, s.must("GET", pods+"/web-0", ""), "status.phase"))

	for _, node := range s.must("GET", "/api/v1/nodes", "")["items"].([]any) {
		s.must("PATCH", "/api/v1/nodes/"+at(t, node, "metadata.name").(string), `{"spec":{"unschedulable":true}}`,
			"Content-Type", "application/merge-patch+json")
	}
	s.must("POST", pods, `{"metadata":{"name":"q"},"spec":{"containers":[{"name":"c","image":"i"}]}}`)
	s.must("POST", pods+"/q/binding", `{"target":{"kind":"Node","name":"`+first+`"}}`)
	require.Equal(t, first, at(t, s.must("GET", pods+"/q", ""), "spec.nodeName"))
	code, _ := s.ask("POST", pods+"/q/binding", `{"target":{"kind":"Node","name":"`+first+`"}}`)
	require.Equal(t, 409, code)
}
