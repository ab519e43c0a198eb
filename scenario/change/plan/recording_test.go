package plan

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// podJSON is a pod as kubectl get pods -o json prints it. The times are seconds after noon; 0 is none.
func podJSON(name, uid string, created, running, ready, deleted int) string {
	at := func(second int) string { return fmt.Sprintf(`"2026-11-21T12:%02d:%02dZ"`, second/60, second%60) }
	deletion, state := "", `"waiting": {"reason": "ContainerCreating"}`
	if deleted > 0 {
		deletion = fmt.Sprintf(`"deletionTimestamp": %s, "deletionGracePeriodSeconds": 30,`, at(deleted+30))
	}
	if running > 0 {
		state = fmt.Sprintf(`"running": {"startedAt": %s}`, at(running))
	}
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": %q, "namespace": "default", "uid": %q, %s
		"creationTimestamp": %s,
		"ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "s", "controller": true}]},
		"status": {"containerStatuses": [{"name": "app", "restartCount": 0, "state": {%s}}],
			"conditions": [{"type": "Ready", "status": %q, "lastTransitionTime": %s}]}}`,
		name, uid, deletion, at(created), state, map[bool]string{true: "True", false: "False"}[ready > 0], at(ready))
}

func eventJSON(pod, uid, reason string, at int) string {
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Event", "reason": %q, "firstTimestamp": "2026-11-21T12:00:%02dZ",
		"involvedObject": {"kind": "Pod", "namespace": "default", "name": %q, "uid": %q}}`, reason, at, pod, uid)
}

func list(items ...string) string {
	return `{"apiVersion": "v1", "kind": "List", "items": [` + strings.Join(items, ", ") + `]}`
}

// TestRecording: which stages each kind of recording shows, and how they are named as a source.
func TestRecording(t *testing.T) {
	pods := list(podJSON("web-0", "a", 0, 5, 25, 0), podJSON("web-1", "b", 0, 5, 25, 0), podJSON("web-2", "c", 1, 6, 27, 0))
	watch := podJSON("web-2", "c", 1, 6, 27, 0) + podJSON("web-2", "c", 1, 6, 27, 40) + podJSON("web-2", "d", 52, 0, 0, 0) +
		podJSON("web-2", "d", 52, 57, 77, 0)
	events := list(eventJSON("web-2", "d", "Scheduled", 52), eventJSON("web-2", "c", "Killing", 40))
	const seen = ", from the recording r.json (seen "
	cases := []struct {
		name, data         string
		start, ready, stop string
	}{
		{"pods", pods, "start: 5s" + seen + "3 times)",
			"ready: {choice: [{value: 20s, weight: 2}, {value: 21s, weight: 1}]}" + seen + "3 times)", "stop: at most 30s, from " +
				"terminationGracePeriodSeconds"},
		{"watch", watch, "start: 5s" + seen + "2 times)", "ready: {choice: [{value: 20s, weight: 1}, {value: 21s, weight: 1}]}" +
			seen + "2 times)", "stop: 12s" + seen + "1 time)"},
		{"events", events, "start: 1s, assumed; give --start, or the annotation statefulsim.dev/start",
			"ready: 0s, from the manifest, which has no readiness probe: Ready when it runs", "stop: 12s" + seen + "1 time)"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, err := recording.Read("r.json", []byte(c.data))
			require.NoError(t, err)
			s := one(t, web("3", "a:1"), web("3", "a:2"), &Options{Recordings: []*recording.Recording{r}, Runs: 20, Seed: 1})
			require.Equal(t, []string{c.stop, c.start, c.ready}, timingTexts(t, s, r))
		})
	}
}

