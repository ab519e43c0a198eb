package scenario_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// act is something that is seen to happen to a pod, a claim or a revision, and how long after its step.
type act struct {
	after time.Duration
	// what says it in the same words for a recording and for a run, about is the pod's name or what it belongs to.
	what, about string
}

// TestRecordings plays what was recorded on a real control plane of 1.36.3 (testdata/recordings/controller.txtar: the raw record
// without what is not compared) and compares the lives of the pods, the claims with their owners, and the history. A real
// control plane takes its time, and does at once what has no order, so two things are compared: which acts follow each
// step, and about when; and the order of the acts about one pod and its claim.
func TestRecordings(t *testing.T) {
	for _, r := range recordings(t) {
		t.Run(r.name, func(t *testing.T) {
			want, got := readRecording(t, r.record), playRecorded(t, r.scenario)
			require.Len(t, got, len(want))
			for i := range want {
				compareStep(t, i+1, want[i], got[i])
			}
		})
	}
}

// recording is a scenario with the record of what a control plane did in it.
type recording struct {
	name             string
	scenario, record []byte
}

func recordings(t *testing.T) []recording {
	archive, err := txtar.ParseFile("testdata/recordings/controller.txtar")
	require.NoError(t, err)
	require.Len(t, archive.Files, 2*4)
	var list []recording
	for pair := range slices.Chunk(archive.Files, 2) {
		list = append(list, recording{strings.TrimSuffix(pair[0].Name, ".yaml"), pair[0].Data, pair[1].Data})
	}
	return list
}

// played is the timeline of a scenario.
func played(t *testing.T, text []byte) []timeline.Event {
	s, err := scenario.Parse("recording.yaml", text, nil, scenario.Options{})
	require.NoError(t, err)
	return s.Run(scenario.RunOptions{}).Timeline
}

func compareStep(t *testing.T, step int, want, got []act) {
	require.Equal(t, tally(want), tally(got), "step %d", step)
	for _, about := range []string{"web-0", "web-1", "web-2"} {
		require.Equal(t, sequence(want, about), sequence(got, about), "step %d, %s", step, about)
	}
	nth := map[string]int{}
	for _, w := range want {
		g := find(got, w.what, nth[w.what])
		nth[w.what]++
		require.InDelta(t, w.after, g.after, float64(tolerance(w.what)), "step %d: %s", step, w.what)
	}
}

// tolerance is how far an act may be from its time. The adoption was recorded while the controller was throttled: four
// calls took it a second.
func tolerance(what string) time.Duration {
	if strings.HasPrefix(what, "owner") {
		return 1100 * time.Millisecond
	}
	return 350 * time.Millisecond
}

func tally(acts []act) map[string]int {
	n := map[string]int{}
	for _, a := range acts {
		n[a.what]++
	}
	return n
}

// sequence lists what happens to one pod and its claim. When the claim is Bound, and when it gets its owner while its pod
// is starting, is up to others than the controller.
func sequence(acts []act, about string) []string {
	var list []string
	for _, a := range acts {
		if a.about == about && !strings.HasPrefix(a.what, "Bound") && !strings.HasPrefix(a.what, "owners") {
			list = append(list, a.what)
		}
	}
	return list
}

func find(acts []act, what string, nth int) act {
	for _, a := range acts {
		if a.what == what {
			if nth == 0 {
				return a
			}
			nth--
		}
	}
	return act{}
}

// recorded is a line of a recording.
type recorded struct {
	T          int64
	Op         string
	Type, Kind string
	Name, UID  string
	Phase      string
	Ready      bool
	Deleting   bool
	Image      string
	Owner      string
	Owners     []string
	Revision   int64
}

func readRecording(t *testing.T, data []byte) [][]act {
	var steps [][]act
	var began int64
	before := map[string]recorded{}
	for line := range bytes.Lines(data) {
		var r recorded
		require.NoError(t, json.Unmarshal(line, &r))
		if r.Kind == "Status" || r.Kind == "Event" {
			continue
		}
		if r.Op != "" {
			steps, began = append(steps, nil), r.T
			continue
		}
		last := before[r.Name]
		if r.Type == "ADDED" {
			last = recorded{}
		}
		before[r.Name] = r
		for _, what := range r.changes(&last) {
			after := time.Duration(r.T-began) * time.Millisecond
			steps[len(steps)-1] = append(steps[len(steps)-1], act{after, what, strings.TrimPrefix(r.Name, "data-")})
		}
	}
	return steps
}

