// Package lives holds runs to what was recorded of whole control planes: what becomes of each pod, claim and revision, and
// all else that can be seen from outside. Only tests import it.
package lives

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Lives is what a whole control plane has done in a scenario, or a run of it: everything that is compared. Each list is in
// the order in which it happened, and an entry begins with its second.
type Lives struct {
	Pods, Claims, Revisions, Addresses map[string][]string `json:",omitempty"`
	// Deleters says who has deleted each life of a pod; "" is somebody whom the recording does not name.
	Deleters map[string][]string `json:",omitempty"`
	// Sets are those that are there at the end, with their status.
	Sets    map[string]string `json:",omitempty"`
	Budgets map[string]string `json:",omitempty"`
	// Warnings and Normal are the Kubernetes events, each once.
	Warnings, Normal []string `json:",omitempty"`
	// Refused are the steps that were refused, with the words of the API server.
	Refused map[int]string `json:",omitempty"`
	// Drained counts the drains that have come to their end.
	Drained int `json:",omitempty"`
}

// seen is a line of a recording, or of a timeline: both name what they share alike.
type seen struct {
	T, Wall                          float64
	Event, Change                    string
	Pod, State, Image, By, Actor     string
	Claim, Phase, Name, StatefulSet  string
	Owners, Endpoints, Names         []string
	UID, Revision, Status, Sets      json.RawMessage
	Service, NS, Line                string
	Type, Reason, Message            string
	Step                             int
	Verb, Effect, Does, Refusal, API string
	Budget                           struct {
		Name                                                             string
		DisruptionsAllowed, CurrentHealthy, DesiredHealthy, ExpectedPods int
	}
}

// witness gathers lives from lines.
type witness struct {
	Lives
	began float64
	ns    string
	// pods and claims are how they were seen last, revisions the names by which they are called.
	pods      map[string]string
	claims    map[string]*seen
	revisions map[string]string
	// ready are the addresses that a slice publishes.
	ready map[string][]string
	// alive are the sets that are there; recorded says that their end is told at the end of a recording.
	alive    map[string]bool
	recorded bool
}

// Of reads the lines of a recording, or of a timeline.
func Of(t *testing.T, data []byte) *Lives {
	w := witness{
		Lives: Lives{
			Pods: map[string][]string{}, Claims: map[string][]string{}, Revisions: map[string][]string{},
			Addresses: map[string][]string{}, Deleters: map[string][]string{}, Sets: map[string]string{},
			Budgets: map[string]string{}, Refused: map[int]string{},
		},
		pods: map[string]string{}, claims: map[string]*seen{}, revisions: map[string]string{},
		ready: map[string][]string{}, alive: map[string]bool{},
	}
	for text := range bytes.Lines(data) {
		e := &seen{}
		require.NoError(t, json.Unmarshal(text, e))
		w.see(t, e)
	}
	maps.DeleteFunc(w.Sets, func(name, _ string) bool { return !w.alive[name] })
	for _, list := range []*[]string{&w.Warnings, &w.Normal} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return &w.Lives
}

func (w *witness) see(t *testing.T, e *seen) {
	if e.Wall > 0 && w.began == 0 {
		w.began = e.Wall
	}
	switch e.Event {
	case "meta":
		w.ns, w.recorded = e.NS, true
	case "pod":
		w.seePod(e)
	case "claim":
		w.seeClaim(e)
	case "revision":
		w.seeRevision(e)
	case "slice", "dns":
		w.seeAddress(e)
	case "status":
		w.seeStatus(t, e)
	case "k8sEvent":
		w.seeEvent(e)
	case "step":
		w.seeStep(e)
	case "budget":
		b := &e.Budget
		w.Budgets[b.Name] = fmt.Sprintf("allows %d, healthy %d of %d, expected %d",
			b.DisruptionsAllowed, b.CurrentHealthy, b.DesiredHealthy, b.ExpectedPods)
	case "drainout", "node":
		if strings.HasSuffix(e.Line, " drained") || e.Reason == timeline.ReasonDrained {
			w.Drained++
		}
	case "final":
		w.seeEnd(t, e)
	}
}

// add appends an entry with its time: the seconds of a run, those since the beginning of a recording.
func (w *witness) add(to map[string][]string, key string, e *seen, what string) {
	at := e.T
	if w.recorded {
		at = math.Round((e.Wall-w.began)*10) / 10
	}
	to[key] = append(to[key], strconv.FormatFloat(at, 'f', -1, 64)+" "+what)
}

// seePod leaves out what a recording does not show: what a pod is while it is Terminating.
func (w *witness) seePod(e *seen) {
	life := e.Pod + string(e.UID)
	last := w.pods[life]
	switch {
	case last == "Terminating" && e.State != "Gone", e.State == "Unready" && (last == "Running" || last == "Unready"):
		return
	case e.State == "Terminating":
		w.Deleters[e.Pod] = append(w.Deleters[e.Pod], w.deleter(e))
	}
	w.pods[life] = e.State
	w.add(w.Pods, e.Pod, e, e.State+" "+e.Image)
}

