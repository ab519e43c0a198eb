package diff

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// encoded returns a value as JSON.
func encoded(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("diff: a decoded value cannot be encoded: %v", err))
	}
	return string(text)
}

// At returns what stands at a path of names, nil if any of them is missing.
func At(value any, path []string) any {
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

// naming are the fields by which the items of a list may be told apart, the best first; metadata.name is that of claim
// templates. A mount has a path of its own even where a volume is mounted twice, and a port its number where only some
// ports have names.
var naming = [][]string{
	{"name"}, {"metadata", "name"}, {"mountPath"}, {"devicePath"}, {"containerPort"}, {"topologyKey"}, {"ip"},
}

// namesOf returns the names of the items and their places; nil if an item has none, or two have the same.
func namesOf(list []any, field []string) (names []string, places map[string]int) {
	places = map[string]int{}
	for i, item := range list {
		name := ""
		switch value := At(item, field).(type) {
		case string:
			name = value
		case float64:
			name = strconv.FormatFloat(value, 'f', -1, 64)
		}
		if _, twice := places[name]; twice || name == "" {
			return nil, nil
		}
		names, places[name] = append(names, name), i
	}
	return names, places
}
