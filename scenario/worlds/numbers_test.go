package worlds_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// numbers is what the world itself was seen to hold, at each fixed point of the controller. The numbers that reports
// print are held to it.
type numbers struct {
	names []model.Key
	seen  map[model.Key][]sight
	// owned are the pods of each set when it was last there.
	owned map[model.Key][]model.UID
	// had are the pods that a set owned before they were deleted; deleted are those of them that were seen to terminate.
	had     map[model.UID]bool
	deleted map[model.UID]string
	// steps is how many steps had been played at the last look, and at is its instant.
	steps int
	at    model.Time
}

// sight is a set at a fixed point.
type sight struct {
	at                model.Time
	there             bool
	serving, replicas int
}

func newNumbers() *numbers {
	return &numbers{
		seen: map[model.Key][]sight{}, owned: map[model.Key][]model.UID{},
		had: map[model.UID]bool{}, deleted: map[model.UID]string{}, steps: -1,
	}
}

// look looks at the world at a fixed point. The last look at an instant, or before a step, is the one that counts.
func (n *numbers) look(w *sim.World, events []timeline.Event) {
	steps := 0
	for i := range events {
		if events[i].Kind == timeline.KindStep {
			steps++
		}
	}
	again := n.at == w.Now() && n.steps == steps
	n.at, n.steps = w.Now(), steps
	for _, set := range w.Sets() {
		if key := set.Key(); !slices.Contains(n.names, key) {
			n.names = append(n.names, key)
		}
	}
	for _, key := range n.names {
		s := n.sight(w, key)
		if list := n.seen[key]; again && len(list) > 0 && list[len(list)-1].at == s.at {
			list[len(list)-1] = s
		} else {
			n.seen[key] = append(list, s)
		}
	}
}

func (n *numbers) sight(w *sim.World, key model.Key) sight {
	s := sight{at: w.Now()}
	for _, set := range w.Sets() {
		if set.Key() != key {
			continue
		}
		s.there, s.replicas = true, int(set.Spec.Replicas)
		n.owned[key] = nil
		for _, p := range w.Pods() {
			if owner := p.Controller(); owner != nil && owner.UID == set.UID {
				n.owned[key] = append(n.owned[key], p.UID)
			}
		}
	}
	for _, p := range w.Pods() {
		if !slices.Contains(n.owned[key], p.UID) {
			continue
		}
		switch {
		case p.Terminating() && n.had[p.UID]:
			n.deleted[p.UID] = p.Name
		case p.Terminating():
		default:
			n.had[p.UID] = true
			if p.Ready {
				s.serving++
			}
		}
	}
	return s
}

// fewest is the least number of serving pods from the first fixed point on at which all served, up to the last one at
// which there was a set.
func (n *numbers) fewest(key model.Key) (fewest sight, complete bool) {
	list := n.seen[key]
	first := slices.IndexFunc(list, func(s sight) bool { return s.there && s.replicas > 0 && s.serving >= s.replicas })
	if first < 0 {
		return sight{}, false
	}
	fewest = list[first]
	for i, s := range list[first:] {
		later := slices.ContainsFunc(list[first+i:], func(s sight) bool { return s.there })
		if later && s.serving < fewest.serving {
			fewest = s
		}
	}
	return fewest, true
}

// lives counts the pods that the timeline says were created for a set, and those that were deleted, by their uids. A
// pod that the set has released is none of its own any more; one whose set has gone before it still is.
func lives(events []timeline.Event, key model.Key) (created, deleted map[model.UID]bool) {
	created, deleted = map[model.UID]bool{}, map[model.UID]bool{}
	owned, going := map[model.UID]bool{}, map[model.UID]bool{}
	for i := range events {
		e := &events[i]
		if e.Pod == "" || e.Set != key || e.Kind != timeline.KindPod && e.Kind != timeline.KindOwner {
			continue
		}
		switch {
		case e.Kind == timeline.KindOwner:
			owned[e.UID] = e.Owned.Change != timeline.Released
		case e.State == timeline.Pending && !e.Bare:
			created[e.UID], owned[e.UID] = true, true
		case (e.State == timeline.Terminating || e.State == timeline.Gone) && owned[e.UID] && !going[e.UID]:
			deleted[e.UID] = true
		}
		// A pod that is adopted while it is being deleted is none that the set has lost.
		going[e.UID] = going[e.UID] || e.State == timeline.Terminating
	}
	return created, deleted
}

// replaced counts the pods that were not the first of their names.
func replaced(events []timeline.Event, created map[model.UID]bool) (n int) {
	names := map[string]model.UID{}
	for i := range events {
		e := &events[i]
		if !created[e.UID] || e.Kind != timeline.KindPod || e.State != timeline.Pending {
			continue
		}
		if before, known := names[e.Pod]; known && before != e.UID {
			n++
		}
		names[e.Pod] = e.UID
	}
	return n
}

