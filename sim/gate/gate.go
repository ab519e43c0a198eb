// Package gate says when a deploy tool calls the rollout of a StatefulSet done. Each tool has its own rule, and looks
// in its own way: a file of this package for each.
//
// A gate is a value: a pure function from what the tool reads to a verdict in the tool's words (Read), and when it
// looks (Looks). Wait plays one call of the tool along a timeline. Asked is what is true: whether all holds that the
// spec asks for.
//
// A gate reads what the API server holds, as a fold of a timeline has it. It decides nothing about a run.
package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// State is what a tool makes of a StatefulSet at one instant.
type State uint8

// The states. A tool that waits goes on as long as a set is InProgress.
const (
	InProgress State = iota
	Done
	Failed
)

// Verdict is what a tool says of a StatefulSet at one instant.
type Verdict struct {
	State State
	// Status is the tool's own name of the state, "" if it has none.
	Status string
	// Words are the tool's words.
	Words string
}

// Gate is a deploy tool that waits, in a range of versions.
type Gate struct {
	// Name is the public name: helm-4. Version is the version whose code was read or run, From the first one with the same
	// rule.
	Name, Version, From string
	// Source is where the tool's source has the rule.
	Source string
	// Proven says that sim/gate/proof runs the tool's own code, which gives the same verdicts. Otherwise the code was only
	// read, or the gate is held by recorded answers.
	Proven bool
	// Read is the tool's rule for a set that exists.
	Read func(*timeline.Set) Verdict
	// Gone is what the tool says of a set that is deleted while it waits.
	Gone func(model.Key) Verdict
	// Several is how the tool waits for several sets.
	Several Several
	// Error words a set that is not done, when the tool ends because of it. Early and Late come before the errors of a
	// tool that fails, and of one that fails at its timeout; After comes after them at the timeout.
	Error              func(model.Key, Verdict) string
	Early, Late, After string
	Looks              Looks
}

// Several is how a tool waits for several sets.
type Several uint8

// The ways. InOrder, the first set that is not done decides. Together, a set that has failed ends nothing while another
// one is in progress. FailFast, any failure ends the wait.
const (
	InOrder Several = iota
	Together
	FailFast
)

// Looks is when a tool looks.
type Looks struct {
	// Every is the interval of a tool that polls; 0 if it watches. What such a tool says is told for the instant at which
	// it is first true; the tool may find it so much later.
	Every time.Duration
	// SetOnly says that the tool looks when the set changes, and at no change of a pod.
	SetOnly bool
	// Resync is the interval at which a tool that watches looks again though nothing has changed; 0 is never.
	Resync time.Duration
	// Timeout is the tool's own; 0 if it waits for ever.
	Timeout time.Duration
}

// gates are all gates, in the order of their public names.
var gates = []*Gate{
	KubectlRolloutStatus, KubectlWait, Helm3, Helm4, Helm4Legacy, Helm4HookOnly, KStatus, Flux, ArgoCD, Kubedog, Pulumi,
	Terraform, Kapp, Spinnaker,
}

// All returns all gates, in the order of the documentation. The list must not be changed.
func All() []*Gate { return gates }

// Names lists the names of all gates.
func Names() []string {
	var names []string
	for _, g := range gates {
		names = append(names, g.Name)
	}
	return names
}

// Unknown is the error of a name that no gate has: what is wrong, and what would be right.
type Unknown struct{ What, Want string }

// Error joins both.
func (e *Unknown) Error() string { return e.What + ": " + e.Want }

// Named finds a gate by its name, or by NAME@VERSION. The error is an *Unknown.
func Named(text string) (*Gate, error) {
	name, version, versioned := strings.Cut(text, "@")
	i := slices.IndexFunc(gates, func(g *Gate) bool { return g.Name == name })
	switch {
	case i < 0:
		return nil, &Unknown{fmt.Sprintf("there is no gate %q", name), "write one of " + strings.Join(Names(), ", ")}
	case versioned && !gates[i].covers(version):
		return nil, &Unknown{fmt.Sprintf("the rule of %s is not known for version %q", name, version),
			fmt.Sprintf("write %s, or a version from %s to %s", name, gates[i].From, gates[i].Version)}
	}
	return gates[i], nil
}

// covers reports whether the rule is that of a version of the tool. A version with fewer numbers stands for all that
// begin with them.
func (g *Gate) covers(version string) bool {
	v, ok := numbers(version)
	from, _ := numbers(g.From)
	to, _ := numbers(g.Version)
	return ok && slices.Compare(v, from[:min(len(v), len(from))]) >= 0 && slices.Compare(v[:min(len(v), len(to))], to) <= 0
}

// numbers reads a version like v4.3.2.
func numbers(version string) (list []int, ok bool) {
	for part := range strings.SplitSeq(strings.TrimPrefix(version, "v"), ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, false
		}
		list = append(list, n)
	}
	return list, true
}

// done, inProgress and failed make a verdict in the tool's words.
func done(format string, args ...any) Verdict {
	return Verdict{State: Done, Words: fmt.Sprintf(format, args...)}
}

func inProgress(format string, args ...any) Verdict {
	return Verdict{State: InProgress, Words: fmt.Sprintf(format, args...)}
}

func failed(format string, args ...any) Verdict {
	return Verdict{State: Failed, Words: fmt.Sprintf(format, args...)}
}

// words is the error of a tool that adds nothing to the words of its verdict.
func words(_ model.Key, v Verdict) string { return v.Words }

// notFound is what a tool says that asks the API server for a set and fails with its answer.
func notFound(key model.Key) Verdict { return failed("statefulsets.apps %q not found", key.Name) }
