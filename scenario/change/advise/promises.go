package advise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
)

// How far a setting is explored: each run of one deviation, and as many with two as there is room for. A set is explored
// with few pods, because what goes wrong with its order goes wrong with five.
const (
	exploredRuns       = 300
	exploredDeviations = 2
	exploredPods       = 5
)

// explored remembers what was found about settings. The same scenario is explored once.
type explored map[string][]promise.Name

// broken returns the grave promises that a set with the setting breaks when pods are deleted, become unready, or nodes
// and the controller restart in the middle of a rollout.
func (known explored) broken(s *subject, as *setting, each func(n int, work func(int))) []promise.Name {
	text := s.shortForm(as)
	if names, found := known[text]; found {
		return names
	}
	known[text] = nil
	x, err := explore.New(&explore.Source{
		Name: "advise.yaml", Data: []byte(text), Interrupted: s.frame.Interrupted,
		Options: scenario.Options{Limits: s.frame.Limits},
	})
	if err != nil {
		if s.frame.Ends() {
			return nil
		}
		panic(fmt.Sprintf("advise: a scenario of a setting cannot be explored: %v\n%s", err, text))
	}
	found := search.Search(search.Options{
		Subject: x.Subject, Open: x.Open, Deviations: exploredDeviations, Runs: exploredRuns, Random: 25, Seed: seed,
		Every: each, Stop: s.frame.Ends,
	})
	var names []promise.Name
	for _, f := range found.Found {
		name, _, _ := strings.Cut(f.Class, "/")
		if p, is := promise.Lookup(name); is && p.Grave && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	known[text] = names
	return names
}

// more returns the promises of a list that another one has not.
func more(than, list []Promise) []Promise {
	return slices.DeleteFunc(slices.Clone(list), func(p Promise) bool {
		return slices.ContainsFunc(than, func(other Promise) bool {
			return other.Promise == p.Promise && (other.Trap == p.Trap || other.Trap == "" || p.Trap == "")
		})
	})
}

// risks returns a function that reports whether a setting can run into a trap that breaks a grave promise, and today's
// cannot. It remembers the answers by what the traps depend on.
func (s *subject) risks() func(*trial) bool {
	known := map[string]bool{}
	usual := s.promises(s.today(), nil)
	return func(t *trial) bool {
		like := setting{policy: t.policy, minReady: min(t.minReady, 1), onDelete: t.onDelete}
		shape := like.String() + fmt.Sprint(len(t.stages) > 0, t.atOnceText())
		if _, found := known[shape]; !found {
			known[shape] = slices.ContainsFunc(more(usual, s.promises(&t.setting, nil)), Promise.grave)
		}
		return known[shape]
	}
}

// grave reports whether it is a promise that people rely on most.
func (p Promise) grave() bool {
	of, is := promise.Lookup(p.Promise)
	return is && of.Grave
}

// given says what one gives up who may break it.
func (p Promise) given() string {
	if p.Trap == "" {
		return "can break a promise that today's keeps"
	}
	return "can run into the trap " + p.Trap
}

// shortForm is a small set with a setting, its rollout, and its stages, as a scenario.
func (s *subject) shortForm(as *setting) string {
	small := *as
	replicas := min(s.wanted.Spec.Replicas, exploredPods)
	if as.atOnce != nil && !as.atOnce.Percent {
		atOnce := *as.atOnce
		atOnce.Value = min(atOnce.Value, max(1, replicas-1))
		small.atOnce = &atOnce
	}
	small.stages = nil
	for _, p := range as.stages {
		small.stages = append(small.stages, min(p, max(0, replicas-1)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "name: advise\nkubernetes: %q\nsteps:\n", s.frame.Profile.Version())
	s.created(&b, &small, "default", replicas)
	fmt.Fprintf(&b, "  - setImage: {image: \"app:v2\"}\n")
	for i := 1; i < len(small.stages); i++ {
		fmt.Fprintf(&b, "  - patch: {spec: {updateStrategy: {rollingUpdate: {partition: %d}}}}\n", small.stages[i])
	}
	return b.String()
}

// promises are those that a setting may break: the traps of the atlas that the set can run into with it, and what was
// found when it was explored and no such trap is about.
func (s *subject) promises(as *setting, broken []promise.Name) []Promise {
	list := []Promise{}
	set := stored.Set{Wanted: as.on(s.wanted)}
	for _, trap := range alarm.TrapsOf([]*stored.Set{&set}, s.frame.Profile.Version()) {
		list = append(list, Promise{Promise: trap.Promise, Trap: trap.Name, Says: trap.Title, When: trap.When})
	}
	for _, name := range broken {
		if p, _ := promise.Lookup(string(name)); !slices.ContainsFunc(list, func(other Promise) bool {
			return other.Promise == string(name)
		}) {
			list = append(list, Promise{Promise: string(name), Says: p.Says, When: "a pod, a node or the controller fails in " +
				"the middle of the rollout: found by exploring, no known trap."})
		}
	}
	return list
}