// deleter says in the words of a timeline who has deleted a pod.
func (w *witness) deleter(e *seen) string {
	if !w.recorded {
		return e.Actor
	}
	switch e.By {
	case "statefulset-controller":
		return "controller"
	case "kubectl":
		return "user"
	case "", "kubelet", "pod":
		return ""
	}
	return "apiserver"
}

func (w *witness) seeClaim(e *seen) {
	name, last := e.Claim, w.claims[e.Claim]
	owners := slices.Clone(e.Owners)
	for i := range owners {
		owners[i], _, _ = strings.Cut(owners[i], " ")
	}
	slices.Sort(owners)
	e.Owners = owners
	if e.Change == "deleted" {
		if last != nil && last.Phase != "Terminating" {
			w.add(w.Claims, name, e, "Terminating")
		}
		w.add(w.Claims, name, e, "deleted")
		delete(w.claims, name)
		return
	}
	if last == nil {
		w.add(w.Claims, name, e, "added")
		last = &seen{Phase: "Pending"}
	}
	if e.Phase != last.Phase {
		w.add(w.Claims, name, e, e.Phase)
	}
	if !slices.Equal(e.Owners, last.Owners) {
		w.add(w.Claims, name, e, "owners "+strings.Join(e.Owners, " "))
	}
	w.claims[name] = e
}

// seeRevision calls the n-th revision that is seen @n.
func (w *witness) seeRevision(e *seen) {
	if w.revisions[e.Name] == "" {
		w.revisions[e.Name] = fmt.Sprintf("@%d", len(w.revisions)+1)
	}
	name, what := w.revisions[e.Name], "deleted"
	if e.Change != "deleted" {
		what = "revision " + string(e.Revision)
		if last := w.Revisions[name]; len(last) > 0 && strings.HasSuffix(last[len(last)-1], " "+what) {
			return
		}
	}
	w.add(w.Revisions, name, e, what)
}

// seeAddress notes which pods a Service publishes as ready, and under a name of their own: in the words of the DNS, or of
// the EndpointSlices behind it.
func (w *witness) seeAddress(e *seen) {
	if e.Event == "dns" && e.Pod != "" {
		key := e.Service + " " + e.Pod
		if slices.ContainsFunc(e.Names, func(n string) bool { return strings.HasPrefix(n, e.Pod+".") }) {
			key += " named"
		}
		w.add(w.Addresses, key, e, map[bool]string{true: "in", false: "out"}[e.Change == "added"])
		return
	}
	now := w.published(e)
	if e.Event == "dns" && e.Change != "deleted" {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(w.Addresses)) {
		list := w.Addresses[key]
		service, pod, _ := strings.Cut(key, " ")
		if service == e.Service && strings.HasSuffix(list[len(list)-1], " in") && !slices.Contains(now, pod) {
			w.add(w.Addresses, key, e, "out")
		}
	}
	for _, pod := range now {
		if !slices.Contains(w.ready[e.Service], pod) {
			w.add(w.Addresses, e.Service+" "+pod, e, "in")
		}
	}
	w.ready[e.Service] = now
}

// published lists the ready pods of a slice.
func (w *witness) published(e *seen) (pods []string) {
	for _, endpoint := range e.Endpoints {
		if f := strings.Fields(endpoint); e.Change != "deleted" && slices.Contains(f, "ready=1") {
			pod := f[0]
			if f[1] != "host=-" {
				pod += " named"
			}
			pods = append(pods, pod)
		}
	}
	slices.Sort(pods)
	return pods
}

func (w *witness) seeStatus(t *testing.T, e *seen) {
	if len(e.Status) < len("{}")+1 || string(e.Status) == "null" {
		w.alive[e.StatefulSet] = false
		return
	}
	var s struct {
		ObservedGeneration, Replicas, ReadyReplicas, AvailableReplicas, CurrentReplicas, UpdatedReplicas int
		CurrentRevision, UpdateRevision                                                                  string
	}
	require.NoError(t, json.Unmarshal(e.Status, &s))
	w.Sets[e.StatefulSet] = fmt.Sprintf("generation %d, %d replicas, %d ready, %d available, %d current %s, %d updated %s",
		s.ObservedGeneration, s.Replicas, s.ReadyReplicas, s.AvailableReplicas,
		s.CurrentReplicas, w.revisions[s.CurrentRevision], s.UpdatedReplicas, w.revisions[s.UpdateRevision])
	w.alive[e.StatefulSet] = true
}

var (
	// volume is the name of a PersistentVolume; nodesOf counts the nodes of a cluster, which was shared by recordings.
	volume  = regexp.MustCompile(`pv-[0-9a-f-]{36}`)
	nodesOf = regexp.MustCompile(`0/\d+ nodes are available`)
)

func (w *witness) seeEvent(e *seen) {
	text := strings.TrimPrefix(e.Message, "(combined from similar events): ")
	if w.ns != "" {
		text = strings.ReplaceAll(text, w.ns, "default")
	}
	// What the stand-in of the storage says, and when a node was silent for long enough.
	if e.Reason == "Hung" || e.Reason == "NodeNotReady" || strings.HasPrefix(text, "there is no storage") {
		return
	}
	text = e.Reason + ": " + nodesOf.ReplaceAllString(volume.ReplaceAllString(text, "PV"), "0/N nodes are available")
	if e.Type == "Warning" {
		w.Warnings = append(w.Warnings, text)
	} else {
		w.Normal = append(w.Normal, text)
	}
}

