// Package oncall holds what kubectl get prints in situations that an on-call engineer is asked about: dumps of our own,
// each written for one cause or for what only looks like it. The first lines of a dump are comments: `# says:` and
// `# never:` are texts that its explanation has, or must not have. Only tests import it.
package oncall

import (
	"embed"
	"io/fs"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed *.txtar
var archives embed.FS

// Dump is one situation.
type Dump struct {
	// Name says what is wrong, in words with dashes between them.
	Name string
	Data []byte
}

// Dumps returns all situations, those of one kind of cause together, in an order that is always the same.
func Dumps() []Dump {
	names, err := fs.Glob(archives, "*.txtar")
	if err != nil {
		panic(err)
	}
	var dumps []Dump
	for _, name := range names {
		data, err := archives.ReadFile(name)
		if err != nil {
			panic(err)
		}
		for _, file := range txtar.Parse(data).Files {
			dumps = append(dumps, Dump{Name: strings.TrimSuffix(file.Name, ".yaml"), Data: file.Data})
		}
	}
	return dumps
}

// Of returns the dump of a situation, whose Data is the caller's. It panics if there is none of that name.
func Of(name string) []byte {
	for _, dump := range Dumps() {
		if dump.Name == name {
			return dump.Data
		}
	}
	panic("there is no situation " + name)
}
