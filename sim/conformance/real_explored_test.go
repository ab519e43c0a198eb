//go:build real && !(v1_16 || v1_22 || v1_24 || v1_27_4 || v1_29 || v1_31 || v1_33 || v1_34)

package conformance_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/sim/corpus"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// everyth is which sets of the grid are searched: each 28th, or all where $CONFORMANCE_GRID is all.
func everyth() int {
	if os.Getenv("CONFORMANCE_GRID") == "all" {
		return 1
	}
	return 28
}

// found is a class of findings, with the fewest deviations that show it.
type found struct {
	class      string
	deviations int
}

// TestExplored searches sets of the grid with every single deviation and with random runs, by both controllers: they must find
// the same classes, with as many deviations.
func TestExplored(t *testing.T) {
	v := tested(t)
	for i, text := range corpus.Grid() {
		// The step is prime to all sizes of the grid, so that a sample has some of each.
		if (i*5)%everyth() == 0 {
			agree(t, v, text, search.Options{Deviations: 1, Runs: 400, Random: 20, Seed: uint64(i)})
		}
	}
}

// agree searches with both controllers and wants them to find the same.
func agree(t *testing.T, v Version, text string, o search.Options) {
	t.Helper()
	var ours, theirs []found
	ours = searched(t, v, text, o, nil)
	synctest.Test(t, func(t *testing.T) {
		real := New(v)
		theirs = searched(t, v, text, o, real)
	})
	if !slices.Equal(ours, theirs) {
		t.Errorf("the simulator finds %v, and Kubernetes %s %v in\n%s", ours, v.Kubernetes, theirs, text)
	}
}

// searched searches with a controller, nil for the simulator's own.
func searched(t *testing.T, v Version, text string, o search.Options, real *Controller) []found {
	t.Helper()
	x := explorer(t, v, text, real)
	o.Subject, o.Open = x.Subject, x.Open
	var all []found
	for _, f := range search.Search(o).Found {
		all = append(all, found{f.Class, len(f.Tape)})
	}
	return all
}

// explorer explores a scenario with a controller, nil for the simulator's own.
func explorer(t *testing.T, v Version, text string, real *Controller) *explore.Explorer {
	t.Helper()
	x, err := explore.New(&explore.Source{
		Name: "grid.yaml", Data: []byte(text), Options: scenario.Options{Kubernetes: v.Kubernetes},
	})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	var once sync.Once
	x.Controller = func(profile statefulset.Profile) model.Controller {
		if real == nil {
			return silent{statefulset.New(profile)}
		}
		once.Do(func() { SetGates(profile) })
		real.Begin(profile, 0)
		return silent{real}
	}
	return x
}

// Ends plays a scenario without deviations by both controllers. After its last step the same must become of the pods at
// the same instants; before it a Parallel set's pods are created in any order. It returns how the run ended, and when.
func Ends(t *testing.T, v Version, text string) (verdict timeline.Verdict, at model.Time) {
	t.Helper()
	var theirs []string
	ours, end := played(t, v, text, nil)
	synctest.Test(t, func(t *testing.T) { theirs, _ = played(t, v, text, New(v)) })
	if !slices.Equal(ours, theirs) {
		t.Errorf("the simulator writes\n%s\nand Kubernetes %s writes\n%s\nin\n%s", strings.Join(ours, "\n"),
			v.Kubernetes, strings.Join(theirs, "\n"), text)
	}
	return end.Result.Verdict, end.T
}

// TestBeginsInThePast restarts the controller after a rollout, with a list that is 25 s old: both do the same with it.
func TestBeginsInThePast(t *testing.T) {
	v := tested(t)
	const text = `apiserver: {write: 10ms}
steps:
  - create: {name: web, replicas: 3, image: "app:v1"}
  - {at: 20s, setImage: {image: "app:v2"}}
  - {at: 40s, restartController: {behind: 25s}}
`
	if verdict, at := Ends(t, v, text); verdict != timeline.Settled {
		t.Errorf("%s at %ss", verdict, at.Seconds())
	}
}

// played plays a scenario and returns what becomes of its pods after its last step, each change once an instant, and
// the last event.
func played(t *testing.T, v Version, text string, real *Controller) ([]string, timeline.Event) {
	t.Helper()
	var pods []string
	events := explorer(t, v, text, real).Plain()
	seen := map[string]bool{}
	for i := range events {
		e := &events[i]
		switch line := fmt.Sprintf("%ss %s %s @%d", e.T.Seconds(), e.Pod, e.State, e.Template); {
		case e.Kind == timeline.KindStep:
			pods, seen = nil, map[string]bool{}
		case e.Kind == timeline.KindPod && !seen[line]:
			pods, seen[line] = append(pods, line), true
		}
	}
	return pods, events[len(events)-1]
}

// silent is a controller that gives no reasons, as the real code does not, but for what can be seen of a deletion: that
// of a pod that is not wanted is a scale-down, and that of another one that has not ended is for the update.
type silent struct{ model.Controller }

func (c silent) Sync(view model.View, calls model.Calls) model.Result {
	result := c.Controller.Sync(view, reasoned{calls, view})
	result.Waits = nil
	return result
}

type reasoned struct {
	model.Calls
	view model.View
}

func (r reasoned) Do(call model.Call) model.Reply {
	call.Why = model.Why{Object: call.Key.Name}
	if call.Kind == model.KindPod && call.Verb == model.Delete {
		call.Why.Code = r.reason(call.Key.Name)
	}
	return r.Calls.Do(call)
}

func (r reasoned) reason(name string) model.Code {
	set := r.view.Set()
	index := set.OrdinalOf(name) - set.Start()
	if index < 0 || index >= int(set.Spec.Replicas) {
		return model.CodeScaleDown
	}
	if pod := r.view.Pod(model.Replicas, index); pod != nil && pod.Phase != model.Failed && pod.Phase != model.Succeeded {
		return model.CodeUpdateRevision
	}
	return ""
}

// String is the printed form of a finding.
func (f found) String() string { return fmt.Sprintf("%s (%d)", f.class, f.deviations) }