// timingTexts are the sources of all stages, also of those that do not count in the duration.
func timingTexts(t *testing.T, s *Set, recordings ...*recording.Recording) []string {
	t.Helper()
	in, err := Read(Stream{Name: "old.yaml", Data: []byte(web("3", "a:1"))}, Stream{Name: "new.yaml", Data: []byte(web("3", "a:2"))}, strict.Limits{})
	require.NoError(t, err)
	wanted, refusal := in.Pairs[0].New.New("default")
	require.Nil(t, refusal)
	timings, err := times.Of(&times.Sources{Recordings: recordings, Annotated: in.Pairs[0].Annotated, Key: in.Pairs[0].Key, Set: wanted})
	require.NoError(t, err)
	var texts []string
	for _, timing := range timings {
		texts = append(texts, timing.String())
	}
	for _, timing := range s.Duration.Timings {
		require.Contains(t, texts, timing.String())
	}
	return texts
}

// TestRecordedTimeline: a run of the simulator is a recording too, and a change takes as long as it did there.
func TestRecordedTimeline(t *testing.T) {
	text := "kubelet: {start: 4s, ready: 9s, stop: 11s}\nsteps:\n" +
		"- create: {name: web, replicas: 3, image: \"a:1\"}\n- setImage: {image: \"a:2\"}\n"
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	var lines strings.Builder
	require.NoError(t, report.JSONLines(&lines, &report.Run{Events: s.Run(scenario.RunOptions{}).Timeline}))
	r, err := recording.Read("run.jsonl", []byte(lines.String()))
	require.NoError(t, err)
	set := one(t, web("3", "a:1"), web("3", "a:2"), &Options{Recordings: []*recording.Recording{r}})
	require.Equal(t, "3 × (stop + start + ready) = 1m12s", set.Duration.String())
	require.True(t, set.Duration.Known)
	require.Equal(t, "stop: 11s, from the recording run.jsonl (seen 3 times)", set.Duration.Timings[0].String())

	// A flag says more than a recording, and a recording more than the manifest.
	other := web("3", "a:2")
	other = strings.Replace(other, "{name: web}", `{name: web, annotations: {statefulsim.dev/stop: 1m}}`, 1)
	flags := Options{Recordings: []*recording.Recording{r}}
	flags.Times[recording.Start] = set.Duration.Timings[0].Delay
	set = one(t, web("3", "a:1"), other, &flags)
	require.Equal(t, "3 × (stop + start + ready) = 1m33s", set.Duration.String())
}

func TestBadRecordings(t *testing.T) {
	restarted := strings.Replace(podJSON("web-0", "a", 0, 5, 25, 0), `"restartCount": 0`, `"restartCount": 2`, 1)
	for data, want := range map[string]string{
		"":              "r.json: it does not show how long any pod",
		"NAME READY":    "r.json:1:1: this is not JSON: give",
		"kind: List":    "r.json:1:1: this is not JSON: give what kubectl get pods -o json prints",
		"[1]":           "r.json:1:1: the document is a list: it must be an object",
		list(restarted): "it does not show how long any pod of a StatefulSet takes",
		`{"kind": "Pod", "metadata": {"name": 3}}`: "r.json:1:38: metadata.name is a number: it must be a string",
		`{"event": "run"}`:                         "r.json:1: t is missing",
	} {
		_, err := recording.Read("r.json", []byte(data))
		require.ErrorContains(t, err, want, data)
	}
}

// TestManyTimes: a recording may show more different times than a scenario may name.
func TestManyTimes(t *testing.T) {
	var pods []string
	for i := range 1200 {
		pods = append(pods, podJSON(fmt.Sprintf("web-%d", i), fmt.Sprint(i), 0, 1+i, 1+i, 0))
	}
	r, err := recording.Read("r.json", []byte(list(pods...)))
	require.NoError(t, err)
	s := one(t, web("3", "a:1"), web("3", "a:2"), &Options{Recordings: []*recording.Recording{r}, Runs: 20, Seed: 1})
	require.True(t, s.Duration.Known)
}

