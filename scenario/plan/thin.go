package plan

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/lazy"
)

// ofServer are kinds of objects that a dump has many of, and new files none.
var ofServer = []string{"Pod", "ControllerRevision", "Node", "PersistentVolume", "PersistentVolumeClaim", "Event"}

// wordOfServer matches the name of one of these kinds, wherever it stands.
var wordOfServer = lazy.Regexp(`\b(Pod|ControllerRevision|Node|PersistentVolume|PersistentVolumeClaim|Event)\b`)

// spare returns the kinds of objects of which a plan reads nothing from the text of a dump, since the new files do not
// speak of them.
func spare(after *Stream) []string {
	kinds := slices.Clone(ofServer)
	for _, source := range after.sources() {
		for _, word := range wordOfServer().FindAll(source.Data, -1) {
			kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind == string(word) })
		}
	}
	return kinds
}

// thin returns the source of a dump in JSON with the objects of some kinds cut down to what says which object it is.
// Everything else keeps its line and column. Parsed as YAML, with the place of each value, an object takes thirty times
// the room of its text, and a dump has many times as many pods as sets. Any other source is returned as it is.
func thin(source dump.Source, kinds []string) dump.Source {
	list := strict.FirstList(source.Data)
	if list == nil {
		return source
	}
	var text bytes.Buffer
	seen := 0
	for _, item := range list.Items {
		whole := source.Data[item.From:item.To]
		if short := nameplate(whole, kinds); short != nil {
			text.Write(source.Data[seen:item.From])
			text.Write(short)
			seen = item.To
		}
	}
	text.Write(source.Data[seen:])
	return dump.Source{Name: source.Name, Data: text.Bytes()}
}

// nameplate returns an object of one of the kinds without all that neither names it nor shows that a server has printed
// it, in as many lines as it has; nil for any other object, and for one that gets no shorter.
func nameplate(whole []byte, kinds []string) []byte {
	var o struct {
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
	if json.Unmarshal(whole, &o) != nil || !slices.Contains(kinds, o.Kind) || o.Metadata.Name == "" {
		return nil
	}
	short, err := json.Marshal(o)
	if err != nil || len(short) >= len(whole) {
		return nil
	}
	lines := bytes.Count(whole, []byte("\n"))
	column := len(whole) - 1 - bytes.LastIndexByte(whole, '\n')
	if lines == 0 {
		column -= len(short)
	}
	return slices.Concat(short, bytes.Repeat([]byte("\n"), lines), bytes.Repeat([]byte(" "), column))
}
