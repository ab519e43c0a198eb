// Command playground builds the site that runs sim in a browser: a folder of files that any web server can serve, and
// that asks nothing of any other. Run it in the module's folder, or by `.ci/tasks/playground`.
//
// It reads the folder web, the library of scenarios, what was built from npm packages, and the sources of sim, which it
// compiles twice: for this machine, to print the first page, and as WebAssembly. It needs the go command, and xz. The
// same sources give the same files, byte for byte, so that a browser that has the site asks for it again only if
// something has changed.
package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/report/html"
)

//go:embed web
var web embed.FS

func main() {
	dir := flag.String("o", "bin/playground", "the folder that the site is written into")
	var from sources
	flag.StringVar(&from.module, "wasm", "", "a sim.wasm that is built already")
	flag.StringVar(&from.borrowed, "borrowed", "bin/borrowed", "the folder of what is built from npm, and of the licences")
	flag.Parse()
	if err := build(*dir, from); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}

// sources are the places of what the site needs and others build.
type sources struct {
	// module is the path of a sim.wasm; "" compiles one.
	module string
	// borrowed is the folder of the files of that name.
	borrowed string
}

// borrowed are the files of the site that are built from packages of others, and their licences. Make builds them, and
// the repository has none of them.
var borrowed = []string{"codemirror.js", "xz.js", "licences-npm.txt", "licences-go.txt"}

// site are the files of the site by name, all in one folder. Each add method puts in its own; addWorker must come
// last, because it lists all others.
type site map[string][]byte

// build writes the site into dir, which it creates. Files of an older site that this one does not have stay.
func build(dir string, from sources) error {
	files := site{"schema.json": scenario.Schema()}
	if err := files.addBorrowed(from.borrowed); err != nil {
		return err
	}
	for _, add := range []func() error{files.addWeb, files.addFirst, files.addGallery, files.addSupport} {
		if err := add(); err != nil {
			return err
		}
	}
	if err := files.addModule(from.module); err != nil {
		return err
	}
	files.addWorker()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range files.names() {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o644); err != nil {
			return err
		}
		fmt.Printf("%9d  %s\n", len(files[name]), name)
	}
	return nil
}

// names returns the names of the files, sorted.
func (s site) names() []string {
	var names []string
	for name := range s {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// addWeb adds the files that are written by hand. The page's policy allows the script of the pages that sim prints,
// since it has those in a frame, and a frame is bound by the policy of its page.
func (s site) addWeb() error {
	entries, err := web.ReadDir("web")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if s[entry.Name()], err = web.ReadFile("web/" + entry.Name()); err != nil {
			return err
		}
	}
	s["index.html"] = bytes.Replace(s["index.html"], []byte("'@report'"), []byte(html.ScriptSource()), 1)
	return nil
}

// addBorrowed adds the files that are built from packages of others.
func (s site) addBorrowed(dir string) (err error) {
	for _, name := range borrowed {
		s[name], err = os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: `.ci/tasks/playground-borrowed` builds it, with npm", err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addFirst adds the scenario that the editor begins with, and its page, which is seen before sim has been loaded. It
// must come after addWeb, whose script it completes.
func (s site) addFirst() error {
	first, err := json.Marshal(string(s["first.yaml"]))
	if err != nil {
		return err
	}
	delete(s, "first.yaml")
	s["playground.js"] = bytes.Replace(s["playground.js"], []byte(`"@first"`), first, 1)
	s["first.html"], err = firstPage()
	return err
}

// firstPage is the page of the first scenario, printed by the command itself, so that it is the page that the module
// prints later. It is made once for all sites of a test.
var firstPage = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	first, err := web.ReadFile("web/first.yaml")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "scenario.yaml"), first, 0o600); err != nil {
		return nil, err
	}
	command := filepath.Join(dir, "sim")
	compile := exec.Command("go", "build", "-o", command, "github.com/statefulsim/statefulsim/cmd/sim")
	compile.Stderr = os.Stderr
	if err := compile.Run(); err != nil {
		return nil, fmt.Errorf("go build: %w", err)
	}
	play := exec.Command(command, "run", "-o", "html", "scenario.yaml")
	play.Dir, play.Stderr = dir, os.Stderr
	out, err := play.Output()
	if err != nil {
		return nil, fmt.Errorf("the page of first.yaml: %w", err)
	}
	return out, nil
})

// addSupport adds the script that Go needs in a browser. It must be of the Go that compiles the module: the two change
// together.
func (s site) addSupport() error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	s["wasm_exec.js"], err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	return err
}

