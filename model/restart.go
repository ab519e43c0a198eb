package model

import "slices"

// Restart is the restartPolicy of a single container, with its restartPolicyRules. It is never changed.
type Restart struct {
	// Policy applies to the exit codes that no rule matches.
	Policy RestartPolicy
	Rules  []RestartRule
}

// RestartPolicy decides whether a container that has ended is restarted.
type RestartPolicy uint8

// The policies.
const (
	RestartAlways RestartPolicy = iota
	RestartOnFailure
	RestartNever
)

// RestartRule is what to do after some exit codes: the Codes or, with Not, all others. All means that all
// containers of the pod are restarted (KEP-5532), not only this one.
type RestartRule struct {
	Codes    []int
	Not, All bool
}

// AfterExit is what a kubelet does with a container that has ended.
type AfterExit uint8

// The actions: it restarts the container, or leaves it as it is, or restarts all containers of the pod.
const (
	StartAgain AfterExit = iota
	LeaveEnded
	StartAllAgain
)

// After returns what a kubelet does after an exit code: the action of the first matching rule, else the policy
// (ContainerShouldRestart of Kubernetes).
func (r *Restart) After(code int) AfterExit {
	if r == nil {
		return StartAgain
	}
	for i := range r.Rules {
		if rule := &r.Rules[i]; slices.Contains(rule.Codes, code) != rule.Not {
			if rule.All {
				return StartAllAgain
			}
			return StartAgain
		}
	}
	if r.Policy == RestartAlways || r.Policy == RestartOnFailure && code != 0 {
		return StartAgain
	}
	return LeaveEnded
}

// AfterKill is After for a container that its kubelet has killed for a probe. The kubelet starts the next container
// with the kill and looks at no rule, unless the policy is Never: then it finds an ended container.
func (r *Restart) AfterKill(code int) AfterExit {
	if r != nil && r.Policy == RestartNever {
		return r.After(code)
	}
	return StartAgain
}
