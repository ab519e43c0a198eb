package explore

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Found is a trap that the search has found: `found[]` of `sim explore -o json`. Tell makes it; nothing changes it
// afterwards, so reports may share it.
type Found struct {
	// Promise is the promise that the run breaks, Rule the rule by which the controller acted; "" if it did not act.
	// Class identifies the trap: findings of one class are the same trap.
	Promise string `json:"promise"`
	Rule    string `json:"rule,omitempty"`
	Class   string `json:"class"`
	// File is the file that was explored, Kubernetes the version.
	File       string `json:"file"`
	Kubernetes string `json:"kubernetes"`
	model.PreRelease
	// Deviations is the number of choices in which the run differs from the plain run, Runs how many runs were made
	// until it was found. Random is true if only the random search found it.
	Deviations int  `json:"deviations"`
	Runs       int  `json:"runs"`
	Random     bool `json:"random,omitempty"`
	// Token plays the run again; it is "" if the run is too long for one. Tape is the run itself.
	Token string             `json:"token,omitempty"`
	Tape  []search.Deviation `json:"tape"`
	// Known is the name of the waiver for this trap on this version, by which `--waive` removes it; "" if there is none.
	Known string `json:"known,omitempty"`
	// Says describes what went wrong, with names and numbers of the run in the story. Story says how it happened, in
	// sentences; Lines has the same in parts.
	Says  string   `json:"says"`
	Story []string `json:"story"`
	Lines []Line   `json:"lines"`
	// Breaks are the classes of all that the story shows, in their order, each once. The last one is Class, because the
	// story ends there.
	Breaks []string `json:"breaks"`
	// Scenario is a plain scenario that shows it: without the block explore, and as simple as was found. "" if no plain
	// scenario can, because the run needs a tie, an order, a drawn time or a chance.
	Scenario string `json:"scenario,omitempty"`

	// Events are the events of the run in the story, Breach is the broken promise in them. They are not written: a report
	// that was read from JSON has neither.
	Events []timeline.Event `json:"-"`
	Breach promise.Breach   `json:"-"`
}

// Tell turns a result of the search into what people can read: the story of the run, and a scenario that plays it.
//
// The story is that of the simplest run, which need not be the run that the search has found: if a plain scenario
// breaks the same class, that is simplified and its run is described. Token and Tape stay those of the search.
// Deviations counts the tape.
//
// Once the user has interrupted, nothing is simplified any more; and once GiveUp says so, a finding has no story: what
// the search has noted is all that it says.
func (x *Explorer) Tell(f search.Found) (*Found, error) {
	out := &Found{
		Class: f.Class, File: x.Name(), Kubernetes: x.Kubernetes(),
		PreRelease: statefulset.Unreleased(x.Kubernetes()), Deviations: len(f.Tape), Runs: f.Runs,
		Random: f.Random, Tape: f.Tape, Token: search.Token(x.Digest(), f.Tape),
	}
	err := x.tell(out)
	if errors.Is(err, search.ErrCut) {
		out.brief(f.Detail)
		err = nil
	}
	return out, err
}

// brief describes a finding whose run could not be played again, by what the search has noted.
func (f *Found) brief(says string) {
	f.Promise, _, _ = strings.Cut(f.Class, "/")
	f.Says, f.Breaks, f.Scenario = says, []string{f.Class}, ""
	f.Lines = []Line{{Says: "the search was interrupted before this run was described: play it again to see what happens"}}
	f.Story = []string{f.Lines[0].Says}
}

// tell plays the run of a finding again, and describes it. The error is search.ErrCut if there was no time for that.
func (x *Explorer) tell(out *Found) error {
	last := x.unhurried()
	c, err := last.replay(out.Tape, false)
	if err != nil {
		return err
	}
	text, err := c.written()
	if err != nil {
		return err
	}
	run := told{steps: c.deviations(), odd: c.odd, ownFaults: len(x.scenario.Faults)}
	if broken, _ := last.breaks(text, out.Class); broken {
		text = x.Simpler(text, out.Class)
		if c = last.played(text); c == nil {
			return search.ErrCut
		}
		out.Scenario = string(text)
		run.steps, run.odd = deviationsOf(text), nil
	}
	out.describe(c, run)
	out.addLines(x.regimeOf(out.Tape), text)
	return nil
}

