package scenario_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// told is what a controller says in the course of one step: the statuses that it writes, and its Kubernetes events.
type told struct {
	Statuses []status
	Events   []string
	// Deletes says that the step deletes the set.
	Deletes bool
}

// status is a status in the words of both sides: the counts, and the images of the two revisions.
type status struct {
	Counts          [6]int64
	Current, Update string
}

// eventBurst is how many Kubernetes events about one object are kept at once; those that come after are lost.
const eventBurst = 25

// TestRecordedStatusAndEvents compares what the controller of a real control plane wrote into the status, and the
// Kubernetes events that it sent, with a run: all of them, in their order, after each step. While a set is being deleted
// the real garbage collector takes its time, and so more statuses are written there.
func TestRecordedStatusAndEvents(t *testing.T) {
	for _, r := range recordings(t) {
		t.Run(r.name, func(t *testing.T) {
			want, got := readTold(t, r.record), playTold(t, r.scenario)
			require.Len(t, got, len(want))
			events := 0
			for i := range want {
				if want[i].Deletes {
					require.Subset(t, want[i].Statuses, got[i].Statuses, "step %d", i+1)
				} else {
					require.Equal(t, want[i].Statuses, got[i].Statuses, "step %d", i+1)
				}
				kept := min(len(got[i].Events), eventBurst-events)
				require.ElementsMatch(t, want[i].Events, got[i].Events[:kept], "step %d", i+1)
				events += kept
			}
			require.Positive(t, events)
		})
	}
}

func readTold(t *testing.T, data []byte) []told {
	var steps []told
	images := map[string]string{}
	for line := range bytes.Lines(data) {
		var r struct {
			Op, Kind, Name, Image, Reason, Message string
			Counts                                 [6]int64
			Current, Update                        string
		}
		require.NoError(t, json.Unmarshal(line, &r))
		if r.Op != "" {
			steps = append(steps, told{Deletes: strings.HasPrefix(r.Op, "delete")})
			continue
		}
		last := &steps[len(steps)-1]
		switch r.Kind {
		case "ControllerRevision":
			images[r.Name] = r.Image
		case "Status":
			last.Statuses = append(last.Statuses, status{r.Counts, images[r.Current], images[r.Update]})
		case "Event":
			last.Events = append(last.Events, r.Reason+": "+r.Message)
		}
	}
	return steps
}

func playTold(t *testing.T, text []byte) []told {
	var steps []told
	images, templates := map[string]string{}, map[int]string{}
	for _, e := range played(t, text) {
		switch {
		case e.Step != nil:
			steps = append(steps, told{Deletes: e.Step.Verb == "delete"})
			for _, set := range e.Step.Sets {
				templates[set.Spec.Template.ID] = set.Spec.Template.Image()
			}
		case e.Rev != nil:
			images[e.Rev.Name] = templates[e.Rev.Template]
		case e.Kind == timeline.KindStatus && e.Status != nil:
			steps[len(steps)-1].Statuses = append(steps[len(steps)-1].Statuses, statusOf(e.Status, images))
		case e.Kind == timeline.KindK8sEvent && e.Actor == timeline.Controller:
			steps[len(steps)-1].Events = append(steps[len(steps)-1].Events, e.Reason+": "+e.Message)
		}
	}
	return steps
}

func statusOf(s *model.Status, images map[string]string) status {
	counts := [6]int64{s.ObservedGeneration}
	for i, n := range []int32{s.Replicas, s.Ready, s.Available, s.Current, s.Updated} {
		counts[i+1] = int64(n)
	}
	return status{counts, images[s.CurrentRevision], images[s.UpdateRevision]}
}