// TestTimesThatAreMissing: a pod or an event that lacks an instant shows no time that begins or ends with it.
func TestTimesThatAreMissing(t *testing.T) {
	without := func(text, field string) string {
		begin := strings.Index(text, `"`+field+`"`)
		end := begin + strings.IndexAny(text[begin:], ",}")
		return text[:begin] + `"lacks": ""` + text[end:]
	}
	pod := podJSON("web-0", "a", 0, 5, 25, 0)
	key := model.Key{Namespace: "default", Name: "web"}
	for _, c := range []struct {
		field        string
		start, ready int
	}{{"creationTimestamp", 0, 1}, {"startedAt", 0, 0}, {"lastTransitionTime", 1, 0}} {
		var got [2]int
		if r, err := recording.Read("r.json", []byte(without(pod, c.field))); err == nil {
			for i, stage := range []int{recording.Start, recording.Ready} {
				if recording.Of([]*recording.Recording{r}, key, stage) != nil {
					got[i] = 1
				}
			}
		}
		require.Equal(t, [2]int{c.start, c.ready}, got, c.field)
	}
	events := list(without(eventJSON("web-2", "c", "Killing", 40), "firstTimestamp"), eventJSON("web-2", "d", "Scheduled", 52))
	_, err := recording.Read("r.json", []byte(events))
	require.ErrorContains(t, err, "does not show how long any pod")
}

// pod is what kubectl prints of a pod that took 7 s to run and 11 s more to become Ready.
const pod = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "db-0", "namespace": "shop", "uid": "u",
 "creationTimestamp": "2026-01-01T00:00:00Z", "ownerReferences": [{"kind": "StatefulSet", "name": "db",
 "apiVersion": "apps/v1", "uid": "s", "controller": true}]}, "status": {"phase": "Running",
 "startTime": "2026-01-01T00:00:00Z", "conditions": [{"type": "Ready", "status": "True",
 "lastTransitionTime": "2026-01-01T00:00:18Z"}], "containerStatuses": [{"name": "app", "ready": true, "restartCount": 0,
 "state": {"running": {"startedAt": "2026-01-01T00:00:07Z"}}}]}}`

// TestObserved: the pods of a dump take what was recorded of those of their set, unless a time was asked for. Those of
// other sets, and what goes wrong, stay as they are.
func TestObserved(t *testing.T) {
	data, err := os.ReadFile("../../../docs/stuck.yaml")
	require.NoError(t, err)
	d, err := dump.Read([]dump.Source{{Name: "stuck.yaml", Data: data}}, dump.Options{})
	require.NoError(t, err)
	seen, err := recording.Read("pods.json", []byte(pod))
	require.NoError(t, err)
	// db-1 goes and comes back, and then db-0; web-2 never becomes Ready.
	ends := func(recordings []*recording.Recording, given behaviour.Times) time.Duration {
		profile := profiles(t, "1.37")[0]
		config := sim.Config{
			Controller: statefulset.New(profile), API: profile.API(), Kubelet: behaviour.Behaviour{Default: given},
		}
		lab := play.Lab{Profile: profile, World: recording.Observed(d.Begin(config), recordings, given)}
		last := time.Duration(0)
		events := lab.Run(play.Script{{Verb: "wait", Does: "wait", When: sim.When{Trigger: sim.At}}})
		for i := range events {
			e := &events[i]
			web := e.Set == (model.Key{Namespace: "shop", Name: "web"})
			if e.Kind == timeline.KindPod && e.State == timeline.Ready && e.Actor != timeline.Dump {
				require.False(t, web, "web-2 stays as it is")
				last = time.Duration(e.T)
			}
		}
		return last
	}
	plain := ends(nil, behaviour.Times{})
	with := ends([]*recording.Recording{seen}, behaviour.Times{})
	require.Equal(t, [2]time.Duration{10 * time.Second, 40 * time.Second}, [2]time.Duration{plain, with})
	require.Equal(t, 20*time.Second, with-ends([]*recording.Recording{seen}, behaviour.Times{
		Ready: behaviour.Constant(time.Second),
	}))
}
