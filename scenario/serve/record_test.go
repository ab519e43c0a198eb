package serve_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestReplay: at whatever speed a session was recorded, it gives the same timeline, byte for byte. The clients' clock goes
// on between requests by times that are no whole instants, and the clock is moved by hand too.
func TestReplay(t *testing.T) {
	for name, config := range map[string]func(*serve.Config){
		"1x":       func(c *serve.Config) { c.Speed = 1 },
		"60x":      func(c *serve.Config) { c.Speed = 60 },
		"max":      func(c *serve.Config) { c.Speed = clock.Max },
		"lockstep": func(c *serve.Config) { c.Speed, c.Lockstep = clock.Max, time.Second },
		"paused":   func(c *serve.Config) {},
	} {
		for seed := range uint64(8) {
			s := begin(t, config)
			random := rand.New(rand.NewPCG(seed, 1))
			written(s, random)
			events := timelineOf(s.End())
			text := line(t, recording.Header{Format: 1, Sim: "test"})
			for _, q := range s.recorded {
				text += line(t, q)
			}
			read, err := recording.ReadSession("session.jsonl", []byte(text))
			require.NoError(t, err)
			again := begin(t, nil)
			require.NoError(t, again.Replay("session.jsonl", read.Requests))
			require.Equal(t, events, timelineOf(again.End()), "%s, seed %d:\n%s", name, seed, text)
		}
	}
}

// line returns a line of a recording.
func line(t *testing.T, of any) string {
	text, err := recording.Line(of)
	require.NoError(t, err)
	return string(text)
}

// written lets a client change things in a session, as time goes on.
func written(s *session, random *rand.Rand) {
	const sets = "/apis/apps/v1/namespaces/default/statefulsets"
	ask := func(method, path, body string, header ...string) { s.ask(method, path, body, header...) }
	for i := range 12 {
		switch random.IntN(9) {
		case 0, 1, 2:
			ask("POST", sets, set(fmt.Sprintf("web-%c", 'a'+i), random.IntN(4)))
		case 3:
			ask("PATCH", sets+"/web-a", `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"app:v2"}]}}}}`,
				"Content-Type", "application/strategic-merge-patch+json")
		case 4:
			ask("PATCH", sets+"/web-b/scale", `{"spec":{"replicas":1}}`, "Content-Type", "application/merge-patch+json")
		case 5:
			ask("DELETE", "/api/v1/namespaces/default/pods/web-a-0", "")
		case 6:
			ask("DELETE", sets+"/web-b", `{"propagationPolicy":"Foreground"}`)
		case 7:
			ask("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"generateName":"c-"},"data":{"a":"b"}}`)
		case 8:
			ask("POST", "/sim/clock/advance?by=1500ms", "")
		}
		s.now = s.now.Add(time.Duration(random.IntN(2_000_000_000)))
		for range random.IntN(5) {
			s.Turn()
		}
	}
}

// set is a StatefulSet.
func set(name string, replicas int) string {
	return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":%q},"spec":{"replicas":%d,"serviceName":"web",`+
		`"selector":{"matchLabels":{"app":%[1]q}},"template":{"metadata":{"labels":{"app":%[1]q}},"spec":{"containers":[{"name":"app","image":"app:v1"}]}}}}`,
		name, replicas)
}

func timelineOf(events []timeline.Event) string {
	var text []byte
	for i := range events {
		text = append(timeline.AppendJSON(text, &events[i]), '\n')
	}
	return string(text)
}

// TestReadSession: what is wrong with a session is told with its line.
func TestReadSession(t *testing.T) {
	for text, wrong := range map[string]string{
		"":                     "s.jsonl:1:1: the session is empty",
		"{}\n":                 `s.jsonl:1:1: this is no session: it does not begin with {"session":1`,
		"{\"session\":1}\nx\n": "s.jsonl:2:1: this is no session: this is not JSON",
		"{\"session\":1}\n{\"at\":5}\n{\"at\":4}\n": "s.jsonl:3:1: this is no session: the instant 4ns is before the one above",
	} {
		_, err := recording.ReadSession("s.jsonl", []byte(text))
		require.ErrorContains(t, err, wrong)
	}
}

