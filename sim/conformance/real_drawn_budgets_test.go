//go:build real

package conformance_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/disruption"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// budgetRoom is the simulated disruption controller with a store to itself.
type budgetRoom struct {
	t          *testing.T
	kernel     *kernel.Kernel
	store      *store.Store
	controller *disruption.Controller
	user       store.Writer
}

func newBudgetRoom(t *testing.T, kubernetes string) *budgetRoom {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	n := nodes.New(k, s, nodes.Config{Rules: release.NodeRules(kubernetes)})
	c := disruption.New(k, s, log, n)
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, c.SeePod)
	return &budgetRoom{t: t, kernel: k, store: s, controller: c, user: s.As(store.By{Actor: timeline.User})}
}

// drawDisruptions draws changes of the world of a disruption controller, as do reads them.
func drawDisruptions(t *rapid.T, kubernetes string) []string {
	pick := func(options ...string) string { return rapid.SampledFrom(options).Draw(t, "") }
	number := func(most int) string { return strconv.Itoa(rapid.IntRange(0, most).Draw(t, "")) }
	budget := func() string {
		name := "a"
		if kubernetes == "1.38" {
			name = pick("a", "b")
		}
		amount := pick("min "+number(3), "max "+number(3), "min "+number(100)+"%", "max "+number(100)+"%", "none 0")
		return "budget " + name + " " + amount + " of " + pick("web", "web", "web", "web,db", "all", "none")
	}
	changes := []string{"set 0 " + number(6), budget()}
	for pod := range rapid.IntRange(0, 4).Draw(t, "pods") {
		changes = append(changes, fmt.Sprintf("create %d of 0 web", pod), fmt.Sprintf("ready %d", pod))
	}
	for range rapid.IntRange(1, 25).Draw(t, "changes") {
		pod := number(5)
		changes = append(changes, pick("create "+pod+" of "+number(1)+" "+pick("web", "web", "db"),
			"create "+pod+" of "+number(1)+" web", "create "+pod+" of "+pick("none", "gone")+" web", "ready "+pod, "ready "+pod,
			"unready "+pod, "relabel "+pod+" "+pick("web", "db"), "delete "+pod, "remove "+pod,
			"set "+number(1)+" "+number(6), "lose "+number(1), budget()))
	}
	return changes
}

// do makes a change, or nothing if its object is not there, or is so already. The disruption controller writes the status then.
func (b *budgetRoom) do(change string) {
	words := strings.Fields(change)
	key := model.Key{Namespace: "default", Name: "p" + words[1]}
	if words[0] == "set" || words[0] == "lose" {
		key.Name = "set" + words[1]
	}
	pod, ready := b.store.Pod(key), words[0] == "ready"
	switch words[0] {
	case "budget":
		b.controller.Put(budgetOf(words))
	case "create":
		b.create(key, words[3], words[4])
	case "ready", "unready":
		if pod != nil && pod.Ready != ready {
			b.user.ChangePod(key, func(p *model.Pod) { p.Ready = ready })
		}
	case "relabel":
		if pod != nil && pod.Labels["app"] != words[2] {
			b.user.ChangePod(key, func(p *model.Pod) { p.Labels = map[string]string{"app": words[2]} })
		}
	case "delete":
		_ = b.user.DeletePodWithin(key, 0, 30*time.Second)
	case "remove":
		if pod != nil {
			b.user.RemovePod(key)
		}
	case "set":
		b.set(key, words[2])
	case "lose":
		_ = b.user.RemoveSet(key)
	}
	b.controller.Note()
}

// create creates a pod of a set, of none, or of one that never was.
func (b *budgetRoom) create(key model.Key, of, label string) {
	if b.store.Pod(key) != nil {
		return
	}
	pod := &model.Pod{Template: &model.Template{},
		Meta: model.Meta{Namespace: key.Namespace, Name: key.Name, Labels: map[string]string{"app": label}}}
	owner := model.Owner{Kind: model.KindStatefulSet, Name: "set" + of, UID: 1 << 40, Controller: true}
	if set := b.store.Set(model.Key{Namespace: key.Namespace, Name: owner.Name}); set != nil {
		owner.UID = set.UID
	}
	if of != "none" {
		pod.Owners = []model.Owner{owner}
	}
	_, err := b.user.CreatePod(pod)
	require.Nil(b.t, err)
	b.user.ChangePod(key, func(p *model.Pod) { p.Node, p.Phase = "node-1", model.Running })
}

// set creates a set, or scales it.
func (b *budgetRoom) set(key model.Key, replicas string) {
	n, _ := strconv.Atoi(replicas)
	if old := b.store.Set(key); old != nil {
		scaled := *old
		scaled.Spec.Replicas = int32(n)
		_, err := b.user.UpdateSet(&scaled)
		require.Nil(b.t, err)
		return
	}
	_, err := b.user.CreateSet(&model.StatefulSet{Meta: model.Meta{Namespace: key.Namespace, Name: key.Name}, Spec: model.Spec{
		Replicas: int32(n), Template: &model.Template{Labels: map[string]string{"app": "web"}}, Selector: *selecting("web"),
	}})
	require.Nil(b.t, err)
}

// budgetOf reads a budget: budget NAME min|max|none AMOUNT of LABELS.
func budgetOf(words []string) *model.Budget {
	n, _ := strconv.Atoi(strings.TrimSuffix(words[3], "%"))
	amount := &model.IntOrPercent{Value: int32(n), Percent: strings.HasSuffix(words[3], "%")}
	b := &model.Budget{Namespace: "default", Name: words[1], Selects: selecting(words[5])}
	switch words[2] {
	case "min":
		b.MinAvailable = amount
	case "max":
		b.MaxUnavailable = amount
	}
	return b
}

// selecting selects the pods whose label app is one of a list, all or none.
func selecting(labels string) *model.Selector {
	switch labels {
	case "none":
		return nil
	case "all":
		return &model.Selector{}
	}
	return &model.Selector{Needs: []model.Requirement{{Label: "app", Op: model.OpIn, Values: strings.Split(labels, ",")}}}
}

// statuses are those of all budgets as the timeline had them last.
func (b *budgetRoom) statuses() string {
	last := map[string]timeline.Budget{}
	for _, e := range b.kernel.Events() {
		if e.Kind == timeline.KindBudget {
			last[e.Budget.Name] = *e.Budget
		}
	}
	var list []string
	for _, spec := range b.controller.Budgets() {
		s := last[spec.Name]
		list = append(list, fmt.Sprintf("%s: %d healthy, %d desired, %d expected, %d allowed", spec.Name, s.Healthy, s.Desired,
			s.Expected, s.Allowed))
	}
	slices.Sort(list)
	return strings.Join(list, "; ")
}

// TestDrawnDisruptions: the changes that are drawn are made, and budgets that allow something come out of them.
func TestDrawnDisruptions(t *testing.T) {
	allows := 0
	draws := rapid.Custom(func(t *rapid.T) []string { return drawDisruptions(t, "1.38") })
	for seed := range 100 {
		b := newBudgetRoom(t, "1.38")
		for _, change := range draws.Example(seed) {
			b.do(change)
		}
		if !strings.Contains(b.statuses(), " 0 allowed") {
			allows++
		}
	}
	require.Greater(t, allows, 5)
}
