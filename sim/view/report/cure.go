package report

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Cure is a way out for a set that is stuck at the end of a run. It was played after the run, and it healed the
// set: a way that was not tried, or did not help, must not be among a run's Cures, because reports call it
// verified.
type Cure struct {
	Set model.Key
	reasons.Way
}

// Fix says in lines what the cure does, what it costs and what must be true first. The lines come before the
// commands.
func (c *Cure) Fix() []string { return c.Lead("Fix (verified by simulation). " + c.Line()) }

// tone is red where the cure can lose something.
func (c *Cure) tone() render.Tone {
	if c.Danger != "" {
		return render.Bad
	}
	return render.Good
}

// cures writes the ways out, or else the command that looks for the reason. A way with a cost is highlighted.
func (p sheet) cures(run *Run) {
	for i := range run.Cures {
		cure := &run.Cures[i]
		p.fix(2, cure.Fix(), cure)
	}
	if text := run.Untries(); text != "" {
		p.Wrapped("  ", text, render.Plain)
	}
	if run.Explain != "" {
		p.Verbatim(2, "try: "+run.Explain, render.Plain)
	}
}

// Untries says in a sentence why ways out were not looked for; "" if they were.
func (run *Run) Untries() string {
	switch {
	case run.Untried == "":
		return ""
	case len(run.Cures) > 0:
		return "Not all fixes were tried: " + run.Untried + "."
	}
	return "No fix was tried: " + run.Untried + "."
}

// fix writes the lines about a cure, and its commands.
func (p sheet) fix(indent int, lines []string, cure *Cure) {
	p.Wrapped(strings.Repeat(" ", indent), lines[0], cure.tone())
	for _, line := range lines[1:] {
		p.Wrapped(strings.Repeat(" ", indent+2), line, cure.tone())
	}
	for _, command := range cure.Commands {
		p.Verbatim(indent+2, command, render.Bold)
	}
}

// Fix is a cure of runs that are compared. Runs are the names of those that behave alike.
type Fix struct {
	Runs string
	Cure *Cure
}

// Fixes returns the cures of the runs, of those that behave alike once.
func (c *Comparison) Fixes() []Fix {
	var list []Fix
	for _, group := range c.Groups {
		cures := c.Versions[group[0]].Cures
		for i := range cures {
			list = append(list, Fix{Runs: c.groupName(group), Cure: &cures[i]})
		}
	}
	return list
}

// Lines say what the fix is for, what it does, what it costs and what must be true first.
func (f *Fix) Lines() []string {
	lines := f.Cure.Fix()
	lines[0] = f.Runs + ": " + lines[0]
	return lines
}

// fixes writes the ways out of the runs that are stuck.
func (p sheet) fixes(c *Comparison) {
	fixes := c.Fixes()
	for i := range fixes {
		p.Blank()
		p.fix(0, fixes[i].Lines(), fixes[i].Cure)
	}
}

// wayOutJSON is a cure for programs, with the fields that sim explain -o json has.
type wayOutJSON struct {
	Namespace     string      `json:"namespace"`
	StatefulSet   string      `json:"statefulset"`
	What          string      `json:"what"`
	Commands      []string    `json:"commands"`
	FewestServing int         `json:"fewestServing"`
	PodsDeleted   int         `json:"podsDeleted"`
	Takes         jsonSeconds `json:"takes"`
	Danger        string      `json:"danger,omitempty"`
	Needs         string      `json:"needs,omitempty"`
	Reverts       bool        `json:"reverts,omitempty"`
}

// waysOutJSON returns the cures in their order, nil without any.
func waysOutJSON(cures []Cure) []wayOutJSON {
	var list []wayOutJSON
	for i := range cures {
		cure := &cures[i]
		list = append(list, wayOutJSON{
			Namespace: cure.Set.Namespace, StatefulSet: cure.Set.Name, What: cure.What, Commands: cure.Commands,
			FewestServing: cure.Fewest, PodsDeleted: cure.Deleted, Takes: jsonSeconds(cure.Takes),
			Danger: cure.Danger, Needs: cure.Needs, Reverts: cure.Reverts,
		})
	}
	return list
}