// TestFilesOfASession: what is wrong with a file that a session begins with is told with the name of the session, in which
// it is.
func TestFilesOfASession(t *testing.T) {
	for text, wrong := range map[string]string{
		`{"session":1,"files":[{"name":"a.yaml","text":"steps: [{"}]}`: "s.jsonl/a.yaml:1:1: this is not YAML",
		`{"session":1,"files":[{"name":"a.yaml","text":"a text"}]}`:    "s.jsonl/a.yaml:1:1: this is no object",
		`{"session":1,"kubernetes":"1.99"}`:                            "s.jsonl:1:1: ",
		`{"session":1,"files":[{"name":"a.yaml","text":"{kind: Namespace, apiVersion: v1, metadata: {name: b}}"},
			{"name":"a.yaml","text":"{kind: Namespace, apiVersion: v1, metadata: {name: b}}"}]}`: "s.jsonl/a.yaml:1:1: the API server refuses: namespaces",
	} {
		read, err := recording.ReadSession("s.jsonl", []byte(strings.ReplaceAll(text, "\n\t\t\t", "")+"\n"))
		require.NoError(t, err)
		_, err = serve.Scenario(read, "s.jsonl", strict.DefaultLimits(), "test")
		require.ErrorContains(t, err, wrong)
	}
}

// TestReadTornSession: a session whose process was killed is read up to its last whole line. A line in the middle that is
// none stays an error.
func TestReadTornSession(t *testing.T) {
	whole := "{\"session\":1}\n" + line(t, recording.Recorded{At: 5, Method: "DELETE", Path: "/a"})
	last := line(t, recording.Recorded{At: 7, Method: "POST", Path: "/b", Body: []byte(`{"a":"é"}`)})
	for n := range len(last) {
		s, err := recording.ReadSession("s.jsonl", []byte(whole+last[:n]))
		require.NoError(t, err, last[:n])
		if want := 3; n == 0 {
			require.Zero(t, s.Torn)
		} else if n < len(last)-1 {
			require.Equal(t, want, s.Torn)
			require.Len(t, s.Requests, 1)
		} else {
			require.Zero(t, s.Torn, "but for its line end it is whole")
			require.Len(t, s.Requests, 2)
		}
	}
	_, err := recording.ReadSession("s.jsonl", []byte(whole+last[:9]+"\n"+last))
	require.ErrorContains(t, err, "s.jsonl:3:")
	_, err = recording.ReadSession("s.jsonl", []byte(`{"session":1,"si`))
	require.ErrorContains(t, err, "s.jsonl:1:")
}

// TestSessionsOfStrangers: a session that nobody has recorded ends soon with an error that names the line, or plays.
func TestSessionsOfStrangers(t *testing.T) {
	replay := func(lines ...string) error {
		text := "{\"session\":1}\n" + strings.Join(lines, "\n") + "\n"
		read, err := recording.ReadSession("s.jsonl", []byte(text))
		if err != nil {
			return err
		}
		s := begin(t, func(c *serve.Config) {
			crashing(t)(c)
			c.World.MaxEvents = 10_000
		})
		return s.Replay("s.jsonl", read.Requests)
	}
	const end = `{"at":1000000000}`
	request := func(at int, method, path string) string {
		return fmt.Sprintf(`{"at":%d,"method":%q,"path":%q}`, at, method, path)
	}
	for _, c := range []struct {
		lines []string
		says  string
	}{
		{[]string{request(0, "GET", "/api/v1/pods?watch=1"), end}, "s.jsonl:2:1: this is no session: GET changes nothing"},
		{[]string{request(0, "POST", "/sim/clock/advance?by=876000h"), end}, "s.jsonl:2:1: this is no session: \"/sim/clock"},
		{[]string{request(0, "POST", "%"), end}, `s.jsonl:2:1: this is no session: "%" is no path`},
		{[]string{request(0, "POST", "/%zz"), end}, `s.jsonl:2:1: this is no session: "/%zz" is no path: invalid URL escape`},
		{[]string{request(0, "P OST", "/"), end}, "s.jsonl:2:1: this is no session: P OST changes nothing, or is no method"},
		{[]string{request(0, "CONNECT", "/"), end}, "s.jsonl:2:1: this is no session: CONNECT changes nothing"},
		{[]string{request(9, "POST", "/sim/restore/none"), request(1, "DELETE", "/a"), end},
			"s.jsonl:3:1: the session is at 9ns then, and cannot go back to 1ns"},
		{[]string{request(5, "POST", "/sim/checkpoint/a"), request(9, "POST", "/sim/restore/a"), request(1, "DELETE", "/a"), end},
			"s.jsonl:4:1: the session is at 5ns then, and cannot go back to 1ns"},
		{[]string{`{"at":0,"method":"POST","path":"` + sets + `","body":` + strings.ReplaceAll(looping, "\n", "") + `}`,
			`{"at":3000000000000000000}`}, "s.jsonl:3:1: more than 10000 events have happened up to here"},
		{[]string{`{"at":3200000000000000000}`}, "s.jsonl:2:1: this is no session: the instant"},
	} {
		require.ErrorContains(t, replay(c.lines...), c.says, "%s", c.lines)
	}
	require.NoError(t, replay(request(0, "POST", sets), request(0, "DELETE", "/nowhere"), end))
	require.NoError(t, replay(`{"at":3000000000000000000}`))
}
