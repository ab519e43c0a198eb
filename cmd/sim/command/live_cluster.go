package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/kubectl"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Cluster are the flags of the commands that read a live cluster. They are kubectl's own.
type Cluster struct {
	*Console
	// Live reads the cluster, in the place of a dump.
	Live bool
	Asks kubectl.Question

	// clock is the clock of the cluster, as the looks have found it, and differs is true if a difference from the
	// local clock was reported; told are the sentences that were printed already.
	clock   kubectl.Clock
	differs bool
	told    []string
}

// UsualPatience is --request-timeout if it is not given.
const UsualPatience = 30 * time.Second

// Unused is the error of flags of a live cluster where none is read.
func (o *Cluster) Unused() error {
	if o.Asks != (kubectl.Question{Patience: UsualPatience}) {
		return Usagef("-A, --context, --kubeconfig and --request-timeout say which live cluster to ask: give --live too")
	}
	return nil
}

// LiveNow is the error of --now with --live.
func LiveNow() error {
	return Usagef("--now is for a dump: with --live the cluster says what time it is")
}

// Instant reads the value of --now; the zero time is that of none.
func Instant(taken string) (time.Time, error) {
	if taken == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, taken)
	if err != nil {
		return at, Usagef("--now %s: write a time like 2026-01-31T12:00:00Z", taken)
	}
	return at, nil
}

// Words are the flags again.
func (o *Cluster) Words() []string {
	if !o.Live {
		return nil
	}
	return append([]string{"--live"}, o.Asks.Words()...)
}

// Only returns the sets that have one of some names, NAME or sts/NAME; all of them if no names are given. A name
// without a set is an error.
func (o *Cluster) Only(sets []*explain.DumpedSet, names []string) ([]*explain.DumpedSet, error) {
	if len(names) == 0 {
		return sets, nil
	}
	var there []string
	for _, set := range sets {
		there = append(there, set.Name)
	}
	for i, name := range names {
		names[i] = kubectl.SetName(name)
		if !slices.Contains(there, names[i]) {
			return nil, o.NoSet(names[i], there)
		}
	}
	return slices.DeleteFunc(sets, func(s *explain.DumpedSet) bool { return !slices.Contains(names, s.Name) }), nil
}

// NoSet is the error for a named StatefulSet that does not exist. there are the existing ones.
func (o *Cluster) NoSet(name string, there []string) error {
	return fmt.Errorf("%s: there is no StatefulSet %s in %s: there is %s", ClusterName, name, o.Asks.Place(),
		cmp.Or(render.List(there, 8), "none"))
}

// ClusterName is how messages name what was read of a live cluster.
const ClusterName = "the cluster"

// Dump reads the cluster once: with one call of kubectl, with a second one if the cluster lacks a kind, and the first
// time with one more that shows the clock of the cluster.
func (o *Cluster) Dump(limits strict.Limits) (*dump.Dump, error) {
	d, _, err := o.Look(limits)
	return d, err
}

// Look is dump, and returns what kubectl printed, too.
func (o *Cluster) Look(limits strict.Limits) (*dump.Dump, []byte, error) {
	answer, err := o.ask(limits, nil)
	if err == nil && answer.Data == nil {
		answer, err = o.ask(limits, answer.Missing)
	}
	switch {
	case err != nil:
		return nil, nil, err
	case answer.Sets == 0:
		return nil, nil, fmt.Errorf("%s: there is no StatefulSet in %s: -n names another namespace, -A is all of them",
			ClusterName, o.Asks.Place())
	}
	// Without the monotonic clock, so that the times of two looks compare like times of the cluster.
	here := time.Now().Round(0)
	if !o.clock.Known {
		o.clock.Lease = o.leases()
	}
	o.Tell(append(answer.Limits(), answer.Told...)...)
	options := dump.Options{Limits: limits, Clock: func(newest time.Time) time.Time {
		o.clock = o.clock.Seen(here, newest)
		return o.clock.At
	}}
	d, err := work.Await(o.Ctx, func() (*dump.Dump, error) {
		return dump.Read([]dump.Source{{Name: ClusterName, Data: answer.Data}}, options)
	})
	if says := o.clock.Differs(); says != "" && !o.differs {
		o.differs = true
		o.Tell(says)
	}
	return d, answer.Data, err
}

// ask asks for the objects, without the kinds that the cluster does not have.
func (o *Cluster) ask(limits strict.Limits, without []string) (*kubectl.Answer, error) {
	said, err := o.kubectl(limits.FileSize, o.Asks.Objects(without))
	if err != nil {
		return nil, err
	}
	answer, err := work.Await(o.Ctx, func() (*kubectl.Answer, error) {
		if p := strict.TooMany(ClusterName, said.Out, limits); p != nil {
			return nil, strict.Problems{*p}
		}
		return kubectl.Read(said)
	})
	switch {
	case errors.As(err, new(strict.Problems)), o.Interrupted():
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("kubectl: %w", err)
	}
	answer.Missing = append(answer.Missing, without...)
	return answer, nil
}

// leases returns the newest renewal of a node's lease; the zero time if they may not be read.
func (o *Cluster) leases() time.Time {
	said, err := o.kubectl(1<<26, o.Asks.Leases())
	if err != nil {
		return time.Time{}
	}
	return kubectl.Newest(said.Out)
}

// Tell prints sentences apart from the output, each once.
func (o *Cluster) Tell(sentences ...string) {
	for _, sentence := range sentences {
		if sentence == "" || slices.Contains(o.told, sentence) {
			continue
		}
		o.told = append(o.told, sentence)
		fmt.Fprintln(o.Err, render.Visible(sentence))
	}
}

// kubectl runs kubectl. It gives up when the user interrupts, when kubectl takes too long, and when it prints more than
// a file may have.
func (o *Cluster) kubectl(limit int64, arguments []string) (kubectl.Said, error) {
	longest := o.Asks.Patience + grace
	p := Program{
		Name: "kubectl", Of: ClusterName, Limit: limit, Longest: longest,
		Missing: "install it, or give a dump, which this prints: " + dump.Command,
		Late: fmt.Sprintf("%s has not answered for %s: try what it was asked: %s", ClusterName, longest,
			shell.Kubectl(arguments...)),
	}
	said, err := o.start(&p, arguments...)
	return kubectl.Said{Out: said.out, Err: said.err, Failed: said.failed}, err
}

// grace is how much longer than a request kubectl itself may take.
const grace = 3 * time.Second
