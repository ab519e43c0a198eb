package dump

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
)

// Lacks returns the kind and the name of the Secret or the ConfigMap that the kubelet needs to start a pod; "" if none.
func (f *Facts) Lacks() (kind, name string) { return symptom.Lacks(cmp.Or(f.Message, f.Event)) }

// lacks matches the pods that refer to the Secret or the ConfigMap that a pending pod lacks: none of them starts. A
// template that the dump does not have is taken for a repaired one. It is nil if the pod lacks none, or if its template
// does not name it.
func (s *stays) lacks(p *sim.PodState, f *Facts) func(*model.Pod) bool {
	_, name := f.Lacks()
	quoted := strconv.Quote(name)
	if name == "" || p.Phase != model.Pending || p.Node == "" || !strings.Contains(specOf(p.Template), quoted) {
		return nil
	}
	own, known := specOf(p.Template), s.revisedSpecs()
	return func(pod *model.Pod) bool {
		if pod.Namespace != p.Namespace {
			return false
		}
		spec := specOf(pod.Template)
		return strings.Contains(spec, quoted) && (spec == own || known[spec])
	}
}

// revisedSpecs returns the specs of all revisions.
func (s *stays) revisedSpecs() map[string]bool {
	if s.revised == nil {
		s.revised = map[string]bool{}
		for _, revision := range s.State.Revisions {
			s.revised[specOf(revision.Template)] = true
		}
	}
	return s.revised
}

// lacking returns the name of the object that a pod lacks, if lacks goes by that alone: the template of the pod is that
// of a revision, and has the name without what JSON escapes.
func (s *stays) lacking(p *sim.PodState, f *Facts) string {
	_, name := f.Lacks()
	if strconv.Quote(name) != `"`+name+`"` || !s.revisedSpecs()[specOf(p.Template)] {
		return ""
	}
	return name
}

// Unfound returns the claim that a pod without a node names and that does not exist; "" if there is none. owned is true
// if a claim template makes it, so that it is the controller's to create.
func (d *Dump) Unfound(p *Pod) (claim string, owned bool) {
	claim = symptom.UnfoundClaim(d.Facts[p.Key()].Unschedulable)
	if claim == "" || p.Node != "" || p.Terminating() || d.Claim(model.Key{Namespace: p.Namespace, Name: claim}) != nil {
		return "", false
	}
	return claim, slices.ContainsFunc(d.State.Sets, func(set *model.StatefulSet) bool {
		return set.Namespace == p.Namespace && slices.ContainsFunc(set.Spec.ClaimTemplates, func(t model.ClaimTemplate) bool {
			return owns(set, p.Pod) && t.Name+"-"+p.Name == claim
		})
	})
}
