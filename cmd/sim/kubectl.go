package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
	"github.com/statefulsim/statefulsim/scenario/cluster/live"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// clusterOptions are the flags of the commands that read a live cluster. They are kubectl's own.
type clusterOptions struct {
	*streams
	// live reads the cluster, in the place of a dump.
	live bool
	asks live.Question

	// clock is that of the cluster, as the looks have found it, and differs whether it was told that it differs from the
	// one here; told are the sentences that were printed already.
	clock   live.Clock
	differs bool
	told    []string
}

// usualPatience is --request-timeout if it is not given.
const usualPatience = 30 * time.Second

// flags adds the flags that say which cluster is read, and where.
func (o *clusterOptions) flags(flags *pflag.FlagSet) {
	o.placeFlags(flags)
	flags.StringVarP(&o.asks.Namespace, "namespace", "n", "",
		"with a live cluster: the `NAMESPACE` (default: that of kubectl's context)")
}

// placeFlags are the flags without the namespace.
func (o *clusterOptions) placeFlags(flags *pflag.FlagSet) {
	flags.BoolVarP(&o.asks.All, "all-namespaces", "A", false, "with a live cluster: all namespaces")
	flags.StringVar(&o.asks.Context, "context", "", "with a live cluster: kubectl's `CONTEXT`")
	flags.StringVar(&o.asks.Kubeconfig, "kubeconfig", "", "with a live cluster: kubectl's config `FILE`")
	flags.DurationVar(&o.asks.Patience, "request-timeout", usualPatience,
		"with a live cluster: how long kubectl may take for one request")
}

// liveFlag adds --live.
func (o *clusterOptions) liveFlag(flags *pflag.FlagSet) {
	flags.BoolVar(&o.live, "live", false, "ask the cluster of kubectl's context, in the place of a dump")
}

// orLive returns args for a command that reads files, and other ones for when it reads a live cluster.
func (o *clusterOptions) orLive(args, live cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, words []string) error {
		if o.live {
			return live(cmd, words)
		}
		return args(cmd, words)
	}
}

// unused is the error of flags of a live cluster where none is read.
func (o *clusterOptions) unused() error {
	if o.asks != (live.Question{Patience: usualPatience}) {
		return usagef("-A, --context, --kubeconfig and --request-timeout say which live cluster to ask: give --live too")
	}
	return nil
}

// words are the flags again.
func (o *clusterOptions) words() []string {
	if !o.live {
		return nil
	}
	return append([]string{"--live"}, o.asks.Words()...)
}

// only returns the sets that have one of some names, NAME or sts/NAME; all of them if there are no names. A name
// without a set is an error.
func (o *clusterOptions) only(sets []*explain.DumpedSet, names []string) ([]*explain.DumpedSet, error) {
	if len(names) == 0 {
		return sets, nil
	}
	var there []string
	for _, set := range sets {
		there = append(there, set.Name)
	}
	for i, name := range names {
		names[i] = live.SetName(name)
		if !slices.Contains(there, names[i]) {
			return nil, o.noSet(names[i], there)
		}
	}
	return slices.DeleteFunc(sets, func(s *explain.DumpedSet) bool { return !slices.Contains(names, s.Name) }), nil
}

// noSet is the error if the StatefulSet that somebody names is not among those that are there.
func (o *clusterOptions) noSet(name string, there []string) error {
	return fmt.Errorf("%s: there is no StatefulSet %s in %s: there is %s", clusterName, name, o.asks.Place(),
		cmp.Or(render.List(there, 8), "none"))
}

// clusterName is how messages name what was read of a live cluster.
const clusterName = "the cluster"

// dump reads the cluster once: with one call of kubectl, with a second one if the cluster lacks a kind, and the first
// time with one more that shows the clock of the cluster.
func (o *clusterOptions) dump(limits strict.Limits) (*dump.Dump, error) {
	d, _, err := o.look(limits)
	return d, err
}

