package expect

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Carried returns the expectations that a step itself carries: that it is refused, and that it acts at its time.
// file is the file's name in messages; steps are numbered from 1. Mistakes in the step are not reported here.
func Carried(file string, number int, step *yaml.Node) []*Expectation {
	var list []*Expectation
	add := func(kind string, n *yaml.Node, r rule) {
		list = append(list, &Expectation{Kind: kind, Text: kind + ": " + flow(n), File: file, Line: n.Line, Column: n.Column,
			rule: r})
	}
	for i := 0; step.Kind == yaml.MappingNode && i+1 < len(step.Content); i += 2 {
		switch value := step.Content[i+1]; step.Content[i].Value {
		case "refused":
			add("refused", value, refused{number, value.Value})
		case "at":
			add("at", value, punctual{number})
		}
	}
	return list
}

// ofSteps returns the expectations that the steps of a scenario carry.
func ofSteps(file string, nodes []*yaml.Node) []*Expectation {
	var list []*Expectation
	for i, n := range nodes {
		list = append(list, Carried(file, i+1, n)...)
	}
	return list
}

// refused is the rule: the API server refuses the step, and its message contains the text, case ignored; "" is any.
type refused struct {
	step int
	text string
}

// begin judges the step's event. A step that never acted was not refused.
func (k refused) begin(r *run, _ model.Key) watcher {
	return ofStep{run: r, step: k.step, judge: func(_ model.Time, step *timeline.Step) string {
		switch {
		case step == nil:
			return "the step never acted: " + r.ending()
		case step.Effect != timeline.Refused:
			return fmt.Sprintf("the step was not refused: %s", step.Effect)
		case !step.RefusedWith(k.text):
			return "the refusal is " + step.Refusal
		}
		return ""
	}}
}

// punctual is the rule: the step acts at its time, if it acts. It cannot if the previous step acts later than that,
// which is not known before the run if that step waits for the world to settle.
type punctual struct{ step int }

// begin judges the instant of a step with a fixed one. A step that never acted breaks nothing.
func (k punctual) begin(r *run, _ model.Key) watcher {
	return ofStep{run: r, step: k.step, judge: func(at model.Time, step *timeline.Step) string {
		if step == nil || step.Trigger != "at" || at.Sub(0) <= step.Delay {
			return ""
		}
		return fmt.Sprintf("the step before acted only at %s: give this one a later time, or after", clock(at))
	}}
}

// needless reports whether a verdict is left out: a step that acts at its time is not worth reporting.
func needless(v Verdict) bool { return v.Kind == "at" && v.Outcome == Held }

// ofStep judges one step by its event, at the end. judge gets nil if it never acted, and returns what is wrong, or "".
type ofStep struct {
	endOnly
	run   *run
	step  int
	judge func(at model.Time, step *timeline.Step) string
}

// end asks judge, and shows the step's event if it acted.
func (w ofStep) end() (*failure, string) {
	i, acted := w.run.stepAt[w.step]
	if !acted {
		if detail := w.judge(0, nil); detail != "" {
			return failed(detail), ""
		}
		return nil, ""
	}
	e := &w.run.events[i]
	if detail := w.judge(e.T, e.Step); detail != "" {
		return failed(detail, i), ""
	}
	return nil, ""
}