func (w *witness) seeStep(e *seen) {
	switch {
	case e.Effect == "refused":
		text := e.Refusal
		if w.recorded && e.API != "" {
			text = e.API
		}
		if w.ns != "" {
			text = strings.ReplaceAll(text, w.ns, "default")
		}
		w.Refused[e.Step] = text
	case w.recorded || e.StatefulSet == "":
	case e.Verb == "create" && e.Effect == "created":
		w.alive[e.StatefulSet] = true
	case e.Verb == "delete" && e.Effect == "deleted" && strings.HasPrefix(e.Does, "delete the StatefulSet") &&
		!strings.Contains(e.Does, "after its pods"):
		w.alive[e.StatefulSet] = false
	}
}

// seeEnd reads which sets are there at the end of a recording.
func (w *witness) seeEnd(t *testing.T, e *seen) {
	var sets []string
	require.NoError(t, json.Unmarshal(e.Sets, &sets))
	clear(w.alive)
	for _, set := range sets {
		name, _, _ := strings.Cut(set, " ")
		w.alive[name] = true
	}
}

// Against lists what a run does otherwise than what was recorded.
func (l *Lives) Against(run *Lives) (differences []string) {
	differ := func(what string, want, got any) {
		differences = append(differences, fmt.Sprintf("%s\n  recorded %v\n  run      %v", what, want, got))
	}
	for _, pair := range []struct {
		what          string
		recorded, run map[string][]string
	}{
		{"pod", l.Pods, run.Pods}, {"claim", l.Claims, run.Claims}, {"revision", l.Revisions, run.Revisions},
		{"address", l.Addresses, run.Addresses},
	} {
		for _, key := range bothKeys(pair.recorded, pair.run) {
			want, got := pair.recorded[key], pair.run[key]
			if pair.what == "address" && len(l.Addresses) == 0 {
				continue
			}
			if !slices.EqualFunc(want, got, func(a, b string) bool { return untimed(a) == untimed(b) }) {
				differ(pair.what+" "+key, want, got)
			}
		}
	}
	for _, key := range bothKeys(l.Deleters, run.Deleters) {
		want, got := l.Deleters[key], run.Deleters[key]
		same := func(a, b string) bool { return a == "" || a == b }
		if len(want) == len(got) && !slices.EqualFunc(want, got, same) {
			differ("who deletes "+key, want, got)
		}
	}
	if !maps.Equal(l.Sets, run.Sets) {
		differ("sets at the end", l.Sets, run.Sets)
	}
	if !maps.Equal(l.Budgets, run.Budgets) {
		differ("budgets at the end", l.Budgets, run.Budgets)
	}
	if !maps.Equal(l.Refused, run.Refused) {
		differ("refused steps", l.Refused, run.Refused)
	}
	if !slices.Equal(l.Warnings, run.Warnings) {
		differ("warnings", without(l.Warnings, run.Warnings), without(run.Warnings, l.Warnings))
	}
	if extra := without(run.Normal, l.Normal); len(extra) > 0 {
		differ("events that were not recorded", nil, extra)
	}
	if l.Drained != run.Drained {
		differ("drains that have ended", l.Drained, run.Drained)
	}
	return append(differences, l.reversed(run)...)
}

func bothKeys(a, b map[string][]string) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// without lists what is in the one and not in the other.
func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

// untimed is an entry without its time.
func untimed(entry string) string {
	_, what, _ := strings.Cut(entry, " ")
	return what
}

// reversed lists what is a second apart or more in a run and came the other way round on the control plane.
func (l *Lives) reversed(run *Lives) (list []string) {
	recorded, played := l.moments(), run.moments()
	keys := slices.Sorted(maps.Keys(played))
	for _, a := range keys {
		for _, b := range keys {
			first, knownA := recorded[a]
			second, knownB := recorded[b]
			if knownA && knownB && played[b]-played[a] >= 1 && second < first-0.3 {
				list = append(list, fmt.Sprintf("%s comes before %s, and came %.1fs after it", a, b, first-second))
			}
		}
	}
	return list
}

// moments returns when each pod enters each state, and each claim comes and goes.
func (l *Lives) moments() map[string]float64 {
	moments := map[string]float64{}
	for _, m := range []map[string][]string{l.Pods, l.Claims} {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			nth := map[string]int{}
			for _, entry := range m[name] {
				at, what, _ := strings.Cut(entry, " ")
				state, _, _ := strings.Cut(what, " ")
				if strings.HasPrefix(what, "owners") || state == "Bound" {
					continue
				}
				nth[state]++
				seconds, _ := strconv.ParseFloat(at, 64)
				moments[fmt.Sprintf("%s %s %d", name, state, nth[state])] = seconds
			}
		}
	}
	return moments
}