// addLines puts the lines that hold all run long before those of the run, and writes the story.
func (f *Found) addLines(regime []Line, text []byte) {
	if regime == nil {
		regime = slow(text)
	}
	f.Lines = append(regime, f.Lines...)
	for i := range f.Lines {
		f.Story = append(f.Story, f.Lines[i].Sentence())
	}
}

// describe describes the first breach of the finding's class in a run, which must have one. The breaches before it are
// in the story too, the first of each class; those after it are left out.
func (f *Found) describe(c *course, run told) {
	f.Breach, f.Events = *c.breach(f.Class), c.world.Events()
	f.Promise, f.Rule, f.Says = string(f.Breach.Promise), string(f.Breach.Rule), f.Breach.Says
	if w := promise.WaiverOf(&f.Breach, f.Kubernetes); w != nil {
		f.Known = w.Name
	}
	run.events, run.sights = f.Events, c.sights
	for _, b := range c.judge.Breaches() {
		if class := b.Class(); b.Event <= f.Breach.Event && !slices.Contains(f.Breaks, class) {
			f.Breaks = append(f.Breaks, class)
			run.breaches = append(run.breaches, b)
		}
		if b.Class() == f.Class {
			break
		}
	}
	f.Lines = run.story()
}

// settings are the parts of a scenario that say how slow a cluster is, in the order of a story, and what follows from
// that; "" if the setting says so itself.
var settings = []struct{ key, means string }{
	{"apiserver", "the controller may act on a state that is no longer true"},
	{"controller", ""},
	{"collector", "the garbage collector deletes objects only after this delay"},
}

// slow says how slow the cluster of a scenario is, a line for each setting. These lines have no time: they hold all
// run long. A text that is no scenario has none.
func slow(text []byte) (lines []Line) {
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil || len(doc.Content) == 0 {
		return nil
	}
	for _, s := range settings {
		if n := value(doc.Content[0], s.key); n != nil {
			n.Style = yaml.FlowStyle
			says := "all run long: " + s.key + ": " + strings.TrimSpace(string(written(n)))
			if s.means != "" {
				says += ", so " + s.means
			}
			lines = append(lines, Line{Says: says})
		}
	}
	return lines
}

// regimeOf returns the regime of a run in words, nil if it has none. It is the first choice of a run, number 0, if
// there are regimes at all; otherwise number 0 is another choice.
func (x *Explorer) regimeOf(tape []search.Deviation) []Line {
	if len(x.regimes) == 0 || len(tape) == 0 || tape[0].At > 0 {
		return nil
	}
	regime := *x.block.Regimes[tape[0].Answer-1]
	regime.Style = yaml.FlowStyle
	return []Line{{Says: "all run long: " + strings.TrimSpace(string(written(&regime))), Deviates: added}}
}

// Again plays one run again and reports what it breaks, each class once, in the order of the breaches. It is what `sim
// explore --replay` prints. The error is of type search.Diverged if the tape does not fit this scenario: it answers a
// question that the run does not ask; and search.ErrCut if the run was interrupted. A run that breaks nothing returns
// nil and no error.
func (x *Explorer) Again(tape []search.Deviation) ([]*Found, error) {
	_, breaches, err := x.Replay(tape)
	if err != nil {
		return nil, err
	}
	var found []*Found
	seen := map[string]bool{}
	for i := range breaches {
		class := breaches[i].Class()
		if seen[class] {
			continue
		}
		seen[class] = true
		told, err := x.Tell(search.Found{Finding: search.Finding{Class: class}, Tape: tape, Runs: 1})
		if err != nil {
			return nil, err
		}
		found = append(found, told)
	}
	return found, nil
}

// Comment returns the story of a finding as the head of its scenario: lines of YAML that begin with # and end with a
// line break. Sentences of a story have no line breaks, so each stays a comment.
func (f *Found) Comment() string {
	return fmt.Sprintf("# %s on %s: %s\n#\n# %s\n", f.Promise, statefulset.Title(f.Kubernetes), f.Says,
		strings.Join(f.Story, "\n# "))
}
