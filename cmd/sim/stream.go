package main

import (
	"github.com/statefulsim/statefulsim/sim/output/report"
)

// noHistoryUsage is the flag's help.
const noHistoryUsage = "keep no events once they are printed, so that a long run takes no more memory; the scenario " +
	"must have no expectations (-o jsonl)"

// checkNoHistory says what does not go with --no-history.
func (o *runOptions) checkNoHistory() error {
	switch {
	case !o.noHistory:
		return nil
	case o.output != "jsonl":
		return usagef("--no-history keeps no events, and -o %s is printed at the end: use -o jsonl", o.output)
	case len(o.world.several) > 0:
		return usagef("--no-history keeps no timeline to compare: name one version of Kubernetes")
	case o.save != "":
		return usagef("--save-as-test records the whole timeline: leave out --no-history")
	}
	return nil
}

// stream plays the files one after the other, and writes each timeline while its run goes on. A run that failed does
// not end the rest; an interruption does. Expectations are judged, but nothing is said of them: only the exit code
// shows it.
func (o *runOptions) stream(scenes []scene) error {
	var problems wrongInput
	for _, scene := range scenes {
		if err := scene.NeedsHistory(); o.noHistory && err != nil {
			problems = append(problems, err.Error())
		}
	}
	if len(problems) > 0 {
		return problems
	}
	var worst error
	for i, scene := range scenes {
		p, err := o.playLines(i, scene)
		if err != nil {
			return err
		}
		if p.interrupted {
			return errInterrupted
		}
		if !p.ok {
			worst = errFailed
		}
	}
	return worst
}

// playLines plays a scenario and writes its timeline meanwhile. The error is that of a write, which ends the run too.
func (o *runOptions) playLines(i int, scene scene) (*played, error) {
	lines := report.NewLines(o.out)
	progress := newProgress(o.streams, "playing "+scene.Name())
	until := o.endsShowing(progress, &o.world)
	asked := until.interrupted
	until.interrupted = func() bool { return lines.Failed() || asked() }
	p := scene.Stream(until, stream{written: lines.Write, forget: o.noHistory})
	progress.clear()
	err := lines.Flush()
	tellInput(o.err, o.files[i], p)
	return p, err
}
