package kubelet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestAStopGoesOn: a pod that is being deleted when a state begins is gone when it would have been gone before, and the
// same containers are killed: each stops as its manifest says, the sidecars after the others.
func TestAStopGoesOn(t *testing.T) {
	const deleted = "- {at: 1m, delete: pod/web-0}\n"
	for name, c := range map[string]struct{ kubelet, steps string }{
		"hooks and sidecars":               {"preStop: 2s, stop: 1s", deleted},
		"a process that takes long":        {"rules: [{match: {container: side}, stop: 6s}], stop: 1s", deleted},
		"a sidecar that has to be killed":  {"rules: [{match: {container: proxy}, stop: 1h}], stop: 2s", deleted},
		"a process that has to be killed":  {"stop: never", deleted},
		"an init container that runs":      {"stop: 5s, init: 2m", deleted},
		"a pod that has not become Ready":  {"stop: 5s, healthy: 2m", "- {at: 5s, delete: pod/web-0}\n"},
		"a pod that is deleted by a scale": {"stop: 5s", "- {at: 1m, scale: {replicas: 0}}\n"},
	} {
		before, after := parted(t, "kubelet: {probes: true, "+c.kubelet+"}\nsteps:\n"+whole+c.steps)
		require.Contains(t, before[len(before)-1], "web-0 gone", name)
		require.Equal(t, before, after, name)
	}
}

// TestACrashComesInTime: what ends the run of a container comes as long after its start as it would have, although a
// state begins in between. A container that has crashed as often as its rule says does not crash again.
func TestACrashComesInTime(t *testing.T) {
	const early, late = "- {at: 20s, patch: {spec: {minReadySeconds: 1}}}\n", "- {at: 70s, patch: {spec: {minReadySeconds: 1}}}\n"
	for name, c := range map[string]struct{ kubelet, step, first string }{
		"a crash":                      {"ready: never, crash: 30s", early, "10.5s container app ended with an error"},
		"a crash that is the last one": {"ready: 90s, rules: [{match: {pod: web-0}, crash: 30s, crashes: 1}]", late, ""},
		"a container that gives up":    {"ready: never, giveUp: 40s", early, "20.5s container app gave up: the pod did not become Ready"},
		"a pod that fails":             {"fail: 30s, stop: 5s", early, "10.5s web-0 gone"},
	} {
		before, after := parted(t, "kubelet: {"+c.kubelet+"}\nuntil: 90s\nsteps:\n"+plain+c.step)
		require.Equal(t, c.first, first(before), name)
		require.Equal(t, c.first, first(after), name)
	}
}

// first returns the first of some lines, "" if there are none.
func first(lines []string) string { return strings.Join(lines[:min(1, len(lines))], "") }

// parted plays a scenario, and returns what happens half a second after its last step and later: if nothing interrupts
// it, and in a world that begins with its state at that instant.
func parted(t *testing.T, text string) (before, after []string) {
	events, at, again := begunAgain(t, text)
	return stops(events, at), stops(again, 0)
}

// begunAgain plays a scenario twice: to its end, and up to half a second after its last step. It returns the instant at
// which the second world was left, and what happens in a third one that begins with its objects and has steps of its
// own.
func begunAgain(t *testing.T, text string, later ...sim.Step) (events []timeline.Event, at time.Duration, again []timeline.Event) {
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err, text)
	unbroken := s.Config(scenario.RunOptions{})
	events = sim.New(unbroken).Run(s.Steps)
	at = lastStep(events) + 500*time.Millisecond
	stopped := unbroken
	stopped.Until = at
	world := sim.New(stopped)
	world.Run(s.Steps)
	resumed := unbroken
	resumed.Start = world.State()
	resumed.Start.Rest = nil
	return events, at, sim.New(resumed).Run(later)
}

// lastStep returns when the last step acted.
func lastStep(events []timeline.Event) (at time.Duration) {
	for i := range events {
		if events[i].Step != nil {
			at = time.Duration(events[i].T)
		}
	}
	return at
}

// stops returns what happens to containers after an instant, counted from there, until a pod is gone.
func stops(events []timeline.Event, since time.Duration) (ends []string) {
	for i := range events {
		e := &events[i]
		from := time.Duration(e.T) - since
		killed := e.Kind == timeline.KindContainer
		gone := e.Kind == timeline.KindPod && e.State == timeline.Gone
		if from < 0 || !gone && !killed || e.Actor == timeline.Dump {
			continue
		}
		if gone {
			return append(ends, from.String()+" "+e.Pod+" gone")
		}
		ends = append(ends, from.String()+" "+e.Message)
	}
	return ends
}

