package main

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
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// opening is what the playground begins with where a page leads to it: what to do, under which versions of Kubernetes,
// and its files by their names there.
type opening struct {
	mode       string
	kubernetes []string
	files      map[string]string
}

// The playground takes files with such names, and browsers links of about this length.
var playable = regexp.MustCompile(`^[\w./-]+$`)

const longestLink = 64 << 10

// inPlayground is the link that opens it, or "" if nobody has said where the playground is, or a link cannot hold it.
// The link is written as the playground's link.js reads it.
func (s *streams) inPlayground(o opening) string {
	if s.playground == "" || len(o.files) == 0 {
		return ""
	}
	text, err := json.Marshal(o.files)
	work.Must(err)
	var packed bytes.Buffer
	// A buffer takes whatever is written to it.
	pack, _ := flate.NewWriter(&packed, flate.BestCompression)
	_, _ = pack.Write(text)
	_ = pack.Close()
	link := url.Values{"v": {Version}, "m": {o.mode}, "s": {base64.RawURLEncoding.EncodeToString(packed.Bytes())}}
	if versions := strings.Join(o.kubernetes, ","); versions != "" {
		link.Set("k", versions)
	}
	if encoded := link.Encode(); len(encoded) <= longestLink {
		return s.playground + "#" + encoded
	}
	return ""
}

// taken is a file of the command line, and its name in the playground.
type taken struct{ path, as string }

// filesInPlayground is inPlayground for a command of files. The playground knows no flag but the versions: given is the
// command that was given, and plain the one without any other flag.
func (s *streams) filesInPlayground(o opening, given, plain string, files ...taken) string {
	if s.playground == "" || given != plain {
		return ""
	}
	o.files = map[string]string{}
	for _, file := range files {
		text, err := readSmall(os.DirFS(filepath.Dir(file.path)), filepath.Base(file.path))
		if err != nil {
			return ""
		}
		o.files[file.as] = text
	}
	return s.inPlayground(o)
}

// opens is the link that opens the plan in the playground, or "".
func (o *planOptions) opens() string {
	if o.cluster.live {
		return ""
	}
	words := []string{"sim", "plan", "-o", "html"}
	if len(o.versions) > 0 {
		words = append(words, "--kubernetes", strings.Join(o.versions, ","))
	}
	plain := command.Line(append(words, o.old, o.new)...)
	return o.filesInPlayground(opening{mode: "plan", kubernetes: o.versions}, o.command(), plain,
		taken{o.old, "old.yaml"}, taken{o.new, "new.yaml"})
}

// opens is the link that opens the upgrade in the playground, or "".
func (o *upgradeOptions) opens() string {
	if o.cluster.live {
		return ""
	}
	plain := command.Line("sim", "upgrade", "--from", o.from, "--to", o.to, "-o", "html", o.files[0])
	return o.filesInPlayground(opening{mode: "upgrade", kubernetes: []string{o.from, o.to}}, o.pageCommand(), plain,
		taken{o.files[0], "manifests.yaml"})
}

// opens is the link that opens the dump in the playground, or "". A live cluster is not opened there.
func (o *explainOptions) opens() string {
	if o.cluster.live {
		return ""
	}
	world := worldOptions{kubernetes: o.world.kubernetes, limits: strict.DefaultLimits()}
	words := append([]string{"sim", "explain", "-o", "html"}, world.asked()...)
	of := opening{mode: "explain", kubernetes: strings.Fields(world.kubernetes)}
	return o.filesInPlayground(of, o.pageCommand(), command.Line(append(words, o.files[0])...),
		taken{o.files[0], "dump.yaml"})
}

// runInPlayground is inPlayground for a scenario, with the manifests that it names. A scenario that was played under
// other options than a version, or that reads files elsewhere, cannot be played there.
func (s *streams) runInPlayground(in source, o *worldOptions) string {
	plain := worldOptions{kubernetes: o.kubernetes, several: o.several, limits: strict.DefaultLimits()}
	if s.playground == "" || strings.Join(o.asked(), " ") != strings.Join(plain.asked(), " ") || len(o.with) > 0 {
		return ""
	}
	data, err := in.Read(o.limits.FileSize)
	if err != nil {
		return ""
	}
	versions := o.several
	if o.kubernetes != "" {
		versions = []string{o.kubernetes}
	}
	root := scenario.Folder(in.Folder(), o.rootOf(in.Path))
	return s.scenarioInPlayground(string(data), root, versions)
}

// scenarioInPlayground is inPlayground for the text of a scenario, whose manifests are in a folder.
func (s *streams) scenarioInPlayground(text string, dir fs.FS, versions []string) string {
	if s.playground == "" || text == "" {
		return ""
	}
	seen := &opened{dir: dir, files: map[string]string{}}
	_, err := scenario.Parse("scenario.yaml", []byte(text), seen, scenario.Options{})
	if err = errors.Join(err, seen.err); err != nil {
		return ""
	}
	seen.files["scenario.yaml"] = text
	return s.inPlayground(opening{mode: "scenario", kubernetes: versions, files: seen.files})
}

// opened is a folder that keeps the texts of the files in it that are opened; err says that one is none that the
// playground can have.
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
