package explore

import (
	"slices"
	"time"

	"gopkg.in/yaml.v3"

	search "github.com/statefulsim/statefulsim/sim/explore"
	"github.com/statefulsim/statefulsim/sim/promise"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Scenario writes a run as a plain scenario: the steps and the acts in the order in which they came, each with its
// time.
func (x *Explorer) Scenario(tape []search.Deviation) (text []byte, err error) {
	var c *course
	if _, err = search.Play(func(run *search.Run) {
		c = x.newCourse(run)
		c.play()
	}, x.Open, tape); err != nil {
		return nil, err
	}
	return c.written()
}

func (c *course) written() ([]byte, error) {
	doc, steps, err := c.source.root()
	if err != nil {
		return nil, err
	}
	var played []*yaml.Node
	for _, d := range c.done {
		text := c.text(d, steps)
		played = append(played, at(text, d.at.Sub(0)))
	}
	steps.Content = played
	for _, key := range []string{"expect", "explore", "name", "description"} {
		remove(doc.Content[0], key)
	}
	set(doc.Content[0], "kubernetes", quoted(c.scenario.Profile.Version()))
	return written(doc), nil
}

func (c *course) text(d deed, steps *yaml.Node) *yaml.Node {
	if d.act != nil {
		return d.act.text
	}
	return steps.Content[d.step]
}

// at returns a copy of a step that acts at an instant. A step at the beginning needs no time.
func at(step *yaml.Node, when time.Duration) *yaml.Node {
	timed := *step
	timed.Content = slices.Clone(step.Content)
	remove(&timed, "at")
	remove(&timed, "after")
	if when > 0 {
		timed.Content = slices.Concat([]*yaml.Node{plain("at"), plain(when.String())}, timed.Content)
	}
	return &timed
}

// set gives a mapping a value, at its beginning where it has none of that name yet.
func set(m *yaml.Node, key string, value *yaml.Node) {
	if i := indexOf(m, key); i >= 0 {
		m.Content[i+1] = value
		return
	}
	m.Content = slices.Concat([]*yaml.Node{plain(key), value}, m.Content)
}

func plain(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

func quoted(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: yaml.DoubleQuotedStyle}
}

// breaks plays a plain scenario and returns its first breach of a class, and the run; nil where there is none.
func (x *Explorer) breaks(text []byte, class string) (*promise.Breach, []timeline.Event) {
	plain := *x.source
	plain.Data = text
	read, err := plain.parse(text)
	if err != nil {
		return nil, nil
	}
	y := *x
	y.source, y.scenario, y.acts = &plain, read, nil
	c := y.newCourse(nil)
	c.play()
	all := c.judge.Breaches()
	i := slices.IndexFunc(all, func(b promise.Breach) bool { return b.Class() == class })
	if i < 0 {
		return nil, nil
	}
	return &all[i], c.world.Events()
}

// Manifests is the text of a scenario that applies one manifest and, once all is settled, each change of it.
func Manifests(streams ...[]byte) []byte {
	steps := &yaml.Node{Kind: yaml.SequenceNode}
	for _, data := range streams {
		inline := plain(string(data) + "\n")
		inline.Style = yaml.LiteralStyle
		steps.Content = append(steps.Content, &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{plain("apply"),
			inline}})
	}
	return written(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{plain("steps"), steps}})
}