// TestAnInitContainerDoesNotFailAnew: an init container that has failed fails no more often than its rule says, although
// a state begins in between. How long its kubelet still waits is not known: it starts it at once.
func TestAnInitContainerDoesNotFailAnew(t *testing.T) {
	const again = "container init is started again"
	for at, c := range map[string]struct {
		before string
		after  []string
	}{
		"1500ms": {"2s container init ended with an error", []string{"0s container init runs already", "2s container init ended with an error", "2s " + again}},
		"5s":     {"1.5s container init ended with an error", []string{"0s container init runs already", "1.5s container init ended with an error", "1.5s " + again}},
		"8s":     {"8.5s " + again, []string{"0s container init is started", "3s container app passed its startup probe"}},
		"17s":    {"3.5s container app passed its startup probe", []string{"0s container init runs already", "3s container app passed its startup probe"}},
	} {
		before, after := parted(t, "kubelet: {probes: true, init: 2s, rules: [{match: {container: init}, crash: 3s, crashes: 2}]}\nsteps:\n"+
			whole+"- {at: "+at+", patch: {spec: {minReadySeconds: 1}}}\n")
		require.Equal(t, c.before, first(before), at)
		require.Equal(t, c.after, after[:min(len(after), len(c.after))], at)
	}
}

// TestInitContainersDoNotRunAgain: what a pod has behind it when a state begins is not done again: an init container that
// has completed, a sidecar that has started. One that runs ends when it would have ended.
func TestInitContainersDoNotRunAgain(t *testing.T) {
	const (
		head  = "kubelet: {probes: true, init: 5s, healthy: 1s}\nsteps:\n"
		proxy = "{name: proxy, image: \"proxy:1\", restartPolicy: Always}"
	)
	longer := strings.Replace(whole, proxy, proxy+", {name: second, image: \"init:2\"}, {name: third, image: \"init:3\"}", 1)
	for at, runs := range map[string]string{"2s": "init", "7s": "second"} {
		before, after := parted(t, head+longer+"- {at: "+at+", patch: {spec: {minReadySeconds: 1}}}\n")
		require.Equal(t, []string{"0s container " + runs + " runs already", before[0]}, after[:2], at)
	}
	// What comes then counts from there.
	_, after := parted(t, head+longer+"- {at: 12s, patch: {spec: {minReadySeconds: 1}}}\n")
	require.Equal(t, "0s container third runs already", after[0])
}

// TestAPodOnALostNode: in a world that begins while a node is silent nobody goes on with its pods. When it is back, its
// kubelet stops a pod as if it heard of the deletion only now, and has waited for an image all the time.
func TestAPodOnALostNode(t *testing.T) {
	back, err := scenario.Parse("s.yaml", []byte("steps:\n- {at: 10s, nodeUp: node-1}\n"), nil, scenario.Options{})
	require.NoError(t, err)
	for text, want := range map[string]string{
		"kubelet: {stop: 20s}\nsteps:\n" + plain + "- {at: 1m, nodeDown: node-1}\n- {after: 50s, delete: pod/web-0}\n": "30s web-0 Gone",
		"kubelet: {start: 90s}\nsteps:\n" + plain + "- {at: 1s, nodeDown: node-1}\n- {after: 50s, cordon: node-1}\n":   "49s web-0 Running",
	} {
		text = "nodes: {count: 1}\nuntil: 3m\n" + text
		_, _, lost := begunAgain(t, text)
		require.Empty(t, changes(lost), text)
		_, _, again := begunAgain(t, text, back.Steps...)
		require.Equal(t, want, first(changes(again)), text)
	}
}

// changes are the changes that kubelets report of web-0.
func changes(events []timeline.Event) (list []string) {
	for i := range events {
		if e := &events[i]; e.Kind == timeline.KindPod && e.Actor == timeline.Kubelet && e.Pod == "web-0" {
			list = append(list, time.Duration(e.T).String()+" "+e.Pod+" "+e.State.String())
		}
	}
	return list
}

// TestAPodThatIsNotReady: containers without probes are ready as soon as they run, so a pod of which nobody knows why it
// is not Ready is Ready at once in a world that begins with it.
func TestAPodThatIsNotReady(t *testing.T) {
	_, _, again := begunAgain(t, "kubelet: {probes: true}\nsteps:\n"+plain+"- {at: 1m, unready: {pod: web-0, for: 30s}}\n")
	require.Equal(t, []string{"0s web-0 Ready"}, changes(again))
}
