package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

//go:embed switch.go.txt
var switches string

// first is the number of the first switch. The bytes before it are a header of the page: the first four hold the
// number of the switch that is on, 0 for none. Byte i of the page is 1 once the site with the number i was reached; a
// shifted bound counts as reached only where it makes a difference.
const first = 8

// edit replaces the bytes from at to at+cut by text. Of edits at one place the lower order comes first.
type edit struct {
	at, cut, order int
	text           string
}

// plant writes copies of the files with all sites switched into dir, numbers the sites, and returns the path of the
// overlay that lays them, and the package of the switches, over the tree. The page is a file that the test binaries
// map into memory: so a binary is told which mutant is on, and tells which it has reached, without a rebuild.
func plant(root, module, dir string, sites []*site) (string, error) {
	byFile := map[string][]*site{}
	for i, s := range sites {
		s.id = first + i
		byFile[s.file] = append(byFile[s.file], s)
	}
	replace := map[string]string{}
	for file, of := range byFile {
		source, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		replace[file] = filepath.Join(dir, fmt.Sprintf("%d_%s", len(replace), filepath.Base(file)))
		if err := os.WriteFile(replace[file], []byte(rewritten(string(source), module, of)), 0o644); err != nil {
			return "", err
		}
	}
	page := filepath.Join(dir, "page")
	size := first + len(sites)
	if err := os.WriteFile(page, make([]byte, size), 0o644); err != nil {
		return "", err
	}
	var code strings.Builder
	err := template.Must(template.New("").Parse(switches)).Execute(&code, map[string]any{"Page": page, "Size": size})
	if err != nil {
		return "", err
	}
	laid := filepath.Join(dir, "switch.go")
	replace[filepath.Join(root, "mutate", "switch.go")] = laid
	if err := os.WriteFile(laid, []byte(code.String()), 0o644); err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, text, 0o644)
}

// rewritten returns the source with the switches of all sites. Sites may be nested in each other. Lines keep their
// numbers, so that messages and recorded positions fit the file of the tree.
func rewritten(source, module string, sites []*site) string {
	var edits []edit
	for _, s := range sites {
		// At one place what ends comes before what begins; of what ends the shortest, of what begins the longest first,
		// and of two changes of one expression the negation is the outer one.
		long := 2 * (s.end - s.start)
		if s.kind == negated {
			long++
		}
		edits = append(edits,
			edit{at: s.start, order: 1<<40 - long, text: fmt.Sprintf(s.before, s.id)},
			edit{at: s.end, order: long, text: s.after})
		if s.opLen > 0 {
			edits = append(edits, edit{at: s.op, cut: s.opLen, order: 1 << 50, text: ","})
		}
	}
	name := strings.Index(source, "\npackage ") + 1
	end := name + strings.IndexByte(source[name:], '\n')
	edits = append(edits, edit{at: end, text: fmt.Sprintf("; import %q", module+"/mutate")})
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.order - b.order
	})
	var out strings.Builder
	done := 0
	for _, e := range edits {
		out.WriteString(source[done:e.at])
		out.WriteString(e.text)
		done = e.at + e.cut
	}
	out.WriteString(source[done:])
	return out.String()
}
