package dump

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// unscheduled returns the rule for a pod that no node takes. If the nodes and claims of the dump do not explain why,
// the pod stays unscheduled whatever the simulated scheduler finds; if they do, there is no rule.
func (s *stays) unscheduled(p *sim.PodState, f *Facts) (rule behaviour.Rule, is bool) {
	if f.Unschedulable == "" || f.Nominated != "" || s.explained(p, f) {
		return rule, false
	}
	rule.Times.Schedule, rule.Times.Reason = behaviour.Never, symptom.FailedScheduling
	rule.Match.That, rule.Of = s.alikeUnbound(p)
	// Somebody else gives the gates to the pods of that name, and the pods of other names have other volumes.
	why := f.Unplaced()
	gated := why.Has(symptom.Gated) && !strings.Contains(specOf(p.Template), `"schedulingGates"`)
	volumes := why.Has(symptom.Misplaced, symptom.VolumeRoom, symptom.UsedAlone) || s.Claimless && why.OfVolumes()
	switch {
	case gated, volumes && !why.Has(symptom.NoRoom):
		rule.Of = ofSet(p)
		rule.Match.That = func(pod *model.Pod) bool { return pod.Key() == p.Key() }
	case s.Nodeless && why.Closed():
		rule.Of, rule.Match.That = behaviour.Whose{}, func(*model.Pod) bool { return true }
	}
	return rule, true
}

// KeptFrom returns why each node of a dump does not take a pod that waits for one; nil for any other pod.
func (d *Dump) KeptFrom(p *Pod) []placement.Kept {
	if says := d.Facts[p.Key()].Unschedulable; says != "" && p.Node == "" {
		return d.memory().KeptFrom(d.State, p.Pod, says)
	}
	return nil
}

// memory returns what the worlds of the dump, and of its parts, share.
func (d *Dump) memory() *placement.Memory { return cmp.Or(d.filters, &placement.Memory{}) }

// alikeUnbound matches the pods that ask the same of nodes as the given pod. If some pod that does has a node, it
// matches only pods with the given pod's name.
func (s *stays) alikeUnbound(p *sim.PodState) (func(*model.Pod) bool, behaviour.Whose) {
	asks := s.asks(p.Template)
	if s.bound == nil {
		for i := range s.State.Pods {
			if other := &s.State.Pods[i]; other.Node != "" {
				keyed.Put(&s.bound, s.asks(other.Template), true)
			}
		}
	}
	if s.bound[asks] {
		return func(pod *model.Pod) bool { return pod.Key() == p.Key() && s.asks(pod.Template) == asks }, ofSet(p)
	}
	return func(pod *model.Pod) bool {
		return pod.Namespace == p.Namespace && s.asks(pod.Template) == asks
	}, behaviour.Whose{Namespace: p.Namespace, Word: asks}
}

// asked is what a pod spec asks of nodes, and askingContainer what a container of it does.
type (
	asked struct {
		NodeSelector, Affinity, TopologySpreadConstraints, SchedulingGates, ResourceClaims, Tolerations any

		RuntimeClassName           string
		Containers, InitContainers []askingContainer
	}
	askingContainer struct {
		Resources struct{ Requests, Limits map[string]string }
		Ports     []struct{ HostPort int }
	}
)

// asks returns what a template asks of nodes, as text. If it asks for nothing, it is the whole spec: nobody knows what
// of it the scheduler goes by. The rules of a run ask this for each pod, so each template is read once.
func (s *stays) asks(template *model.Template) string {
	if _, known := s.askings[template]; !known {
		keyed.Put(&s.askings, template, asksOf(specOf(template)))
	}
	return s.askings[template]
}

// asking are the fields of which a spec has one if it asks nodes for something.
var asking = []string{`"nodeSelector"`, `"affinity"`, `"topologySpreadConstraints"`, `"schedulingGates"`,
	`"resourceClaims"`, `"tolerations"`, `"runtimeClassName"`, `"requests"`, `"limits"`, `"hostPort"`}

// asksOf is asks for a pod spec.
func asksOf(spec string) string {
	var a asked
	has := func(field string) bool { return strings.Contains(spec, field) }
	if !slices.ContainsFunc(asking, has) || json.Unmarshal([]byte(spec), &a) != nil {
		return spec
	}
	for _, list := range []*[]askingContainer{&a.Containers, &a.InitContainers} {
		*list = slices.DeleteFunc(*list, func(c askingContainer) bool {
			return len(c.Resources.Requests)+len(c.Resources.Limits) == 0 &&
				!slices.ContainsFunc(c.Ports, func(port struct{ HostPort int }) bool { return port.HostPort != 0 })
		})
	}
	text := fmt.Sprint(a)
	if text == fmt.Sprint(asked{}) {
		return spec
	}
	return text
}

// aside is a configuration for a world that is asked one question at its first instant: nobody else sees it.
func aside(config sim.Config) sim.Config {
	config.Until, config.Watch, config.Written, config.NoHistory = time.Nanosecond, nil, nil, false
	return config
}

// places says whether the simulated scheduler gives the pod a node at once, by what the dump shows.
func (s *stays) places(p *sim.PodState) bool {
	if s.placed == nil {
		s.placed = map[model.Key]bool{}
		config, start := s.config, s.WithoutServices()
		start.Budgets, config.Start = nil, start
		// A pod that has a node runs in the same instant.
		config.Kubelet.Default.Schedule, config.Kubelet.Default.Start = behaviour.Constant(0), behaviour.Constant(0)
		config = aside(config)
		for _, set := range timeline.EndOf(sim.New(config).Run(nil)).Sets() {
			for pod := range set.Pods.All {
				s.placed[model.Key{Namespace: set.Key.Namespace, Name: pod.Name}] = pod.Node != ""
			}
		}
	}
	return s.placed[p.Key()]
}

// explained says whether the dump itself explains why the pod is not scheduled: no node takes pods, or none takes this
// one, a claim is missing, terminating or not Bound, or its volume can be used on other nodes only.
func (s *stays) explained(p *sim.PodState, f *Facts) bool {
	if len(s.State.Nodes) > 0 && !slices.ContainsFunc(s.State.Nodes, func(n sim.NodeState) bool {
		return !n.NotReady && !n.Cordoned && !n.OutOfService
	}) {
		return true
	}
	if !s.Nodeless && !s.places(p) {
		return true
	}
	return slices.ContainsFunc(p.Volumes, func(volume model.Volume) bool {
		claim := s.Claim(model.Key{Namespace: p.Namespace, Name: volume.Claim})
		return volume.Claim != "" && (claim == nil || claim.Terminating() || claim.Phase != model.ClaimBound)
	})
}

// Unplaced returns why nodes do not take the pod, as the scheduler says; nil if it says nothing.
func (f *Facts) Unplaced() symptom.Reasons { return symptom.Unplaced(f.Unschedulable) }

// Imposed says whether what the scheduler finds comes from elsewhere than the template of the pod: a claim that is in
// the way of its ephemeral volume, or requests that an autoscaler gives to the pods of any template.
func (f *Facts) Imposed() bool {
	return f.Unplaced().Has(symptom.Taken) || f.Recommended && f.Unplaced().Has(symptom.NoRoom)
}
