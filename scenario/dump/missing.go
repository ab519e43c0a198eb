package dump

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/lazy"
)

// absent finds in the messages of a kubelet the Secret or the ConfigMap that a pod refers to and that does not exist.
var absent = lazy.Regexp(`(secret|configmap) "([^"]+)" not found`)

// Lacks returns the kind and the name of the Secret or the ConfigMap without which the kubelet does not start a pod, ""
// if it is none.
func (f *Facts) Lacks() (kind, name string) {
	found := absent().FindStringSubmatch(cmp.Or(f.Message, f.Event))
	if found == nil {
		return "", ""
	}
	return map[string]string{"secret": "Secret", "configmap": "ConfigMap"}[found[1]], found[2]
}

// OfNode says whether a pod does not start for a reason that lies with its node: no other pod starts there either.
func (f *Facts) OfNode() bool { return strings.HasPrefix(f.Event, "FailedCreatePodSandBox") }

// lacks matches the pods that refer to the Secret or the ConfigMap that a pending pod lacks: none of them starts. A
// template that the dump does not have is taken for a repaired one. It is nil if the pod lacks none, or if its template
// does not name it.
func (s *stays) lacks(p *sim.PodState, f *Facts) func(*model.Pod) bool {
	_, name := f.Lacks()
	quoted := strconv.Quote(name)
	if name == "" || p.Phase != model.Pending || p.Node == "" || !strings.Contains(s.spec(p.Template), quoted) {
		return nil
	}
	known := map[string]bool{s.spec(p.Template): true}
	for _, revision := range s.State.Revisions {
		known[s.spec(revision.Template)] = true
	}
	return func(pod *model.Pod) bool {
		spec := s.spec(pod.Template)
		return pod.Namespace == p.Namespace && known[spec] && strings.Contains(spec, quoted)
	}
}
