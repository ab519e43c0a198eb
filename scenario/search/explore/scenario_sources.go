package explore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
)

// Source is the text of a scenario, and the folder of its files. It is a value: texts derived from it get a copy.
type Source struct {
	// Name stands before the line in errors, and identifies the part in reports.
	Name string
	Data []byte
	// Dir has the manifests and dumps that the scenario names. They are read at each parse, and must not change.
	Dir     fs.FS
	Options scenario.Options
	// Change says that the text was made of manifests, so that a refusal is never what its author means.
	Change bool
	// Files are the names of these manifests, in the order of the steps that apply them.
	Files []string
	// Interrupted, if set, is asked now and then by several goroutines: once it returns true, runs of the search end,
	// whatever they are doing, and findings are no longer simplified. GiveUp, if set, then says that what was found is
	// not to be told any longer either: it should leave a moment for that.
	Interrupted, GiveUp func() bool
}

// parse reads a text in the place of the source's own, with its name, folder and options.
func (s *Source) parse(data []byte) (*scenario.Scenario, error) {
	read, err := scenario.Parse(s.Name, data, s.Dir, s.Options)
	if problems := strict.Problems(nil); errors.As(err, &problems) && len(s.Files) > 0 {
		return nil, s.placed(data, problems)
	}
	return read, err
}

// placed moves problems of the text to the files that it was made of.
func (s *Source) placed(data []byte, problems strict.Problems) error {
	var doc yaml.Node
	if yaml.Unmarshal(data, &doc) != nil {
		return problems
	}
	steps := value(doc.Content[0], "steps") // Manifests and Live write it.
	for i, p := range problems {
		for k, file := range s.Files[:min(len(s.Files), len(steps.Content))] {
			block := value(steps.Content[k], "apply")
			if block != nil && p.File == s.Name && p.Line >= block.Line {
				problems[i].File, problems[i].Line = file, max(p.Line-block.Line, 1)
			}
		}
	}
	return problems.Err()
}

// root parses the text into a tree of its own, in which the caller may change steps. A scenario that begins with a
// dump need not have steps; it gets an empty list. The text has mostly been parsed as a scenario before, so the errors
// here are rare and need no position.
func (s *Source) root() (doc, steps *yaml.Node, err error) {
	doc = &yaml.Node{}
	if err := yaml.Unmarshal(s.Data, doc); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, nil, fmt.Errorf("%s: a scenario is a mapping", s.Name)
	}
	steps = value(doc.Content[0], "steps")
	if steps == nil && value(doc.Content[0], "start") != nil {
		steps = &yaml.Node{Kind: yaml.SequenceNode}
		doc.Content[0].Content = append(doc.Content[0].Content, plain("steps"), steps)
	}
	if steps == nil || steps.Kind != yaml.SequenceNode {
		return nil, nil, fmt.Errorf("%s: the scenario has no steps", s.Name)
	}
	return doc, steps, nil
}

// read reads drafts as steps of the scenario, and returns an act for each, in their order. They are read behind its
// own steps, so that they are checked like those. behind is how far behind the others the API server may be from which
// one of them, or a step of the scenario, restarts the controller.
func (s *Source) read(drafts []draft) (acts []act, behind time.Duration, err error) {
	doc, steps, err := s.root()
	if err != nil {
		return nil, 0, err
	}
	done := len(steps.Content)
	remove(doc.Content[0], "expect")
	remove(doc.Content[0], "explore")
	for _, d := range drafts {
		steps.Content = append(steps.Content, d.text)
	}
	whole, err := s.parse(written(doc))
	if err != nil {
		return nil, 0, err
	}
	acts = make([]act, len(drafts))
	for i, d := range drafts {
		acts[i] = act{step: whole.Steps[done+i], text: steps.Content[done+i], kind: d.kind, pod: d.pod, needs: d.needs}
	}
	return acts, whole.Machinery.Behind, nil
}

// restarting returns the text with a restart of each set at its end, in the order of the sets. The restarts have no
// time, so each waits until all has settled, and may come early in the search.
func (s *Source) restarting(sets []shape) ([]byte, error) {
	doc, steps, err := s.root()
	if err != nil {
		return nil, err
	}
	for i := range sets {
		steps.Content = append(steps.Content, sets[i].restarted()[0].text)
	}
	return written(doc), nil
}

// collecting returns the text with a garbage collector that takes half a second, if it does not say how fast it is.
func (s *Source) collecting() ([]byte, error) {
	doc, _, err := s.root()
	if err != nil || value(doc.Content[0], "collector") != nil {
		return s.Data, err
	}
	set(doc.Content[0], "collector", node("{delay: 500ms}", model.Key{}))
	return written(doc), nil
}

// written returns a tree as text. It panics if it cannot be written: the tree was read from text, or made here.
func written(doc *yaml.Node) []byte {
	var text bytes.Buffer
	e := yaml.NewEncoder(&text)
	e.SetIndent(2)
	if err := e.Encode(doc); err != nil {
		panic(fmt.Sprintf("explore: a scenario that was read cannot be written: %v", err))
	}
	return text.Bytes()
}

// value returns the value of a key of a mapping; nil if it has no such key, or is no mapping.
func value(m *yaml.Node, key string) *yaml.Node {
	if at := indexOf(m, key); at >= 0 {
		return m.Content[at+1]
	}
	return nil
}

