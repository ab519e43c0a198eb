package pair

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/output/lazy"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// Stream is a file of manifests, or a dump of a live cluster.
type Stream struct {
	Name string
	Data []byte
	// Files are the files of a folder; Data is then empty.
	Files []dump.Source
	// Namespace is the namespace of objects that name none; "" derives it.
	Namespace string
}

func (s *Stream) sources() []dump.Source {
	if s.Files != nil {
		return s.Files
	}
	return []dump.Source{{Name: s.Name, Data: s.Data}}
}

// stream is a stream that was read.
type stream struct {
	Stream
	file *manifest.File
	// namespace is that of objects that name none; it is set once both streams were read.
	namespace string
	// notes and warnings say what was decided while it was read, problems what is wrong with it as a whole.
	notes, warnings []string
	problems        strict.Problems
}

// check notes what is wrong with a set of a stream.
type check func(r *strict.Reader, set *manifest.Set)

// readStream reads a stream. Of what runs already no field is unknown: a newer server may have written it.
func readStream(s Stream, limits strict.Limits, runs bool, check check) *stream {
	whole := &stream{Stream: s, file: &manifest.File{}}
	for _, source := range s.sources() {
		parsed := strict.ParseStream(source.Name, source.Data, limits)
		r := parsed.Reader(source.Name, limits)
		r.Lenient = runs
		file := manifest.ReadNamed(r, parsed.Docs)
		for _, warning := range r.Warnings.Sorted() {
			if slices.Contains(parsed.Joined, warning) {
				whole.warnings = append(whole.warnings, warning.Error()+".")
			} else {
				whole.notes = append(whole.notes, warning.Error()+".")
			}
		}
		sets, wrong, problems := setApart(r, file, check)
		whole.problems = append(whole.problems, problems...)
		whole.file.Sets, whole.file.Wrong = append(whole.file.Sets, sets...), append(whole.file.Wrong, wrong...)
		whole.file.Others = append(whole.file.Others, file.Others...)
	}
	for _, wrong := range whole.file.Wrong {
		if len(whole.file.Sets) == 0 {
			whole.problems = append(whole.problems, wrong.Problems...)
		}
	}
	return whole
}

// setApart returns the sets of a file, those that are wrong and have a name, and the other problems.
func setApart(r *strict.Reader, file *manifest.File, check check) (sets []*manifest.Set, wrong []manifest.Wrong,
	problems strict.Problems) {
	problems = slices.DeleteFunc(r.Problems, func(p strict.Problem) bool {
		return slices.ContainsFunc(file.Wrong, func(wrong manifest.Wrong) bool { return slices.Contains(wrong.Problems, p) })
	})
	all := file.Wrong
	for _, set := range file.Sets {
		own := *r
		own.Problems = nil
		set.CheckLimits(&own)
		check(&own, set)
		if len(own.Problems) == 0 {
			sets = append(sets, set)
			continue
		}
		all = append(all, manifest.Wrong{Problems: own.Problems, Other: manifest.Other{
			Kind: model.KindStatefulSet.String(), Namespace: set.Object.Namespace, Name: set.Object.Name, Node: set.Node,
		}})
	}
	for _, one := range all {
		if one.Name == "" {
			problems = append(problems, one.Problems...)
		} else {
			wrong = append(wrong, one)
		}
	}
	return sets, wrong, problems
}

// settled returns the namespace of objects that name none: that of the other stream, where kubectl or Helm gave it.
func (s *stream) settled(other *stream) (namespace string, notes []string) {
	if s.Namespace != "" {
		return s.Namespace, nil
	}
	found := map[string]bool{}
	for _, set := range s.file.Sets {
		for _, twin := range other.file.Sets {
			if set.Object.Namespace == "" && twin.Object.Name == set.Object.Name && twin.Object.Namespace != "" {
				found[twin.Object.Namespace] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(found))
	if len(names) != 1 || names[0] == "default" {
		return "default", nil
	}
	return names[0], []string{fmt.Sprintf("%s names no namespace. Assumed: %s, as in the other file.", s.Name, names[0])}
}

func (s *stream) none() strict.Problem {
	p := strict.Problem{File: s.Name, What: "there is no StatefulSet in it"}
	var kinds []string
	for _, other := range s.file.Others {
		kinds = append(kinds, other.Kind)
	}
	slices.Sort(kinds)
	if kinds = slices.Compact(kinds); len(kinds) > 0 {
		p.What += ", but " + render.And(kinds)
		p.Want = "if an operator creates one, pass what kubectl get statefulsets -o yaml prints"
	}
	return p
}

func (s *stream) hasPods() bool {
	return slices.ContainsFunc(s.file.Others, func(other manifest.Other) bool { return IsPod(&other) })
}

// IsPod says whether an object is a pod that a server has printed.
func IsPod(o *manifest.Other) bool {
	return o.Kind == model.KindPod.String() && manifest.Field(o.Node, "status", "phase") != nil
}

// showsPods says whether a stream was printed by a server, with the pods of its sets, or with sets that have none.
func (s *stream) showsPods() bool {
	if s.hasPods() {
		return true
	}
	live := false
	for _, set := range s.file.Sets {
		live = live || manifest.Field(set.Node, "status", "observedGeneration") != nil
		if n := manifest.Field(set.Node, "status", "replicas"); n != nil && n.Value != "0" {
			return false
		}
	}
	return live
}

// ofServer are kinds of objects that a dump has many of, and new files none.
var ofServer = []string{"Pod", "ControllerRevision", "Node", "PersistentVolume", "PersistentVolumeClaim", "Event"}

// wordOfServer matches the name of one of these kinds, wherever it stands.
var wordOfServer = lazy.Regexp(`\b(Pod|ControllerRevision|Node|PersistentVolume|PersistentVolumeClaim|Event)\b`)

// spare returns the kinds of objects that the new files do not speak of: the text of a dump about them is not read.
func spare(after *Stream) []string {
	kinds := slices.Clone(ofServer)
	for _, source := range after.sources() {
		for _, word := range wordOfServer().FindAll(source.Data, -1) {
			kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind == string(word) })
		}
	}
	return kinds
}

