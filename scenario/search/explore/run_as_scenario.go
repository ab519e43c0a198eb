package explore

import (
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
)

// written writes the course, which must have ended, as a plain scenario: its steps and acts in order, each with the
// instant at which it acted; its failed writes as faults; and its regime in the place of the settings that it replaces.
// Deviations of the kinds that a scenario cannot write (ties, orders, drawn times, chances) are missing, so the text
// need not break what the run has broken: the caller must play it to know.
//
// The scenario loses its expectations, its block explore, its name and its description: they were written about another
// run. It gets the version under which the run was played, so that it means the same wherever it is played.
func (c *course) written() ([]byte, error) {
	doc, steps, err := c.source.root()
	if err != nil {
		return nil, err
	}
	var played []*yaml.Node
	for i, d := range c.done {
		var text *yaml.Node
		if d.act != nil {
			text = d.act.text
		} else {
			text = steps.Content[d.step]
		}
		step := at(text, d.at.Sub(0), i > 0 || c.scenario.Start != nil)
		if d.deviates != "" {
			step.HeadComment = strings.TrimPrefix(step.HeadComment+"\n# "+d.deviates, "\n")
		}
		played = append(played, step)
	}
	steps.Content = played
	if c.regime > 0 {
		overlay(doc.Content[0], c.block.Regimes[c.regime-1])
	}
	c.writeFaults(doc.Content[0])
	for _, key := range []string{"expect", "explore", "name", "description"} {
		remove(doc.Content[0], key)
	}
	// Without quotes a version like 1.30 would be a number.
	version := plain(c.scenario.Profile.Version())
	version.Style = yaml.DoubleQuotedStyle
	set(doc.Content[0], "kubernetes", version)
	return written(doc), nil
}

// writeFaults adds the writes that have failed to the faults of the scenario, behind its own, whose numbers stay as
// they are. Each strike is a fault of its own, because each is about another write: the nth that matches.
func (c *course) writeFaults(root *yaml.Node) {
	if len(c.struck) == 0 {
		return
	}
	faults := value(root, "faults")
	if faults == nil || faults.Kind != yaml.SequenceNode {
		faults = &yaml.Node{Kind: yaml.SequenceNode}
		set(root, "faults", faults)
	}
	for _, s := range c.struck {
		faults.Content = append(faults.Content, s.fault(c.writes[s.write].Text))
	}
}

// at returns a copy of a step that acts at an instant. Its at, after or when is replaced, because each of them means
// an instant of another run. A step at the beginning gets no time unless it waits: a step without a time acts when all
// has settled, which is at once in a cluster that is still empty.
func at(step *yaml.Node, when time.Duration, waits bool) *yaml.Node {
	timed := *step
	timed.Content = slices.Clone(step.Content)
	remove(&timed, "at")
	remove(&timed, "after")
	remove(&timed, "when")
	if when > 0 || waits {
		timed.Content = slices.Concat([]*yaml.Node{plain("at"), plain(when.String())}, timed.Content)
	}
	return &timed
}

// set sets a key of a mapping. An old value is replaced in its place; a new key is put first, for readers.
func set(m *yaml.Node, key string, value *yaml.Node) {
	if i := indexOf(m, key); i >= 0 {
		m.Content[i+1] = value
		return
	}
	m.Content = slices.Concat([]*yaml.Node{plain(key), value}, m.Content)
}

// plain returns a text as a node without quotes; the encoder adds them where YAML would read something else.
func plain(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

// played plays a plain scenario to its end, without any deviation; it returns nil if the text is no scenario, or if the
// run was interrupted. The course keeps its world, sights and judge for the story.
func (x *Explorer) played(text []byte) *course {
	y := x.plainly(text)
	if y == nil {
		return nil
	}
	c := y.newCourse(nil)
	if c.play(); c.cut() {
		return nil
	}
	return c
}

// plainly returns the explorer of a plain scenario; nil if the text is no scenario. It has no acts, so its courses
// cannot deviate even by mistake.
func (x *Explorer) plainly(text []byte) *Explorer {
	plain := *x.source
	plain.Data = text
	read, err := plain.parse(text)
	if err != nil {
		return nil
	}
	y := *x
	y.source, y.scenario, y.acts, y.regimes, y.writes = &plain, read, nil, nil, nil
	return &y
}

// breaks plays a plain scenario as played does, but keeps nothing of it: it returns whether the run has a breach of the
// class, and the instants at which its steps acted. A breach ends the run, so without a class all steps act.
func (x *Explorer) breaks(text []byte, class string) (does bool, acted []model.Time) {
	y := x.plainly(text)
	if y == nil {
		return false, nil
	}
	c := y.courseAt(nil, &workplace{})
	c.wanted = class
	if c.play(); c.cut() {
		return false, nil
	}
	for i := range c.done {
		acted = append(acted, c.done[i].at)
	}
	return c.breach(class) != nil, acted
}

// breach returns the first breach of a class, which the caller may keep; nil if there is none.
func (c *course) breach(class string) *promise.Breach {
	all := c.judge.Breaches()
	i := slices.IndexFunc(all, func(b promise.Breach) bool { return b.Class() == class })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// deviations returns how steps differ from those of the plain run, by their numbers from 1, which are those of the
// events of the steps. Steps that do not differ are not in it.
func (c *course) deviations() map[int]string {
	found := map[int]string{}
	for i, d := range c.done {
		if d.deviates != "" {
			found[i+1] = d.deviates
		}
	}
	return found
}

// deviationsOf returns the same for a text that written has made, perhaps with fewer steps by now: it reads the
// comments that written put above the steps, which survive each edit of the tree.
func deviationsOf(text []byte) map[int]string {
	found := map[int]string{}
	for i, step := range stepsOf(text) {
		if way := deviation(step); way != "" {
			found[i+1] = way
		}
	}
	return found
}

// deviation returns how a step differs from the plain run, "" if it does not. The comment above it says so; a comment
// of the file itself may stand before that one.
func deviation(step *yaml.Node) string {
	for _, way := range []string{added, early} {
		if strings.HasSuffix(step.HeadComment, "# "+way) {
			return way
		}
	}
	return ""
}
