package expect

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Load reads the expectations for a recorded timeline from a YAML file: a list, a mapping with the key expect, or a
// whole scenario. The steps and sets are those of the timeline; a whole scenario has its own steps, which may be more.
// After the expectations come those of the scenario's steps themselves. Expectations that were read without a problem
// are returned beside problems of others.
func Load(file string, data []byte, limits strict.Limits, events []timeline.Event) ([]*Expectation, strict.Problems) {
	root, problems := strict.ParseOne(file, data, limits)
	if root == nil {
		return nil, problems
	}
	env := EnvOf(events)
	env.File, env.Limits = file, limits
	list := root
	var carried []*Expectation
	if root.Kind != yaml.SequenceNode {
		reader := &strict.Reader{File: file, Limits: limits, Problems: problems}
		m := reader.Map(root, "a file of expectations")
		if m.Has("steps") {
			steps := m.List("steps")
			env.Steps, carried = stepsOf(steps), ofSteps(file, steps)
		}
		isRefused := func(e *Expectation) bool { return e.Kind == "refused" }
		if m != nil && !m.Has("expect") && !slices.ContainsFunc(carried, isRefused) {
			reader.Problem(root, "the file has no expectations", "write them as a list behind the key expect")
		}
		list, problems = m.Value("expect"), reader.Problems
	}
	compiled, more := Compile(list, env)
	return append(compiled, carried...), append(problems, more...)
}

// stepsOf returns the steps of a scenario with their names and kinds. The kind of a step is its one key that is not
// common to all steps. Nothing else of the steps is checked.
func stepsOf(nodes []*yaml.Node) []Step {
	var steps []Step
	for i, n := range nodes {
		step := Step{Number: i + 1}
		for k := 0; n.Kind == yaml.MappingNode && k+1 < len(n.Content); k += 2 {
			switch key := n.Content[k].Value; key {
			case "name":
				step.Name = n.Content[k+1].Value
			case "at", "after", "when", "namespace", "refused", "cascade", "force":
			default:
				step.Verb = key
			}
		}
		steps = append(steps, step)
	}
	return steps
}

// EnvOf returns the steps and sets of a timeline that expectations may refer to. If the run was cut short, the scenario
// may have more.
func EnvOf(events []timeline.Event) Env {
	var env Env
	for i := range events {
		if step := events[i].Step; step != nil {
			env.Steps = append(env.Steps, Step{step.Number, step.Name, step.Verb})
		}
	}
	r := newRun(events)
	env.Sets, env.NotAll = r.sets, !r.final()
	return env
}
