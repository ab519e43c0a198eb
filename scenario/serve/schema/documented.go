package schema

import (
	_ "embed"
	"maps"
	"sync"

	"gopkg.in/yaml.v3"
)

//go:embed texts.yaml
var written []byte

// texts returns what kubectl explain prints, by the name of the type and the field, read once. Kubernetes' own Go
// texts are not linked, because they would fill maps at the start of every command.
var texts = sync.OnceValue(func() map[string]string {
	var types map[string]map[string]string
	if err := yaml.Unmarshal(written, &types); err != nil {
		panic("schema: texts.yaml cannot be read: " + err.Error())
	}
	all := map[string]string{}
	for of, fields := range maps.All(types) { // In any order.
		for name, text := range maps.All(fields) { // In any order.
			all[of+"."+name] = text
		}
	}
	return all
})