// changes says what a line tells that the one before about the object did not.
func (r *recorded) changes(last *recorded) []string {
	switch r.Kind {
	case "ControllerRevision":
		change := map[string]string{"ADDED": "added", "MODIFIED": "modified", "DELETED": "deleted"}[r.Type]
		return []string{revisionChange(change, r.Image, r.Revision)}
	case "PersistentVolumeClaim":
		return claimChanges(r.Name, r.claimState(), last.claimState(), r.Type == "DELETED")
	}
	if r.Type == "DELETED" {
		return []string{r.Name + " Gone"}
	}
	var list []string
	say := func(is bool, state timeline.State) {
		if is {
			list = append(list, fmt.Sprintf("%s=%s %s", r.Name, r.Image, state))
		}
	}
	say(r.Type == "ADDED", timeline.Pending)
	say(r.Deleting && !last.Deleting, timeline.Terminating)
	say(r.Phase == "Running" && last.Phase != "Running", timeline.Running)
	say(r.Ready && !last.Ready, timeline.Ready)
	if r.Type == "MODIFIED" && r.Owner != last.Owner {
		list = append(list, ownerChange(r.Name, r.Owner != ""))
	}
	return list
}

func ownerChange(pod string, owned bool) string {
	if owned {
		return "owner of " + pod
	}
	return "no owner of " + pod
}

func revisionChange(change, image string, number int64) string {
	return fmt.Sprintf("revision %s#%d %s", image, number, change)
}

// claimState is what is compared of a claim.
type claimState struct {
	phase    string
	owners   []string
	deleting bool
}

func (r *recorded) claimState() claimState { return claimState{r.Phase, r.Owners, r.Deleting} }

func claimChanges(name string, now, last claimState, gone bool) []string {
	if gone {
		return []string{name + " Gone"}
	}
	var list []string
	if last.phase == "" {
		list = append(list, name+" Pending")
	}
	if now.phase == "Bound" && last.phase != "Bound" {
		list = append(list, "Bound "+name)
	}
	if !slices.Equal(now.owners, last.owners) {
		list = append(list, fmt.Sprintf("owners of %s: %v", name, now.owners))
	}
	if now.deleting && !last.deleting {
		list = append(list, name+" Terminating")
	}
	return list
}

// playRecorded plays a scenario and lists the acts after each step.
func playRecorded(t *testing.T, text []byte) [][]act {
	p := &player{images: map[int]string{}, claims: map[string]claimState{}}
	for i, events := 0, played(t, text); i < len(events); i++ {
		p.read(&events[i])
	}
	return p.steps
}

type player struct {
	steps  [][]act
	began  model.Time
	images map[int]string
	claims map[string]claimState
}

func (p *player) read(e *timeline.Event) {
	switch {
	case e.Step != nil:
		p.steps, p.began = append(p.steps, nil), e.T
		for _, set := range e.Step.Sets {
			p.images[set.Spec.Template.ID] = set.Spec.Template.Image()
		}
	case e.Kind == timeline.KindPod && e.State == timeline.Gone:
		p.add(e.T, e.Pod+" Gone", e.Pod)
	case e.Kind == timeline.KindPod:
		p.add(e.T, fmt.Sprintf("%s=%s %s", e.Pod, e.Image, e.State), e.Pod)
	case e.Owned != nil && e.Pod != "":
		p.add(e.T, ownerChange(e.Pod, e.Owned.Change == timeline.Adopted), e.Pod)
	case e.Owned != nil:
		p.add(e.T, revisionChange("modified", p.images[e.Template], e.Revision), "")
	case e.Rev != nil:
		change := [...]string{"", "added", "modified", "deleted"}[e.Rev.Type]
		p.add(e.T, revisionChange(change, p.images[e.Rev.Template], e.Rev.Number), "")
	case e.Claim != nil:
		p.claim(e)
	}
}

func (p *player) add(at model.Time, what, about string) {
	p.steps[len(p.steps)-1] = append(p.steps[len(p.steps)-1], act{at.Sub(p.began), what, about})
}

func (p *player) claim(e *timeline.Event) {
	last := p.claims[e.Claim.Name]
	now := claimState{e.Claim.Phase, e.Claim.Owners, e.Claim.Phase == timeline.PhaseTerminating}
	if now.deleting {
		now.phase = last.phase
	}
	for _, what := range claimChanges(e.Claim.Name, now, last, e.Claim.Type == model.Deleted) {
		p.add(e.T, what, strings.TrimPrefix(e.Claim.Name, "data-"))
	}
	p.claims[e.Claim.Name] = now
	if e.Claim.Type == model.Deleted {
		delete(p.claims, e.Claim.Name)
	}
}