// look is dump, and returns what kubectl printed, too.
func (o *clusterOptions) look(limits strict.Limits) (*dump.Dump, []byte, error) {
	answer, err := o.ask(limits.FileSize, nil)
	if err == nil && answer.Data == nil {
		answer, err = o.ask(limits.FileSize, answer.Missing)
	}
	switch {
	case err != nil:
		return nil, nil, err
	case answer.Sets == 0:
		return nil, nil, fmt.Errorf("%s: there is no StatefulSet in %s: -n names another namespace, -A is all of them",
			clusterName, o.asks.Place())
	}
	// Without the monotonic clock, so that times of two looks compare as those of the cluster do.
	here := time.Now().Round(0)
	if !o.clock.Known {
		o.clock.Lease = o.leases()
	}
	o.tell(append(answer.Limits(), answer.Told...)...)
	options := dump.Options{Limits: limits, Clock: func(newest time.Time) time.Time {
		o.clock = o.clock.Seen(here, newest)
		return o.clock.At(here)
	}}
	d, err := work.Await(o.ctx, func() (*dump.Dump, error) {
		return dump.Read([]dump.Source{{Name: clusterName, Data: answer.Data}}, options)
	})
	if says := o.clock.Differs(); says != "" && !o.differs {
		o.differs = true
		o.tell(says)
	}
	return d, answer.Data, err
}

// ask asks for the objects, without the kinds that the cluster does not have.
func (o *clusterOptions) ask(limit int64, without []string) (*live.Answer, error) {
	said, err := o.kubectl(limit, o.asks.Objects(without))
	if err != nil {
		return nil, err
	}
	answer, err := live.Read(said)
	if err != nil {
		return nil, fmt.Errorf("kubectl: %w", err)
	}
	answer.Missing = append(answer.Missing, without...)
	return answer, nil
}

// leases returns the newest renewal of a node's lease; the zero time if they may not be read.
func (o *clusterOptions) leases() time.Time {
	said, err := o.kubectl(1<<26, o.asks.Leases())
	if err != nil {
		return time.Time{}
	}
	return live.Newest(said.Out)
}

// tell prints sentences beside the output, each once.
func (o *clusterOptions) tell(sentences ...string) {
	for _, sentence := range sentences {
		if sentence == "" || slices.Contains(o.told, sentence) {
			continue
		}
		o.told = append(o.told, sentence)
		fmt.Fprintln(o.err, render.Visible(sentence))
	}
}

// kubectl runs kubectl. It gives up when the user interrupts, when kubectl takes too long, and when it prints more than
// a file may have.
func (o *clusterOptions) kubectl(limit int64, arguments []string) (live.Said, error) {
	program, err := exec.LookPath("kubectl")
	if err != nil {
		return live.Said{}, errors.New("kubectl was not found in PATH: install it, or give a dump, which this prints: " +
			dump.Command)
	}
	longest := o.asks.Patience + grace
	ctx, cancel := context.WithTimeout(o.ctx, longest)
	defer cancel()
	run := exec.CommandContext(ctx, program, arguments...)
	out, beside := &bounded{most: limit, full: cancel}, &bounded{most: mostTold, full: func() {}}
	run.Stdout, run.Stderr, run.WaitDelay = out, beside, time.Second
	if err = run.Run(); errors.Is(err, exec.ErrWaitDelay) {
		// kubectl has ended well, and a program that it has started holds on to its output: a login, say.
		err = nil
	}
	switch {
	case o.interrupted():
		return live.Said{}, errInterrupted
	case out.over:
		return live.Said{}, strict.TooLarge(clusterName, limit)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return live.Said{}, fmt.Errorf("%s has not answered for %s: try what it was asked: %s", clusterName,
			longest, command.Kubectl(arguments...))
	case err != nil && !errors.As(err, new(*exec.ExitError)):
		return live.Said{}, fmt.Errorf("kubectl: %w", err)
	}
	return live.Said{Out: out.kept.Bytes(), Err: beside.kept.Bytes(), Failed: err != nil}, nil
}

// mostTold is how many bytes of what kubectl writes beside its output are read: a line or two for each kind.
const mostTold = 1 << 16

// grace is how much longer than a request kubectl itself may take.
const grace = 3 * time.Second

// bounded keeps what is written up to a number of bytes; then it calls full once, and drops the rest. It has no other
// method of a buffer: one that reads would be used in the place of Write, and keep all.
type bounded struct {
	kept bytes.Buffer
	most int64
	over bool
	full func()
}

// Write writes, or drops what is too much.
func (b *bounded) Write(p []byte) (int, error) {
	if int64(b.kept.Len()+len(p)) > b.most && !b.over {
		b.over = true
		b.full()
	}
	if !b.over {
		_, _ = b.kept.Write(p)
	}
	return len(p), nil
}
