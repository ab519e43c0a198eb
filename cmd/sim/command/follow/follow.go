// Package follow is the command sim follow: it watches a rollout in a live cluster.
package follow

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	explaincmd "github.com/statefulsim/statefulsim/cmd/sim/command/explain"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/follow"
	"github.com/statefulsim/statefulsim/scenario/live/kubectl"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Command holds the arguments of `sim follow`. Those that it has in common with `sim explain` are there.
type Command struct {
	explaincmd.Command
	set            string
	Every, Timeout time.Duration
	FailOn         []string
	Record, Replay string

	// begun is when it started, looks are the remaining looks of a recording.
	begun time.Time
	looks []kubectl.Look
	// Log is the file of Record, recorded the length of its contents, and full is true if no more is added. shown
	// is the number of lines of the board on the terminal.
	log      *files.Log
	recorded int64
	full     bool
	shown    int
}

// Answer follows until the end, and prints it.
func (o *Command) Answer() (err error) {
	gates, err := command.AskedGates(o.Gates)
	if err := cmp.Or(err, o.check()); err != nil {
		return err
	}
	if o.Record != "" {
		if o.log, err = files.NewLog(o.Record, 0o644, kubectl.IsRecording); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
		defer func() { err = errors.Join(o.log.Close(), err) }()
	}
	o.begun = time.Now()
	key, d, lab, err := o.first()
	if err != nil {
		return err
	}
	f, tools := follow.Begin(follow.See(d, lab, key)).Wait(gates)
	o.show(f)
	bounds := o.bounds()
	end := f.End(bounds)
	for failed := 0; end == nil; {
		if end = o.pause(f); end != nil {
			break
		}
		next, nextLab, err := o.look()
		switch {
		case errors.Is(err, io.EOF):
			end = f.Stopped(follow.Over)
		case o.Interrupted():
		case err != nil && failed < mostFailures:
			failed++
			o.Cluster.Tell(err.Error())
		case err != nil:
			return err
		default:
			failed, d, lab = 0, next, nextLab
			f = tools.Hear(f.Next(f.See(d, lab)))
			o.show(f)
			end = f.End(bounds)
		}
	}
	report := f.Report(end)
	report.Gates = tools.Answers(f)
	return o.ended(report, d, lab)
}

// mostFailures is how many looks may fail one after the other.
const mostFailures = 5

// check returns what is wrong with the flags, and reads the recording of --replay.
func (o *Command) check() error {
	if o.set = kubectl.SetName(o.Args[0]); strings.Contains(o.set, "/") {
		return command.Usagef("%s: sim follow knows StatefulSets only: write sts/NAME", o.set)
	}
	for _, bound := range o.FailOn {
		if !slices.Contains(follow.Bounds(), bound) {
			return command.Usagef("--fail-on %s: choose from %s", bound, strings.Join(follow.Bounds(), ", "))
		}
	}
	switch {
	case o.Every <= 0 || o.Timeout < 0:
		return command.Usagef("--every is above 0, and --timeout not below 0")
	case len(o.World.Several) > 0:
		return command.Usagef("name one version of Kubernetes")
	case o.Replay == "":
		return nil
	case o.Record != "":
		return command.Usagef("--record and --replay do not go together")
	}
	in, data, err := o.From().Read(o.Replay, o.World.Limits.FileSize)
	if err != nil {
		return err
	}
	o.looks, err = kubectl.Recording(in.Name(), o.Whole(in.Name(), data))
	return err
}

// first is the first look, which must show the set, and its pods.
func (o *Command) first() (model.Key, *dump.Dump, *play.Lab, error) {
	d, lab, err := o.look()
	if err != nil {
		return model.Key{}, nil, nil, err
	}
	var keys []model.Key
	var there []string
	for _, set := range d.State.Sets {
		there = append(there, set.Name)
		if set.Name == o.set && (o.Cluster.Asks.Namespace == "" || o.Cluster.Asks.Namespace == set.Namespace) {
			keys = append(keys, set.Key())
		}
	}
	switch len(keys) {
	case 0:
		return model.Key{}, nil, nil, o.Cluster.NoSet(o.set, there)
	case 1:
		return keys[0], d, lab, nil
	}
	return model.Key{}, nil, nil, command.Usagef("the namespaces %s and %s both have a StatefulSet %s: -n names one",
		keys[0].Namespace, keys[1].Namespace, o.set)
}

// look looks at the cluster once, or takes the next look of the recording: the error is io.EOF after the last one.
func (o *Command) look() (*dump.Dump, *play.Lab, error) {
	var d *dump.Dump
	var err error
	switch {
	case o.Replay == "":
		var printed []byte
		d, printed, err = o.Cluster.Look(o.World.Limits)
		if err == nil && o.Record != "" {
			err = o.keep(printed, d.At)
		}
	case len(o.looks) == 0:
		return nil, nil, io.EOF
	default:
		look := o.looks[0]
		o.looks = o.looks[1:]
		d, err = dump.Read([]dump.Source{look.Source}, dump.Options{At: look.At, Limits: o.World.Limits})
	}
	if err != nil {
		return nil, nil, err
	}
	lab, err := o.Lab(d)
	return d, lab, err
}

