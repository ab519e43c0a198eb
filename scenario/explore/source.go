package explore

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
)

// Source is the text of a scenario, and where the files lie that it names.
type Source struct {
	Name    string
	Data    []byte
	Dir     fs.FS
	Options scenario.Options
}

func (s *Source) parse(data []byte) (*scenario.Scenario, error) {
	return scenario.Parse(s.Name, data, s.Dir, s.Options)
}

// root reads the text as a tree, whose steps can be changed.
func (s *Source) root() (doc, steps *yaml.Node, err error) {
	doc = &yaml.Node{}
	if err := yaml.Unmarshal(s.Data, doc); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, nil, fmt.Errorf("%s: a scenario is a mapping", s.Name)
	}
	steps = value(doc.Content[0], "steps")
	if steps == nil || steps.Kind != yaml.SequenceNode {
		return nil, nil, fmt.Errorf("%s: the scenario has no steps", s.Name)
	}
	return doc, steps, nil
}

// read reads drafts as steps of the scenario.
func (s *Source) read(drafts []draft) ([]act, error) {
	doc, steps, err := s.root()
	if err != nil {
		return nil, err
	}
	done := len(steps.Content)
	remove(doc.Content[0], "expect")
	for _, d := range drafts {
		var text yaml.Node
		if err := yaml.Unmarshal([]byte(d.text), &text); err != nil {
			panic(fmt.Sprintf("explore: the act %s is no YAML: %v", d.text, err))
		}
		steps.Content = append(steps.Content, text.Content[0])
	}
	whole, err := s.parse(written(doc))
	if err != nil {
		return nil, err
	}
	acts := make([]act, len(drafts))
	for i, d := range drafts {
		acts[i] = act{step: whole.Steps[done+i], text: steps.Content[done+i], kind: d.kind, pod: d.pod, needs: d.needs}
	}
	return acts, nil
}

// restarting is the text with a restart of each set at its end.
func (s *Source) restarting(sets []shape) ([]byte, error) {
	doc, steps, err := s.root()
	if err != nil {
		return nil, err
	}
	for i := range sets {
		var text yaml.Node
		if err := yaml.Unmarshal([]byte(sets[i].restarted()[0].text), &text); err != nil {
			panic(fmt.Sprintf("explore: %s is no YAML: %v", sets[i].restarted()[0].text, err))
		}
		steps.Content = append(steps.Content, text.Content[0])
	}
	return written(doc), nil
}

// written writes a tree out as text.
func written(doc *yaml.Node) []byte {
	var text bytes.Buffer
	e := yaml.NewEncoder(&text)
	e.SetIndent(2)
	if err := e.Encode(doc); err != nil {
		panic(fmt.Sprintf("explore: a scenario that was read cannot be written: %v", err))
	}
	return text.Bytes()
}

// value returns the value of a key of a mapping, or nil.
func value(m *yaml.Node, key string) *yaml.Node {
	if at := indexOf(m, key); at >= 0 {
		return m.Content[at+1]
	}
	return nil
}

func remove(m *yaml.Node, key string) {
	if at := indexOf(m, key); at >= 0 {
		m.Content = slices.Delete(m.Content, at, at+2)
	}
}

func indexOf(m *yaml.Node, key string) int {
	for i := 0; i < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// untimed says whether a step comes once all is settled.
func untimed(s *sim.Step) bool { return s.When.Trigger == sim.OnceSettled }
