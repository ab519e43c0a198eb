package pair

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

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

// thinned returns the stream without what a plan does not read of the objects of some kinds.
func (s *Stream) thinned(kinds []string) Stream {
	as := *s
	as.Files, as.Data = nil, nil
	for _, source := range s.sources() {
		as.Files = append(as.Files, thin(source, kinds))
	}
	return as
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
