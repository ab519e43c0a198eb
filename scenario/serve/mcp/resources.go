package mcp

import (
	"context"
	"io/fs"
	"path"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	protocol "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/statefulsim/statefulsim/cmd/sim/course"
	"github.com/statefulsim/statefulsim/docs"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// addResources adds the pages of the documentation and the lessons of the course.
func addResources(on *protocol.Server) {
	pages, err := fs.Glob(docs.Files, "*.md")
	work.Must(err)
	for _, name := range pages {
		text, err := fs.ReadFile(docs.Files, name)
		work.Must(err)
		addPage(on, "sim://docs/"+name, headingOf(string(text)), "text/markdown", string(text))
	}
	lessons, err := fs.Glob(course.Files(), "*")
	work.Must(err)
	for _, name := range lessons {
		text, err := fs.ReadFile(course.Files(), name)
		if err != nil {
			// A folder of manifests.
			continue
		}
		kind := "text/markdown"
		if path.Ext(name) != ".md" {
			kind = "application/yaml"
		}
		addPage(on, "sim://lessons/"+name, headingOf(string(text)), kind, string(text))
	}
}

// headingOf is the first line of a page.
func headingOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimLeft(line, "# ")
}

// addPage adds a resource. A text that is too long for an answer is cut at its end, with a note that says so.
func addPage(on *protocol.Server, uri, title, kind, text string) {
	if most := mostBytes - overhead; len(text) > most {
		text = text[:most] + "\n(The page goes on: it is docs/" + path.Base(uri) + " in the repository of sim.)\n"
	}
	on.AddResource(&protocol.Resource{URI: uri, Name: path.Base(uri), Title: title, MIMEType: kind},
		func(context.Context, *protocol.ReadResourceRequest) (*protocol.ReadResourceResult, error) {
			return &protocol.ReadResourceResult{Contents: []*protocol.ResourceContents{{URI: uri, MIMEType: kind, Text: text}}}, nil
		})
}

// fieldsOf are the fields that a section of docs/json.md describes, in its first table.
func fieldsOf(section string) map[string]*jsonschema.Schema {
	text, err := fs.ReadFile(docs.Files, "json.md")
	work.Must(err)
	_, page, found := strings.Cut(string(text), "\n## "+section+"\n")
	if section == "" || !found {
		return nil
	}
	page, _, _ = strings.Cut(page, "\n## ")
	fields := map[string]*jsonschema.Schema{}
	inTable := false
	for line := range strings.Lines(page) {
		cells := strings.SplitN(strings.Trim(line, "| \n"), "|", 2)
		if len(cells) < 2 || !strings.HasPrefix(line, "|") {
			if inTable {
				break
			}
			continue
		}
		inTable = true
		for i, name := range strings.Split(cells[0], "`") {
			if i%2 == 1 && !strings.ContainsAny(name, ". ") {
				fields[strings.TrimSuffix(name, "[]")] = &jsonschema.Schema{Description: strings.TrimSpace(cells[1])}
			}
		}
	}
	return fields
}
