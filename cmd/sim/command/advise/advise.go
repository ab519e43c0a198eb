// Package advise is the command sim advise: it proposes settings for a StatefulSet.
package advise

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	plancmd "github.com/statefulsim/statefulsim/cmd/sim/command/plan"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario/change/advise"
	"github.com/statefulsim/statefulsim/scenario/change/plan"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Command holds the arguments of `sim advise`.
type Command struct {
	command.Call
	// Version is the value of --kubernetes; "" is the dump's version or, without a dump, the newest.
	Version string
	Times   command.Times
	// Require are requirements on every set. Within is the longest that a rollout may take, 0 for no limit.
	Require []string
	Within  time.Duration
	// Canary asks for a rollout in stages, Draws is how often each setting is played where times are distributions.
	Canary bool
	Draws  int
	// Gates are the names of the deploy tools that it tells about; none is all.
	Gates []string
	// Namespace is the namespace of objects that do not name one.
	Namespace string
}

// AdviseFormats are the forms of an answer: sh and scenario print only a rollout in stages.
var AdviseFormats = append(slices.Clone(command.PlanFormats), "sh", "scenario")

// maxDraws is the greatest --draws.
const maxDraws = 10_000

// Answer searches and prints.
func (o *Command) Answer() error {
	options, err := o.options()
	if err != nil {
		return err
	}
	if err := files.OnceStdin(append(append([]string{}, o.Args...), o.Times.Records...)); err != nil {
		return err
	}
	if options.Plan.Recordings, err = o.Recordings(o.Times.Records, o.World.Limits.FileSize); err != nil {
		return err
	}
	in, err := o.input()
	if err != nil {
		return err
	}
	profile, err := statefulset.Gated(cmp.Or(o.Version, in.Version()), o.World.Gates)
	if err != nil {
		return command.Usagef("%s", err)
	}
	options.Plan.Profiles, options.Assumed = []statefulset.Profile{profile}, cmp.Or(o.Version, in.Version()) == ""
	bar, top := o.Progress("trying"), o.Top(o.World.Limits.Memory)
	options.Plan.Interrupted, options.Each = top.Ends, work.AtOnce(o.Workers, bar)
	found, err := advise.Of(in, options)
	bar.Clear()
	if err != nil {
		return err
	}
	err = top.Told(o.tell(found))
	if found.Interrupted && !o.Interrupted() {
		return fmt.Errorf("no advice for %s: its settings take more than %s of memory: --max-memory raises the limit",
			render.And(found.Unplayed), work.SizeText(o.World.Limits.Memory))
	}
	return err
}

// options turns the flags into the options of the search. All that can be wrong with them is found here.
func (o *Command) options() (*advise.Options, error) {
	options := &advise.Options{
		Keep: -1, Within: o.Within, Canary: o.Canary, Draws: o.Draws,
		Plan: stored.Options{Limits: o.World.Limits, Sim: command.Version},
	}
	if o.Draws < 1 || o.Draws > maxDraws {
		return nil, command.Usagef("--draws must be from 1 to %d", maxDraws)
	}
	if o.Within < 0 {
		return nil, command.Usagef("--within must not be negative")
	}
	if err := o.CheckWorkers(); err != nil {
		return nil, err
	}
	var err error
	if options.Gates, err = command.GatesOf(o.Gates); err != nil {
		return nil, err
	}
	for _, text := range o.Require {
		if err := requires(options, text); err != nil {
			return nil, command.Usagef("--require %s", err)
		}
	}
	t := &options.Plan.Times
	return options, o.Times.Read(&t[1], &t[2], &t[0])
}

// requires adds a requirement to the search. A setting decides how many pods serve, and how long a rollout takes;
// the other requirements of a plan do not depend on it.
func requires(options *advise.Options, text string) error {
	r, err := plan.ParseRequirement(text)
	if err != nil {
		return err
	}
	atLeast, atMost := r.Op == ">=" || r.Op == ">", r.Op == "<=" || r.Op == "<"
	switch {
	case r.Measure == "minReady" && atLeast:
		keep := int(r.Value)
		if r.Op == ">" {
			keep++
		}
		if keep > options.Keep {
			options.Keep, options.Said = keep, "--require '"+text+"'"
		}
		return nil
	case (r.Measure == "duration" || r.Measure == "p95") && atMost:
		within := time.Duration(r.Value * float64(time.Second))
		if options.Within == 0 || within < options.Within {
			options.Within = within
		}
		return nil
	}
	return fmt.Errorf("%q does not depend on the settings: require 'minReady >= N' or 'duration <= D' here, and the rest of "+
		"sim plan", text)
}

// input reads the files: one state, or the state and the change.
func (o *Command) input() (*plan.Input, error) {
	reader := plancmd.Command{Call: o.Call, Namespace: o.Namespace}
	before, err := reader.StreamOf(o.Args[0])
	if err != nil {
		return nil, err
	}
	after := before
	if len(o.Args) > 1 {
		if after, err = reader.StreamOf(o.Args[1]); err != nil {
			return nil, err
		}
	}
	return work.AwaitShowing(o.Ctx, o.Progress("reading"), func() (*plan.Input, error) {
		return plan.Read(before, after, o.World.Limits)
	})
}

// tell prints the advice, and decides the exit code: errFailed if there is something better than today's settings.
func (o *Command) tell(found *advise.Advice) error {
	var err error
	switch o.Output {
	case "json":
		err = render.JSON(o.Out, found)
	case "sh", "scenario":
		return o.canary(found)
	default:
		page := func() doc.Page {
			return doc.Page{Runs: found.Runs(doc.MostRuns), Command: o.pageCommand(), Scatter: found.Scatter()}
		}
		err = found.Document().Write(o.Out, o.Output, o.Style(), page)
	}
	switch {
	case err != nil:
		return err
	case found.Interrupted:
		return command.ErrInterrupted
	case found.FindsBetter():
		return command.ErrFailed
	}
	return nil
}

// canary prints the rollout in stages as a script, or as a scenario.
func (o *Command) canary(found *advise.Advice) error {
	c := found.Canary()
	switch {
	case found.Interrupted:
		return command.ErrInterrupted
	case c == nil:
		return command.Usagef("-o %s prints a rollout in stages, and none is better than the others here: add --canary", o.Output)
	case o.Output == "sh":
		return o.write(c.Script())
	}
	return o.write(c.Scenario())
}

// write prints a text.
func (o *Command) write(text string) error {
	_, err := io.WriteString(o.Out, text)
	return err
}

// pageCommand returns the command that prints the advice as a page.
func (o *Command) pageCommand() string {
	words := append([]string{"sim", "advise", "-o", "html"}, o.Times.Words()...)
	within := ""
	if o.Within > 0 {
		within = o.Within.String()
	}
	words = append(words, shell.Flags("--kubernetes", o.Version, "--feature-gates", shell.Gates(o.World.Gates), "--gate",
		strings.Join(o.Gates, ","), "--require", o.Require, "--within", within, "--canary", o.Canary, "--namespace",
		o.Namespace)...)
	if o.Draws != advise.UsualDraws {
		words = append(words, "--draws", fmt.Sprint(o.Draws))
	}
	words = append(words, shell.Flags("--recursive", o.Recursive)...)
	return shell.Line(append(append(words, command.LimitWords(o.World.Limits)...), o.Args...)...)
}
