package dump

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/lazy"
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

// absentKey finds in the message of a kubelet the key that a ConfigMap or a Secret lacks.
var absentKey = lazy.Regexp(`couldn't find key (\S+) in (ConfigMap|Secret) [^/ ]+/(\S+)`)

// LacksKey returns the key without which the kubelet does not start a pod, and the ConfigMap or Secret that should have
// it; "" if there is none.
func (f *Facts) LacksKey() (key, of string) {
	found := absentKey().FindStringSubmatch(f.Message)
	if found == nil {
		return "", ""
	}
	return found[1], found[2] + " " + found[3]
}

// OfNode says whether a pod does not start for a reason that lies with its node: no other pod starts there either.
func (f *Facts) OfNode() bool {
	return strings.HasPrefix(f.Event, "FailedCreatePodSandBox") && !f.Runtimeless() || f.Driverless() != ""
}

// Fails says whether the last warning about a pod is that its kubelet has failed to start it: to attach or to mount a
// volume, or to make its sandbox. It tries again.
func (f *Facts) Fails() bool {
	reason, _, _ := strings.Cut(f.Event, ":")
	return slices.Contains([]string{"FailedAttachVolume", "FailedMount", "FailedMapVolume", "FailedCreatePodSandBox"},
		reason)
}

// Runtimeless says whether the node of a pod does not have what its RuntimeClass asks for: another template starts
// there.
func (f *Facts) Runtimeless() bool { return strings.Contains(f.Event, "no runtime for ") }

// noDriver finds in a warning about a volume the driver that does not run on the node, in the words of the
// attach-detach controller and of the kubelet.
var noDriver = lazy.Regexp(`CSINode \S+ does not contain driver (\S+)|driver name (\S+) not found in the list of ` +
	`registered CSI drivers`)

// Driverless returns the driver of a volume that does not run on the node of a pod, "" if that is not so.
func (f *Facts) Driverless() string {
	found := noDriver().FindStringSubmatch(f.Event)
	if found == nil {
		return ""
	}
	return found[1] + found[2]
}

// lacks matches the pods that refer to the Secret or the ConfigMap that a pending pod lacks: none of them starts. A
// template that the dump does not have is taken for a repaired one. It is nil if the pod lacks none, or if its template
// does not name it.
func (s *stays) lacks(p *sim.PodState, f *Facts) func(*model.Pod) bool {
	_, name := f.Lacks()
	quoted := strconv.Quote(name)
	if name == "" || p.Phase != model.Pending || p.Node == "" || !strings.Contains(s.spec(p.Template), quoted) {
		return nil
	}
	own, known := s.spec(p.Template), s.revisedSpecs()
	return func(pod *model.Pod) bool {
		if pod.Namespace != p.Namespace {
			return false
		}
		spec := s.spec(pod.Template)
		return strings.Contains(spec, quoted) && (spec == own || known[spec])
	}
}

// revisedSpecs returns the specs of all revisions.
func (s *stays) revisedSpecs() map[string]bool {
	if s.revised == nil {
		s.revised = map[string]bool{}
		for _, revision := range s.State.Revisions {
			s.revised[s.spec(revision.Template)] = true
		}
	}
	return s.revised
}

// lacking returns the name of the object that a pod lacks, if lacks goes by that alone: the template of the pod is that
// of a revision, and has the name without what JSON escapes.
func (s *stays) lacking(p *sim.PodState, f *Facts) string {
	_, name := f.Lacks()
	if strconv.Quote(name) != `"`+name+`"` || !s.revisedSpecs()[s.spec(p.Template)] {
		return ""
	}
	return name
}
