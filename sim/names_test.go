package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

var webPods = model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}}

func service(name string, edit func(*model.Service)) sim.Step {
	s := &model.Service{Meta: model.Meta{Namespace: "default", Name: name}, Headless: true, Selector: webPods}
	if edit != nil {
		edit(s)
	}
	return sim.Step{Verb: "apply", Act: func(u *sim.User) sim.Outcome { u.CreateService(s); return sim.Outcome{} }}
}

// answers checks at every fixed point that the fold of the timeline answers as the pods of the API server ask for.
type answers struct {
	t    require.TestingT
	fold timeline.Fold
	// addresses are those that were seen, with the pod that had them.
	addresses map[string]model.UID
}

func (a *answers) watch(w *sim.World) {
	for a.fold.Index < len(w.Events()) {
		a.fold.Apply(&w.Events()[a.fold.Index])
	}
	var ready, all []string
	for _, pod := range w.Pods() {
		if pod.Serving() && !pod.Finished() {
			ready = append(ready, pod.Name)
		}
		if pod.Phase == model.Running {
			all = append(all, pod.Name)
		}
	}
	a.leadsTo("web", ready)
	a.leadsTo("front", ready)
	a.leadsTo("peers", all)
	for _, name := range ready {
		a.leadsTo(name+".web", []string{name})
	}
	for _, name := range all {
		_, exists := a.fold.Resolve(name+".peers", "default")
		require.False(a.t, exists, "the pods are not of the subdomain peers")
	}
}

func (a *answers) leadsTo(name string, want []string) {
	var got []string
	to, _ := a.fold.Resolve(name, "default")
	for _, p := range to {
		got = append(got, p.Pod)
		require.NotEmpty(a.t, p.IP)
		if uid, seen := a.addresses[p.IP]; seen {
			require.Equal(a.t, uid, p.UID, "%s has the address of another life", p.Pod)
		}
		a.addresses[p.IP] = p.UID
	}
	require.ElementsMatch(a.t, want, got, "%s at %ss", name, a.fold.T.Seconds())
}

// TestNamesFollowThePods: at every fixed point of a random world the names lead to the pods that they should, each life
// has an address of its own, and an answer is told only when it changes.
func TestNamesFollowThePods(t *testing.T) {
	profile, err := statefulset.Lookup("1.37")
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		a := &answers{t: t, addresses: map[string]model.UID{}}
		set := randomSet(t)
		w := sim.New(sim.Config{
			Controller: statefulset.New(profile), API: profile.API(), Kubelet: randomKubelet(t),
			Until: time.Hour, MaxEvents: 20_000, Watch: func(w *sim.World) {
				if len(a.addresses) > 0 || w.Now() > 0 {
					a.watch(w)
				}
			},
		})
		steps := []sim.Step{creating(set), service("web", nil), service("front", func(s *model.Service) { s.Headless = false }),
			service("peers", func(s *model.Service) { s.PublishNotReady = true })}
		for i := 1; i < len(steps); i++ {
			steps[i].When = sim.When{Trigger: sim.At}
		}
		events := w.Run(append(steps, randomSteps(t, set)...))
		last := map[[2]string]timeline.DNS{}
		for i := range events {
			if e := &events[i]; e.Kind == timeline.KindDNS && e.Pod != "" {
				key := [2]string{e.DNS.Service, e.Pod}
				_, there := last[key]
				require.Equal(t, there, e.DNS.Type != model.Added, "%v", e.DNS)
				if delete(last, key); e.DNS.Type != model.Deleted {
					last[key] = *e.DNS
				}
			}
		}
	})
}

// TestNamesTakeTheirTime: an answer comes after the delay, in the order of the changes, and not at all of a Service that
// is gone by then.
func TestNamesTakeTheirTime(t *testing.T) {
	profile, err := statefulset.Lookup("1.37")
	require.NoError(t, err)
	set := setOfOne()
	steps := []sim.Step{service("web", nil), creating(set),
		{When: sim.When{Trigger: sim.At, D: 10 * time.Second}, Act: func(u *sim.User) sim.Outcome {
			u.DeletePod(model.Key{Namespace: "default", Name: "web-0"}, true)
			return sim.Outcome{}
		}},
		{When: sim.When{Trigger: sim.At, D: 11 * time.Second}, Act: func(u *sim.User) sim.Outcome {
			require.True(t, u.DeleteService(model.Key{Namespace: "default", Name: "web"}))
			require.False(t, u.DeleteService(model.Key{Namespace: "default", Name: "web"}))
			return sim.Outcome{}
		}},
	}
	atOnce := behaviour.Constant(0)
	w := sim.New(sim.Config{
		Controller: statefulset.New(profile), API: profile.API(), DNSDelay: 2 * time.Second,
		Kubelet: behaviour.Behaviour{Default: behaviour.Times{Schedule: atOnce, Start: atOnce, Ready: atOnce, Stop: atOnce}},
	})
	var told []string
	for _, e := range w.Run(steps) {
		if e.Kind == timeline.KindDNS {
			told = append(told, e.T.Seconds()+" "+e.Pod+" "+[]string{"", "added", "modified", "deleted"}[e.DNS.Type])
		}
	}
	require.Equal(t, []string{"0  added", "2 web-0 added", "11  deleted"}, told)
}

func setOfOne() *model.StatefulSet {
	return &model.StatefulSet{Meta: model.Meta{Namespace: "default", Name: "web"}, Spec: model.Spec{
		Replicas: 1, Selector: webPods, Template: template("app:v1"), ServiceName: "web",
	}}
}