// addModule adds the command as WebAssembly, compressed, since not every server compresses. Debug information is left
// out.
func (s site) addModule(file string) error {
	if file == "" {
		dir, err := os.MkdirTemp("", "playground")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		file = filepath.Join(dir, "sim.wasm")
		compile := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./cmd/sim")
		compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
		compile.Stderr = os.Stderr
		if err := compile.Run(); err != nil {
			return fmt.Errorf("go build: %w", err)
		}
	}
	var err error
	s["sim.wasm.xz"], err = packed(file)
	return err
}

// packed returns the module as the site has it. Compressed by xz it is two thirds of its size under gzip, since much
// in it is repeated at a distance. The worker that unpacks it takes a dictionary of at most 64 MiB. WebAssembly's bytes
// are not aligned (pb=0), and each depends on the byte before (lc=4): that saves 0.4 %. One thread makes the result the
// same on each machine.
func packed(file string) ([]byte, error) {
	pack := exec.Command("xz", "--compress", "--stdout", "--threads=1", "--check=crc32",
		"--lzma2=preset=9e,dict=32MiB,lc=4,pb=0", file)
	pack.Stderr = os.Stderr
	out, err := pack.Output()
	if err != nil {
		return nil, fmt.Errorf("xz, which packs the module (install xz-utils where it is missing): %w", err)
	}
	return out, nil
}

// theme is a folder of the library with its scenarios, in the order of their names.
type theme struct {
	Theme     string    `json:"theme"`
	Scenarios []example `json:"scenarios"`
}

// example is a scenario of the library as the page lists it.
type example struct {
	// Description is its first sentence, Image a picture of its run as SVG.
	Name        string `json:"name"`
	Description string `json:"description"`
	Image       string `json:"image"`
	// Files are the scenario and the manifests that it names, by their paths beside it.
	Files map[string]string `json:"files"`
}

// addGallery adds the library as one JSON document.
func (s site) addGallery() (err error) {
	s["gallery.json"], err = gallery()
	return err
}

// gallery is the library. Each scenario is played once, for its picture.
var gallery = sync.OnceValues(func() ([]byte, error) {
	var themes []theme
	folders, err := fs.ReadDir(scenarios.FS, ".")
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		t := theme{Theme: folder.Name()}
		names, err := fs.Glob(scenarios.FS, folder.Name()+"/*.yaml")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			it, err := read(name)
			if err != nil {
				return nil, err
			}
			t.Scenarios = append(t.Scenarios, *it)
		}
		if len(t.Scenarios) > 0 {
			themes = append(themes, t)
		}
	}
	slices.SortStableFunc(themes, func(a, b theme) int { return rank(a.Theme) - rank(b.Theme) })
	return json.Marshal(themes)
})

// foremost are the folders of the library that a visitor should see first; the others follow by their names.
var foremost = []string{"learn", "rolling-update", "scale", "partition", "stuck"}

// rank returns the place of a folder in the gallery.
func rank(theme string) int {
	if at := slices.Index(foremost, theme); at >= 0 {
		return at
	}
	return len(foremost)
}

// read reads and plays a scenario of the library. Of the files beside it those belong to it whose folder it names.
func read(name string) (*example, error) {
	text, err := scenarios.FS.ReadFile(name)
	if err != nil {
		return nil, err
	}
	dir, err := fs.Sub(scenarios.FS, path.Dir(name))
	if err != nil {
		return nil, err
	}
	parsed, err := scenario.Parse(name, text, dir, scenario.Options{})
	if err != nil {
		return nil, err
	}
	it := &example{Name: strings.TrimSuffix(path.Base(name), ".yaml")}
	it.Image = html.Thumbnail(&report.Run{Name: it.Name, Events: parsed.Run(scenario.RunOptions{}).Timeline})
	it.Files = map[string]string{"scenario.yaml": string(text)}
	it.Description, _, _ = strings.Cut(strings.Join(strings.Fields(parsed.Description), " "), ". ")
	return it, fs.WalkDir(dir, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(file, "/") || !strings.Contains(string(text), path.Dir(file)) {
			return err
		}
		data, err := fs.ReadFile(dir, file)
		it.Files[file] = string(data)
		return err
	})
}

// addWorker completes the service worker with the names of all files and a digest of them, by which a browser notices
// that something has changed.
func (s site) addWorker() {
	sum := sha256.New()
	for _, name := range s.names() {
		fmt.Fprintf(sum, "%s %d\n", name, len(s[name]))
		sum.Write(s[name])
	}
	names, _ := json.Marshal(s.names())
	digest := `"` + hex.EncodeToString(sum.Sum(nil))[:16] + `"`
	s["sw.js"] = []byte(strings.NewReplacer(`"@digest"`, digest, `"@files"`, string(names)).Replace(string(s["sw.js"])))
}