// thin returns the source of a dump with the objects of some kinds cut down to what says which object it is. Everything
// else keeps its line and column. With the place of each value, an object takes thirty times the room of its text, and
// a dump has many times as many pods as sets. A source that is not a List, as kubectl prints it, is returned as it is.
func thin(source dump.Source, kinds []string) dump.Source {
	items, read := strict.YAMLItems(source.Data), readYAML
	if list := strict.FirstList(source.Data); list != nil {
		items, read = list.Items, readJSON
	}
	var text bytes.Buffer
	seen := 0
	for _, item := range items {
		whole := source.Data[item.From:item.To]
		if plate := read(whole); plate != nil && slices.Contains(kinds, plate.Kind) {
			text.Write(source.Data[seen:item.From])
			text.Write(plate.instead(whole))
			seen = item.To
		}
	}
	text.Write(source.Data[seen:])
	return dump.Source{Name: source.Name, Data: text.Bytes()}
}

// nameplate is what names an object, and shows that a server has printed it.
type nameplate struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace,omitempty"`
	} `json:"metadata"`
	Status struct {
		Phase string `json:"phase,omitempty"`
	} `json:"status"`
}

// instead returns the nameplate with as many lines as the object, and as wide as its last one, if that is shorter.
func (n *nameplate) instead(whole []byte) []byte {
	short, err := json.Marshal(n)
	if err != nil {
		panic("pair: " + err.Error())
	}
	if whole[0] == '-' {
		short = append([]byte("- "), short...)
	}
	if len(short) >= len(whole) {
		return whole
	}
	lines := bytes.Count(whole, []byte("\n"))
	column := len(whole) - 1 - bytes.LastIndexByte(whole, '\n')
	if lines == 0 {
		column -= len(short)
	}
	return slices.Concat(short, bytes.Repeat([]byte("\n"), lines), bytes.Repeat([]byte(" "), column))
}

func readJSON(whole []byte) *nameplate {
	n := new(nameplate)
	if json.Unmarshal(whole, n) != nil || n.Metadata.Name == "" {
		return nil
	}
	return n
}

// plainField matches a field of an object with one word as its value, or with none. A word that YAML would read as a
// number or the like stands in quotes if kubectl prints it.
var plainField = lazy.Regexp(`^([A-Za-z]+):(?: "?([A-Za-z0-9][-./A-Za-z0-9]*)"?)?$`)

// readYAML returns the nameplate of an item of a List as kubectl prints it, nil if it has no name. An object's fields
// have two spaces before them, and the fields of its metadata and status four.
func readYAML(whole []byte) *nameplate {
	n := new(nameplate)
	fields := map[string]*string{
		"apiVersion": &n.APIVersion, "kind": &n.Kind, "metadata.name": &n.Metadata.Name,
		"metadata.namespace": &n.Metadata.Namespace, "status.phase": &n.Status.Phase,
	}
	part := ""
	for line := range strings.Lines(" " + string(whole[1:])) {
		text := strings.TrimLeft(line, " ")
		indent := len(line) - len(text)
		if indent != 2 && indent != 4 {
			continue
		}
		found := plainField().FindStringSubmatch(strings.TrimRight(text, "\r\n"))
		name := ""
		if found != nil {
			name = found[1]
		}
		if indent == 2 {
			part = name
		} else {
			name = part + "." + name
		}
		if field := fields[name]; field != nil {
			*field = found[2]
		}
	}
	if n.Metadata.Name == "" {
		return nil
	}
	return n
}

// thinned returns the stream without what a plan does not read of the objects of some kinds.
func (s *Stream) thinned(kinds []string) Stream {
	as := *s
	as.Files, as.Data = nil, nil
	for _, source := range s.sources() {
		as.Files = append(as.Files, thin(source, kinds))
	}
	return as
}

// forget drops the texts of objects that only the dump has any use for: they take most of the memory while it is read.
func forget(file, after *manifest.File) {
	for i := range file.Others {
		o := &file.Others[i]
		applied := slices.ContainsFunc(after.Others, func(other manifest.Other) bool { return other.Kind == o.Kind })
		if !applied && slices.Contains(ofServer, o.Kind) {
			o.Node = nil
		}
	}
}