// remove removes a key of a mapping with its value, if it is there.
func remove(m *yaml.Node, key string) {
	if at := indexOf(m, key); at >= 0 {
		m.Content = slices.Delete(m.Content, at, at+2)
	}
}

// indexOf returns the place of a key in the contents of a mapping, whose value is the next; -1 if it has none.
func indexOf(m *yaml.Node, key string) int {
	if m.Kind != yaml.MappingNode {
		return -1
	}
	for i := 0; i < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// untimed says whether a step acts when the run has settled. Only such a step may come early.
func untimed(s *sim.Step) bool { return s.When.Trigger == sim.OnceSettled }

// under returns the text under a regime: its settings replace those of the text, key by key.
func (s *Source) under(regime *yaml.Node) ([]byte, error) {
	doc, _, err := s.root()
	if err != nil {
		return nil, err
	}
	overlay(doc.Content[0], regime)
	return written(doc), nil
}

// overlay writes the blocks of a regime into a scenario. A key of a block that the scenario has too is replaced; so is
// a block as a whole if one of the two is no mapping. The nodes of the regime are shared with the tree and must not be
// changed in it.
func overlay(root, regime *yaml.Node) {
	for i := 0; i+1 < len(regime.Content); i += 2 {
		key, block := regime.Content[i].Value, regime.Content[i+1]
		old := value(root, key)
		if old == nil || old.Kind != yaml.MappingNode || block.Kind != yaml.MappingNode {
			set(root, key, block)
			continue
		}
		for k := 0; k+1 < len(block.Content); k += 2 {
			set(old, block.Content[k].Value, block.Content[k+1])
		}
	}
}

// Manifests returns the text of a scenario that applies one manifest and, once all is settled, each change of it. The
// streams stand in the text as they are, so an error names a line of the scenario and not of the manifest's file.
func Manifests(streams ...[]byte) []byte {
	return written(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{plain("steps"), applied(streams)}})
}

// Live returns the text of a scenario that begins with the live sets of a dump, of that name, and applies each change.
func Live(dump string, changes ...[]byte) []byte {
	content := []*yaml.Node{plain("start"), plain(dump)}
	if len(changes) > 0 {
		content = append(content, plain("steps"), applied(changes))
	}
	return written(&yaml.Node{Kind: yaml.MappingNode, Content: content})
}

// applied returns steps that apply the streams, in their order. Each stands in the text as a literal block, which
// needs a line break at its end.
func applied(streams [][]byte) *yaml.Node {
	steps := &yaml.Node{Kind: yaml.SequenceNode}
	for _, data := range streams {
		inline := plain(string(data) + "\n")
		inline.Style = yaml.LiteralStyle
		steps.Content = append(steps.Content, &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{plain("apply"),
			inline}})
	}
	return steps
}

// IsDump says whether a stream of manifests is a dump of a live cluster: it has pods with a status, by themselves or
// in a List as kubectl prints it. It looks at each document until one cannot be parsed; what is wrong there is
// reported by whoever reads the stream.
func IsDump(data []byte) bool {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		if decoder.Decode(&doc) != nil {
			return false
		}
		if len(doc.Content) == 0 {
			continue
		}
		if isLivePod(doc.Content[0]) {
			return true
		}
		if items := value(doc.Content[0], "items"); items != nil {
			for _, item := range items.Content {
				if isLivePod(item) {
					return true
				}
			}
		}
	}
}

// isLivePod says whether an object is a pod with a status, which no manifest of a chart has.
func isLivePod(object *yaml.Node) bool {
	kind := value(object, "kind")
	return kind != nil && kind.Value == "Pod" && value(object, "status") != nil
}

// Named is a file of the command line: Name is for messages, Once is true if it can be read only once, and Dir is the
// folder to which the paths in it are relative.
type Named struct {
	Name, Path string
	Data       []byte
	Once       bool
	Dir        fs.FS
}

// Sources returns what is to be explored: scenarios, each of them; or manifests, which together are one change; or a
// dump of live sets, and what is to be applied to them. A dump must be a file, because the scenario that is made of it
// names it. The sources name no options yet.
func Sources(files []Named) ([]Source, error) {
	var scenarios []Source
	var manifests [][]byte
	var changes, paths []string
	var live *Named
	for i := range files {
		f := &files[i]
		paths = append(paths, f.Path)
		switch {
		case scenario.IsScenario(f.Data):
			scenarios = append(scenarios, Source{Name: f.Name, Data: f.Data, Dir: f.Dir})
		case !IsDump(f.Data):
			manifests, changes = append(manifests, f.Data), append(changes, f.Name)
		case f.Once:
			return nil, fmt.Errorf("explore reads a dump several times: save %s as a file", f.Name)
		case live != nil:
			return nil, fmt.Errorf("explore takes one dump: %s is one too many", f.Path)
		case !utf8.ValidString(f.Path):
			return nil, fmt.Errorf("explore writes the name of the dump into a scenario, and %q is not text: rename the file",
				f.Path)
		default:
			live = f
		}
	}
	name := strings.Join(paths, " ")
	switch {
	case len(scenarios) == len(files):
		return scenarios, nil
	case len(scenarios) > 0:
		return nil, errors.New("explore scenarios, or manifests: not both at once")
	case live != nil:
		text := Live(filepath.Base(live.Path), manifests...)
		return []Source{{Name: name, Data: text, Dir: live.Dir, Change: true, Files: changes}}, nil
	}
	return []Source{{Name: name, Data: Manifests(manifests...), Change: true, Files: changes}}, nil
}
