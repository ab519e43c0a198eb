package timeline

import "strconv"

// Brief returns a change of a pod's state as an expectation writes it: web-1@2 Ready, or web-1 Ready without a template.
func (e *Event) Brief() string { return brief(e.Pod, e.Template, e.State) }

// Brief returns the last change of the pod's state as Event.Brief does.
func (p *Pod) Brief() string { return brief(p.Name, p.Template, p.State) }

func brief(pod string, template int, state State) string {
	if template == 0 {
		return pod + " " + state.String()
	}
	return pod + "@" + strconv.Itoa(template) + " " + state.String()
}
