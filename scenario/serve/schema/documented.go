package schema

import (
	"bytes"
	"compress/bzip2"
	_ "embed"
	"encoding/json"
	"sync"
)

// The texts of the Go types of Kubernetes, which kubectl explain prints: JSON by the name of the type and the field.
// They are data, since in Go they would be put into maps whenever any command begins. TestTexts writes them.
var (
	//go:embed texts-core.json.bz2
	coreTexts []byte
	//go:embed texts-others.json.bz2
	otherTexts []byte
)

// texts returns the texts, read once.
var texts = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, packed := range [][]byte{coreTexts, otherTexts} {
		if err := json.NewDecoder(bzip2.NewReader(bytes.NewReader(packed))).Decode(&all); err != nil {
			panic("schema: the texts cannot be read: " + err.Error())
		}
	}
	return all
})
