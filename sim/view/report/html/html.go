// Package html writes a run as a page to look at: one file that contains everything and needs no network. It also
// draws a run as a picture (SVG), and writes sheets: pages with a table and the runs of its rows.
//
// The parts of the page that need no script are views; the script draws a pageData, which the page carries as JSON.
// Every text of a user passes through render.Visible or visible when one of these is made, and through markup.put
// when it is written. The same input gives the same bytes.
//
// The command line calls it. It keeps nothing between calls but the style and the script, changes none of the runs that
// it is given, and needs as much memory as the data of all runs of a page: the page is written when all of them are
// gathered.
package html

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

//go:embed assets
var assets embed.FS

// They are made when the first page is written: most commands write none.
var (
	style  = sync.OnceValue(func() safe { return asset("assets/page.css") })
	script = sync.OnceValue(func() safe { return "\"use strict\";\n" + asset(scripts...) })
)

// scripts are the parts of the page's script, in the order in which they are joined.
var scripts = []string{
	"assets/shapes.js", "assets/clock.js", "assets/reader.js", "assets/standing.js", "assets/sheet.js", "assets/axis.js",
	"assets/lanes.js", "assets/crowd.js", "assets/paths.js", "assets/waits.js", "assets/chart.js", "assets/figure.js",
	"assets/minimap.js", "assets/legend.js", "assets/search.js", "assets/pointer.js", "assets/address.js",
	"assets/panel.js", "assets/table.js", "assets/story.js", "assets/tools.js", "assets/player.js",
	"assets/lesson.js", "assets/build.js", "assets/start.js",
}

// asset joins files of the page, without what only their authors read: indents, empty lines, and comments that have
// lines of their own. No text in them may have several lines. It panics if a file is not there.
func asset(names ...string) safe {
	var b strings.Builder
	for _, name := range names {
		text, err := assets.ReadFile(name)
		if err != nil {
			panic(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				b.WriteString(line + "\n")
			}
		}
	}
	return safe(b.String())
}

// Write writes one page of runs, one below the other on one axis of time. There must be at least one. The page
// shows the command of the first run, and only the first run needs one.
func Write(w io.Writer, runs ...*report.Run) error {
	if len(runs) == 0 {
		return errors.New("a page needs a run")
	}
	v := viewOfRuns(runs)
	if len(runs) > 1 {
		v.Title = fmt.Sprintf("%d runs on one axis", len(runs))
		if !of(runs[0].File, runs) {
			v.Description = ""
		} else if file := path.Base(runs[0].File); file != "." {
			v.Title += ": " + render.Visible(strings.TrimSuffix(file, path.Ext(file)))
		}
	}
	data := gather(runs)
	v.Stills = stills(runs, &data)
	return v.write(w, data)
}

// Introduce writes the page of runs for a newcomer: it has its own title and starts at the beginning, so that the
// difference is not revealed before it is seen.
func Introduce(w io.Writer, title string, runs ...*report.Run) error {
	v, data := viewOfRuns(runs), gather(runs)
	v.Title, data.Start = render.Visible(title), true
	v.Stills = stills(runs, &data)
	return v.write(w, data)
}

// Compare writes the page of a comparison: the results of its runs and where they diverge, and then the runs on one
// axis. The comparison is not changed. It must have a version.
func Compare(w io.Writer, c *report.Comparison) error {
	if len(c.Versions) == 0 {
		return errors.New("a page needs a run")
	}
	c = shortened(c)
	runs := make([]*report.Run, 0, len(c.Versions))
	for i := range c.Versions {
		run := *c.Versions[i].Run
		run.Name = c.Versions[i].Version
		runs = append(runs, &run)
	}
	v := viewOfRuns(runs)
	v.Title = fmt.Sprintf("%s: %s compared", render.Visible(c.Name), render.Count(len(runs), "run"))
	v.Description = visible(strings.TrimSpace(c.Description))
	data := gather(runs)
	v.Comparison = viewOfComparison(c, data)
	v.Stills = stills(runs, &data)
	return v.write(w, data)
}

// viewOfRuns returns the view of a page whose title, description and command come from the first run; there must be
// one. Data and Stills are left to the caller.
func viewOfRuns(runs []*report.Run) *view {
	v := &view{
		Title: render.Visible(runs[0].Name), Description: visible(strings.TrimSpace(runs[0].Description)),
		Command: render.Visible(runs[0].Command),
	}
	for i, run := range runs {
		v.Runs = append(v.Runs, viewOf(i, run, len(runs) > 1))
	}
	v.Playground = v.Runs[0].Playground
	for i := range v.Runs {
		if v.Runs[i].Playground != v.Playground {
			v.Playground = ""
		}
	}
	return v
}

// write writes the page with the data that its script is given. Nothing is written if the data cannot be marshalled.
func (v *view) write(w io.Writer, data pageData) error {
	marshalled, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("the data of the page: %w", err)
	}
	v.Data = safe(marshalled)
	out := bufio.NewWriterSize(w, 1<<16)
	v.page(markup{out})
	return out.Flush()
}

// of reports whether all runs are of the same file.
func of(file string, runs []*report.Run) bool {
	return !slices.ContainsFunc(runs, func(run *report.Run) bool { return run.File != file })
}

// policy allows the page its own style and script, and nothing else: no requests, and no script that comes in
// through a name.
func policy() string {
	return "default-src 'none'; img-src data:; style-src " + hashSource(style()) + "; script-src " + ScriptSource()
}

// ScriptSource returns the script of all pages as a Content-Security-Policy names it: a site that shows such a page
// in a frame, as a blob or a srcdoc, has to allow it.
func ScriptSource() string { return hashSource(script()) }

// hashSource names a text as a Content-Security-Policy allows it.
func hashSource(text safe) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// manyEvents is the most events for which a page carries its timeline, or a sheet all its timelines.
const manyEvents = 300_000

// packed returns the timeline as JSON Lines, compressed and as text, with the name of the file that it is saved as;
// both are "" if there is none, or it is too long to be carried about.
func packed(run *report.Run) (text safe, name string) {
	if len(run.Events) == 0 || len(run.Events) > manyEvents {
		return "", ""
	}
	var b bytes.Buffer
	encode := base64.NewEncoder(base64.StdEncoding, &b)
	pack := gzip.NewWriter(encode)
	// A buffer accepts everything.
	_ = report.JSONLines(pack, run)
	_ = pack.Close()
	_ = encode.Close()
	base := path.Base(run.File)
	if run.File == "" || run.File == "-" {
		base = "run"
	}
	return safe(b.String()), render.Visible(strings.TrimSuffix(base, path.Ext(base))) + ".jsonl"
}

// packAll gives each run of a sheet its timeline, by the name of the run, until there is too much of it: the later
// runs have none then.
func (v *view) packAll(runs []*report.Run) {
	events := 0
	for i, run := range runs {
		events += len(run.Events)
		if events > manyEvents {
			v.Runs[i].Timeline = ""
		}
		v.Runs[i].TimelineName = cmp.Or(plain(run.Name), "run") + ".jsonl"
	}
}
