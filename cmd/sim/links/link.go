// Package links makes links that open the playground with the subject of a page.
package links

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Playground is where links lead: Address is its address as seen from the pages that are written, "" if it is not
// known, and Sim the release of sim.
type Playground struct{ Address, Sim string }

// Opening is what the playground starts with when a page links to it: what to do, under which versions of
// Kubernetes, and its files by their names there.
type Opening struct {
	Mode       string
	Kubernetes []string
	Files      map[string]string
}

// The playground takes files with such names, and browsers links of about this length.
var playable = regexp.MustCompile(`^[\w./-]+$`)

const longestLink = 64 << 10

// Link is the link that opens it, or "" if the address of the playground is not known, or a link cannot hold it.
// The playground's link.js reads this format.
func (p Playground) Link(o Opening) string {
	if p.Address == "" || len(o.Files) == 0 {
		return ""
	}
	// A map of texts is always JSON, and a buffer accepts everything.
	text, _ := json.Marshal(o.Files)
	var packed bytes.Buffer
	pack, _ := flate.NewWriter(&packed, flate.BestCompression)
	_, _ = pack.Write(text)
	_ = pack.Close()
	link := url.Values{"v": {p.Sim}, "m": {o.Mode}, "s": {base64.RawURLEncoding.EncodeToString(packed.Bytes())}}
	if versions := strings.Join(o.Kubernetes, ","); versions != "" {
		link.Set("k", versions)
	}
	if encoded := link.Encode(); len(encoded) <= longestLink {
		return p.Address + "#" + encoded
	}
	return ""
}

// Taken is a file of the command line, and its name in the playground.
type Taken struct{ Path, As string }

// Files is Link for files. The playground knows no flag but the versions: given is the command that was given, and
// plain the one without any other flag.
func (p Playground) Files(o Opening, given, plain string, files ...Taken) string {
	if p.Address == "" || given != plain {
		return ""
	}
	o.Files = map[string]string{}
	for _, file := range files {
		text, err := readSmall(os.DirFS(filepath.Dir(file.Path)), filepath.Base(file.Path))
		if err != nil {
			return ""
		}
		o.Files[file.As] = text
	}
	return p.Link(o)
}

// Scenario is Link for the text of a scenario, whose manifests are in a folder.
func (p Playground) Scenario(text string, dir fs.FS, versions []string) string {
	if p.Address == "" || text == "" {
		return ""
	}
	seen := &opened{dir: dir, files: map[string]string{}}
	_, err := scenario.Parse("scenario.yaml", []byte(text), seen, scenario.Options{})
	if err = errors.Join(err, seen.err); err != nil {
		return ""
	}
	seen.files["scenario.yaml"] = text
	return p.Link(Opening{Mode: "scenario", Kubernetes: versions, Files: seen.files})
}

// opened is a folder that keeps the texts of files that are opened; err is set if the playground cannot have one.
type opened struct {
	dir   fs.FS
	files map[string]string
	err   error
}

// Open opens a file or a folder.
func (o *opened) Open(name string) (fs.File, error) {
	if info, err := fs.Stat(o.dir, name); err == nil && info.Mode().IsRegular() {
		text, err := readSmall(o.dir, name)
		if !fs.ValidPath(name) || name == "scenario.yaml" || !playable.MatchString(name) {
			err = fs.ErrInvalid
		}
		o.files[name], o.err = text, errors.Join(o.err, err)
	}
	return o.dir.Open(name)
}

// Stat looks at a file without opening it.
func (o *opened) Stat(name string) (fs.FileInfo, error) { return fs.Stat(o.dir, name) }

// readSmall reads a regular file that may fit into a link.
func readSmall(dir fs.FS, name string) (string, error) {
	info, err := fs.Stat(dir, name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > longestLink<<6 {
		return "", strict.TooLarge(name, longestLink<<6)
	}
	data, err := fs.ReadFile(dir, name)
	return string(data), err
}
