package serve_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/reader"
)

// TestCheckpoint: a session that has gone back goes on as one that never went on, with the same timeline and the same
// objects but for their versions; and the recording of it all replays to that.
func TestCheckpoint(t *testing.T) {
	for seed := range uint64(10) {
		record := func(c *serve.Config) { c.Speed = clock.Max }
		plain, s := begin(t, record), begin(t, record)
		for _, session := range []*session{plain, s} {
			written(session, rand.New(rand.NewPCG(seed, 1)))
		}
		s.must("POST", "/sim/checkpoint/here", "")
		now := s.now
		written(s, rand.New(rand.NewPCG(seed, 2)))
		s.must("POST", "/sim/clock/settle", "")
		s.must("POST", "/sim/restore/here", "")
		s.now = now
		for _, session := range []*session{plain, s} {
			written(session, rand.New(rand.NewPCG(seed, 3)))
			session.must("POST", "/sim/clock/settle", "")
		}
		require.Equal(t, shown(t, plain), shown(t, s), "seed %d", seed)
		events := timelineOf(s.End())
		require.Equal(t, timelineOf(plain.End()), events, "seed %d", seed)
		again := begin(t, nil)
		require.NoError(t, again.Replay("session.jsonl", s.recorded))
		require.Equal(t, events, timelineOf(again.End()), "seed %d", seed)
	}
}

// shown returns all objects of a session without their versions, and without generated names, which have a version.
func shown(t *testing.T, s *session) string {
	var all []string
	for i := range kinds.Served {
		k := &kinds.Served[i]
		root := "/apis/" + k.Group
		if k.Group == "" {
			root = "/api"
		}
		list, _ := s.must("GET", root+"/"+k.Version+"/"+k.Resource, "")["items"].([]any)
		for _, item := range list {
			meta := item.(map[string]any)["metadata"].(map[string]any)
			delete(meta, "resourceVersion")
			if k == kinds.Event || k == kinds.NewEvent || meta["generateName"] != nil {
				delete(meta, "name")
				delete(meta, "uid")
			}
			line, err := json.Marshal(item)
			require.NoError(t, err)
			all = append(all, string(line)+"\n")
		}
	}
	slices.Sort(all)
	return strings.Join(all, "")
}

// TestRestoreEndsWatches: a watch from before ends with 410, and so does one that begins where it was; a list is fresh.
func TestRestoreEndsWatches(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", "/sim/checkpoint/empty", "")
	s.must("POST", sets, web)
	s.must("POST", "/sim/clock/settle", "")
	version := at(t, s.must("GET", pods, ""), "metadata.resourceVersion").(string)
	server := httptest.NewServer(s)
	defer server.Close()
	watch := func() stream {
		response, err := http.Get(server.URL + pods + "?watch=1&timeoutSeconds=30&resourceVersion=" + version)
		require.NoError(t, err)
		t.Cleanup(func() { response.Body.Close() })
		return stream{t, json.NewDecoder(response.Body)}
	}
	before := watch()
	require.EqualValues(t, 0, s.must("POST", "/sim/restore/empty", "")["at"])
	for _, w := range []stream{before, watch()} {
		kind, status := w.next()
		require.Equal(t, "ERROR", kind)
		require.EqualValues(t, 410, status["code"])
	}
	require.Empty(t, s.must("GET", pods, "")["items"])
	code, answer := s.ask("POST", "/sim/restore/never", "")
	require.Equal(t, 400, code)
	require.Contains(t, answer["message"], `there is no checkpoint "never"`)
}

// TestNoCheckpoint: without a history there are no checkpoints, and one that is refused is not recorded.
func TestNoCheckpoint(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.NoHistory = true })
	code, answer := s.ask("POST", "/sim/checkpoint/here", "")
	require.Equal(t, 400, code)
	require.Contains(t, answer["message"], "start sim serve without --no-history")
	s.End()
	for _, r := range s.recorded {
		require.Empty(t, r.Path)
	}
}

// TestWhy: an object has the reason of what was done last to it, and of what it is waited for.
func TestWhy(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, web)
	why := func(object string) string {
		var w reader.Why
		data, err := json.Marshal(s.must("GET", "/sim/why/"+object, ""))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &w))
		text := ""
		for _, line := range w.Lines(func(at float64) string { return time.Duration(at * 1e9).String() }) {
			text += line + "\n"
		}
		return text
	}
	const waits = "waits: web-0 is not Running and Ready; until it is, OrderedReady neither touches higher ordinals nor " +
		"continues the update\n"
	require.Equal(t, waits+"0s  create web\n", why("sts/web"))
	require.Contains(t, why("pods/web-0"), waits+"0s  Pending: ")
	s.must("POST", "/sim/clock/settle", "")
	require.Contains(t, why("Pod/web-2"), "Ready")
	code, _ := s.ask("GET", "/sim/why/pod/web-7", "")
	require.Equal(t, 404, code)
	code, answer := s.ask("GET", "/sim/why/thing/web", "")
	require.Equal(t, 400, code, answer)
	code, _ = s.ask("POST", "/sim/why/pod/web-1", "")
	require.Equal(t, 405, code)
	code, _ = s.ask("GET", "/sim/why/pod", "")
	require.Equal(t, 404, code)
}