// requireNumbers holds what reports print to what was seen.
func requireNumbers(t require.TestingT, n *numbers, events []timeline.Event) {
	run := &report.Run{Name: "world", Events: events}
	several := slices.ContainsFunc(n.names, func(key model.Key) bool { return key.Namespace != n.names[0].Namespace })
	var table, text, markdown bytes.Buffer
	wide := render.Style{Width: 400}
	require.NoError(t, report.Table(&table, run, wide))
	require.NoError(t, report.Text(&text, run, wide))
	require.NoError(t, report.Markdown(&markdown, run))
	explained, err := explain.Explain(events, explain.Options{})
	require.NoError(t, err)
	compared := comparedJSON(t, run)
	all, again := 0, 0
	for _, key := range named(events) {
		created, deleted := lives(events, key)
		all, again = all+len(deleted), again+replaced(events, created)
	}
	for _, key := range n.names {
		last := n.seen[key][len(n.seen[key])-1]
		created, deleted := lives(events, key)
		fewest, complete := n.fewest(key)
		words, number := "never all at once", -1
		if complete {
			words, number = fmt.Sprintf("%d at %s", fewest.serving, render.Clock(fewest.at)), fewest.serving
		}
		replicas := lastReplicas(n.seen[key])
		name := "(?:" + regexp.QuoteMeta(key.Namespace) + "/)?" + regexp.QuoteMeta(key.Name)
		if several {
			name = regexp.QuoteMeta(key.String())
		}
		serving := fmt.Sprintf("%d/%d", last.serving, replicas)
		if !last.there && changedAt(events, key, goneAt(n.seen[key])) {
			serving = `\d+/\d+`
		}
		cells := []string{name, serving, words,
			fmt.Sprint(len(created)), fmt.Sprint(len(deleted))}
		require.Regexp(t, `(?m)^`+strings.Join(cells, ` +`)+`$`, table.String())
		require.Regexp(t, `(?m)^\| `+strings.Join(cells, ` +\| `)+` +\|$`, markdown.String())
		if last.there {
			require.Regexp(t, fmt.Sprintf(`(?m)^  %s: %d/%d serving`, name, last.serving, replicas), text.String())
		}
		require.Equal(t, number, compared.fewest(key), "fewest serving of %s in a comparison", key)
		at := slices.IndexFunc(explained.Sets, func(s *explain.Set) bool {
			return s.Namespace == key.Namespace && s.Name == key.Name
		})
		require.Equal(t, last.there, at >= 0, "%s is explained", key)
		if at >= 0 {
			require.Equal(t, []int{last.serving, replicas},
				[]int{explained.Sets[at].Serving, explained.Sets[at].Replicas}, "%s explained", key)
		}
	}
	require.Equal(t, all, compared.Runs[0].Deleted)
	require.Equal(t, again, report.Figure(run).Replaced)
	requireDeleted(t, n, events)
}

// named are the sets that pods stood with. One that is deleted in the instant in which it was created is at no fixed
// point.
func named(events []timeline.Event) (sets []model.Key) {
	for i := range events {
		if e := &events[i]; e.Pod != "" && !slices.Contains(sets, e.Set) {
			sets = append(sets, e.Set)
		}
	}
	return sets
}

// fleeting says whether a set is created and deleted within one instant, so that no fixed point has it.
func fleeting(events []timeline.Event, n *numbers) bool {
	for i := range events {
		if step := events[i].Step; step != nil {
			for _, set := range step.Sets {
				if !slices.Contains(n.names, set.Key()) {
					return true
				}
			}
		}
	}
	return false
}

// requireDeleted holds that each pod that was seen to terminate is counted for some set.
func requireDeleted(t require.TestingT, n *numbers, events []timeline.Event) {
	counted := map[model.UID]bool{}
	for _, key := range n.names {
		_, deleted := lives(events, key)
		for uid := range deleted {
			counted[uid] = true
		}
	}
	for uid, name := range n.deleted {
		require.True(t, counted[uid], "%s was deleted", name)
	}
}

// goneAt returns the first instant at whose end a set was gone for good.
func goneAt(list []sight) model.Time {
	at := len(list)
	for at > 0 && !list[at-1].there {
		at--
	}
	return list[at].at
}

// changedAt says whether a step has changed a set at an instant, or a pod of it was created: if the set is gone at the
// end of the instant, nobody has seen with how many replicas, or which pods, it went.
func changedAt(events []timeline.Event, key model.Key, at model.Time) bool {
	return slices.ContainsFunc(events, func(e timeline.Event) bool {
		return e.T == at && e.Set == key && (e.Kind == timeline.KindStep && e.Step.Effect == timeline.Configured ||
			e.Kind == timeline.KindPod && e.State == timeline.Pending)
	})
}

func lastReplicas(list []sight) int {
	replicas := 0
	for _, s := range list {
		if s.there {
			replicas = s.replicas
		}
	}
	return replicas
}

// comparison is as much of a comparison's JSON as is looked at.
type comparison struct {
	Runs []struct {
		Deleted int `json:"deleted"`
		Sets    []struct {
			Namespace     string `json:"namespace"`
			StatefulSet   string `json:"statefulset"`
			FewestServing *int   `json:"fewestServing"`
		} `json:"sets"`
	} `json:"runs"`
}

func comparedJSON(t require.TestingT, run *report.Run) (c comparison) {
	var b bytes.Buffer
	require.NoError(t, report.VariantsJSON(&b, &report.Comparison{
		Name: "world", Versions: []report.VersionRun{{Version: "A", Run: run}}, Groups: [][]int{{0}},
	}))
	require.NoError(t, json.Unmarshal(b.Bytes(), &c))
	return c
}

func (c comparison) fewest(key model.Key) int {
	for _, set := range c.Runs[0].Sets {
		if set.Namespace == key.Namespace && set.StatefulSet == key.Name && set.FewestServing != nil {
			return *set.FewestServing
		}
	}
	return -1
}