// keep adds a look to the recording, which is complete once one does not fit: it has no gaps. If the file cannot be
// written any more, it is followed nevertheless.
func (o *Command) keep(printed []byte, at time.Time) error {
	if o.full {
		return nil
	}
	line, err := kubectl.Recorded(printed, at)
	if o.full = o.recorded+int64(len(line)) > o.World.Limits.OrDefault().FileSize; o.full {
		o.Cluster.Tell("The recording is as large as a file may be (--max-file-size): later looks are not in it.")
		return err
	}
	if err != nil {
		return err
	}
	o.recorded += int64(len(line))
	if wrong := o.log.Add(line); wrong != nil {
		o.full = true
		o.Cluster.Tell(fmt.Sprintf("--record: %v: the recording ends here.", wrong))
	}
	return nil
}

// pause waits until the next look. It returns the end if the user interrupts or the time is over.
func (o *Command) pause(f follow.Followed) *follow.End {
	elapsed := time.Since(o.begun)
	if o.Replay != "" {
		elapsed = f.Last.At.Sub(f.First.At)
	}
	if o.Timeout > 0 && elapsed >= o.Timeout {
		return f.Stopped(follow.TimedOut)
	}
	if o.Replay == "" {
		select {
		case <-o.Ctx.Done():
		case <-time.After(o.Every):
		}
	}
	if o.Interrupted() {
		return f.Stopped(follow.Interrupted)
	}
	return nil
}

// bounds are the bounds of --fail-on.
func (o *Command) bounds() map[string]bool {
	bounds := map[string]bool{}
	for _, bound := range o.FailOn {
		bounds[bound] = true
	}
	return bounds
}

// show prints what the last look has added; on a terminal the pods are listed below it, and rewritten each time. It
// is printed separately if the output is for a program.
func (o *Command) show(f follow.Followed) {
	to, terminal := o.beside()
	o.wipe()
	for _, line := range f.Lines[len(f.Lines)-f.New:] {
		fmt.Fprintln(to, render.Visible(line.Told()))
	}
	if terminal {
		// A line that wraps would be two to wipe.
		room := o.Style().Width - 3
		for _, line := range f.Board() {
			fmt.Fprintln(to, "  "+render.Shorten(render.Visible(line), room))
			o.shown++
		}
	}
}

// beside returns where to print events as they happen, and whether that is a terminal.
func (o *Command) beside() (to io.Writer, terminal bool) {
	if o.Output == command.PlanFormats[0] {
		return o.Out, o.OutTerminal
	}
	return o.Err, o.ErrTerminal
}

// wipe removes the board from the terminal.
func (o *Command) wipe() {
	if o.shown > 0 {
		to, _ := o.beside()
		render.Steer(to, fmt.Sprintf("\x1b[%dA\x1b[J", o.shown))
		o.shown = 0
	}
}

// unexplained are the outcomes that explain themselves.
var unexplained = []follow.Outcome{follow.Complete, follow.WaitsForYou, follow.Interrupted}

// ended prints the end. A set that is stuck is explained from the last look.
func (o *Command) ended(r *follow.Report, d *dump.Dump, lab *play.Lab) error {
	o.wipe()
	var why []doc.Part
	if r.Judgement != nil && !slices.Contains(unexplained, r.Outcome) {
		begun := explain.Begin(d, lab, "")
		begun.Sets = slices.DeleteFunc(begun.Sets, func(s *explain.DumpedSet) bool {
			return s.Namespace != r.Namespace || s.Name != r.Name
		})
		why = begun.All(o.Interrupted).Document().Parts
	}
	return errors.Join(o.tellEnd(r, r.Document(why)), errorOf(&r.End))
}

// tellEnd prints the end in the format that was asked for. As text, what happened was printed already.
func (o *Command) tellEnd(r *follow.Report, d *doc.Document) error {
	if o.Output == "json" {
		return render.JSON(o.Out, r)
	}
	if o.Output == command.PlanFormats[0] {
		d.Parts = d.Parts[:len(d.Parts)-1]
	}
	return d.Write(o.Out, o.Output, o.Style(), func() doc.Page {
		words := slices.Concat([]string{"sim", "follow", "-o", "html", o.set}, o.Cluster.Asks.Words(), o.Times.Words())
		words = append(words, shell.Flags("--gate", strings.Join(o.Gates, ","))...)
		if o.Replay != "" {
			words = append(words, "--replay", o.Replay)
		}
		return doc.Page{Command: shell.Line(words...)}
	})
}

// errorOf is the error of an end.
func errorOf(end *follow.End) error {
	switch {
	case end.Good:
		return nil
	case end.Outcome == follow.TimedOut, end.Outcome == follow.Over:
		return command.ErrTimeout
	case end.Outcome == follow.Interrupted:
		return command.ErrInterrupted
	}
	return command.ErrFailed
}
