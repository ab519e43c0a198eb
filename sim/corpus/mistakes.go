package corpus

import (
	"bytes"
	_ "embed"
	"encoding/json"
)

//go:embed mistakes.jsonl
var mistakes []byte

// Mistakes are what people get wrong in the spec of a pod template, one a line of mistakes.jsonl.
var Mistakes = parse(mistakes)

func parse(lines []byte) (list []Mistake) {
	for line := range bytes.Lines(lines) {
		var of map[string]json.RawMessage
		must(0, json.Unmarshal(line, &of))
		list = append(list, Mistake{string(of["container"]), string(of["volumes"]), string(of["spec"])})
	}
	return list
}

// Mistake is one mistake: a JSON merge patch of a container that is right, of the volumes, or of the rest of the spec.
type Mistake struct{ Container, Volumes, Spec string }

// PodSpec returns the spec of a pod template with the mistakes in it, those in the spec as a whole last.
func PodSpec(mistakes ...Mistake) json.RawMessage {
	container := map[string]any{"name": "app", "image": "app:v1"}
	volumes := []any{map[string]any{"name": "v", "emptyDir": map[string]any{}}}
	spec := map[string]any{}
	for _, m := range mistakes {
		if m.Container != "" {
			must(0, json.Unmarshal([]byte(m.Container), &container))
		}
		if m.Volumes != "" {
			var more []any
			must(0, json.Unmarshal([]byte(m.Volumes), &more))
			volumes = append(volumes, more...)
		}
	}
	spec["containers"], spec["volumes"] = []any{container}, volumes
	for _, m := range mistakes {
		if m.Spec != "" {
			must(0, json.Unmarshal([]byte(m.Spec), &spec))
		}
	}
	return must(json.Marshal(spec))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
