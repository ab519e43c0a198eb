package forms

import (
	"bytes"
	"encoding/json"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// watchEvent matches the start of the output of kubectl get -o json -w --output-watch-events.
var watchEvent = lazy.Regexp(`^\s*\{\s*"type":\s*"(ADDED|MODIFIED|DELETED|BOOKMARK|ERROR)",\s*"object":`)

// seen is an object of a watch: which one it is, and where its text is.
type seen struct {
	name     [4]string
	from, to int
}

// fromWatch returns the objects of the events of a watch in their places, each in its last state. An object that was
// deleted at last is left out. A text that is cut off or is none of these stays as it is.
func fromWatch(file File) []byte {
	if !watchEvent().Match(file.Data[:min(len(file.Data), 200)]) {
		return file.Data
	}
	last, order, ok := lastStates(file.Data)
	if !ok {
		return file.Data
	}
	made := blank(file.Data)
	for _, s := range order {
		if last[s.name] == s {
			copy(made[s.from:s.to], file.Data[s.from:s.to])
		}
	}
	return made
}

// lastStates returns the last state of each object that exists at the end, and all states in their order.
func lastStates(data []byte) (last map[[4]string]seen, order []seen, ok bool) {
	last = map[[4]string]seen{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	for decoder.More() {
		var event struct {
			Type   string          `json:"type"`
			Object json.RawMessage `json:"object"`
		}
		if decoder.Decode(&event) != nil {
			return nil, nil, false
		}
		var object struct {
			Version  string `json:"apiVersion"`
			Kind     string `json:"kind"`
			Metadata struct{ Namespace, Name string }
		}
		if event.Type == "BOOKMARK" || event.Type == "ERROR" || json.Unmarshal(event.Object, &object) != nil {
			continue
		}
		end := int(decoder.InputOffset())
		from := bytes.LastIndex(data[:end], event.Object)
		s := seen{[4]string{object.Version, object.Kind, object.Metadata.Namespace, object.Metadata.Name}, from,
			from + len(event.Object)}
		if last[s.name] = s; event.Type == "DELETED" {
			delete(last, s.name)
		}
		order = append(order, s)
	}
	return last, order, true
}

// blank returns a text with everything removed except its line ends.
func blank(data []byte) []byte {
	made := bytes.Repeat([]byte(" "), len(data))
	for i, b := range data {
		if b == '\n' {
			made[i] = '\n'
		}
	}
	return made
}
