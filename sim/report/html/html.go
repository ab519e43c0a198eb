// Package html writes a run as a page to look at: one file that holds everything and asks no network for anything.
package html

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/report"
)

//go:embed assets
var assets embed.FS

var (
	layout = template.Must(template.ParseFS(assets, "assets/page.html"))
	style  = asset("assets/page.css")
	script = asset("assets/lanes.js", "assets/reader.js", "assets/axis.js", "assets/build.js", "assets/draw.js",
		"assets/point.js", "assets/tell.js", "assets/start.js")
)

// asset joins files of the page.
func asset(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		text, err := assets.ReadFile(name)
		if err != nil {
			panic(err)
		}
		b.Write(text)
	}
	return b.String()
}

// Write writes the page of one run.
func Write(w io.Writer, run *report.Run) error { return Compare(w, run) }

// Compare writes one page of several runs, one below the other on one axis of time.
func Compare(w io.Writer, runs ...*report.Run) error {
	if len(runs) == 0 {
		return errors.New("a page needs a run")
	}
	data, err := json.Marshal(gather(runs))
	if err != nil {
		return fmt.Errorf("the data of the page: %w", err)
	}
	v := view{
		Title: runs[0].Name, Style: template.CSS(style), Script: template.JS(script), Data: template.JS(data),
		Policy: policy(),
	}
	v.Description = runs[0].Description
	if len(runs) > 1 {
		v.Title = fmt.Sprintf("%d runs on one axis", len(runs))
		if !of(runs[0].File, runs) {
			v.Description = ""
		} else if file := path.Base(runs[0].File); file != "." {
			v.Title += ": " + strings.TrimSuffix(file, path.Ext(file))
		}
	}
	for i, run := range runs {
		v.Runs = append(v.Runs, viewOf(i, run))
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if err := layout.Execute(out, v); err != nil {
		return fmt.Errorf("the page: %w", err)
	}
	return out.Flush()
}

// of says whether all runs are of the same file.
func of(file string, runs []*report.Run) bool {
	return !slices.ContainsFunc(runs, func(run *report.Run) bool { return run.File != file })
}

// policy allows the page its own style and script, and nothing else: no request, and no script that a name brought in.
func policy() string {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; img-src data:; style-src " + hash(style) + "; script-src " + hash(script)
}

// view is what the layout shows without a script.
type view struct {
	Title string
	// Description is that of the run, or of the scenario that all runs are of.
	Description string
	Policy      string
	Style       template.CSS
	Script      template.JS
	// Data is JSON, in which encoding/json has escaped what could end the element that it stands in.
	Data template.JS
	Runs []runView
}

type runView struct {
	Index       int
	Name, About string
	// Class is that of the verdict.
	Class        string
	Ending       []lineView
	Complaint    string
	Repeat       string
	Held         int
	Failed       int
	Expectations []expectationView
}

type lineView struct{ Class, Text string }

type expectationView struct {
	Verdict, Text, Position, Detail string
	Difference, Around              []string
	Links                           []link
}

// link leads to an instant of the run.
type link struct{ Href, Text string }

func viewOf(index int, run *report.Run) runView {
	v := runView{
		Index: index, Name: run.Name, About: about(run), Complaint: run.Complaint, Repeat: run.Repeat,
	}
	for _, line := range report.Ending(run) {
		v.Ending = append(v.Ending, lineView{toneNames[line.Tone], line.Text})
	}
	v.Class = v.Ending[0].Class
	times := stopTimes(run)
	for i := range run.Expectations {
		e := &run.Expectations[i]
		switch e.Verdict {
		case report.Held:
			v.Held++
		case report.Failed:
			v.Failed++
		}
		v.Expectations = append(v.Expectations, expectationView{
			Verdict: e.Verdict.String(), Text: e.Text, Position: e.Position, Detail: e.Detail,
			Difference: e.Difference(), Around: e.Around, Links: links(index, e, times),
		})
	}
	return v
}

// about says what was played.
func about(run *report.Run) string {
	text := run.File
	if len(run.Events) == 0 || run.Events[0].Run == nil {
		return text
	}
	header := run.Events[0].Run
	if text != "" {
		text += " · "
	}
	text += "Kubernetes " + header.Kubernetes + " · seed " + strconv.FormatUint(header.Seed, 10)
	for _, gate := range header.Gates {
		text += " · " + gate.Name + "=" + strconv.FormatBool(gate.On)
	}
	return text + " · sim " + header.Sim
}

func stopTimes(run *report.Run) []model.Time {
	var times []model.Time
	for stop := range report.Stops(run) {
		times = append(times, stop.T)
	}
	return times
}

// links are where an expectation failed. One that was waited for in vain failed at the end.
func links(index int, e *report.Expectation, times []model.Time) []link {
	instants := e.Instants
	if e.Verdict == report.Failed && len(instants) == 0 && len(times) > 0 {
		instants = times[len(times)-1:]
	}
	var all []link
	for _, t := range instants {
		// The last stop at or before the instant is the one that shows it.
		stop := max(sort.Search(len(times), func(i int) bool { return times[i] > t })-1, 0)
		all = append(all, link{fmt.Sprintf("#run=%d&tick=%d", index+1, stop+1), report.Clock(t)})
	}
	return all
}
