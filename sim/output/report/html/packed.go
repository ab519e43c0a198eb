package html

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"path"
	"strings"

	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
)

// manyEvents is the length up to which a page carries its timeline, or all timelines of a sheet together.
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
	// A buffer takes whatever is written to it.
	_ = report.JSONLines(pack, run)
	_ = pack.Close()
	_ = encode.Close()
	base := path.Base(run.File)
	if run.File == "" || run.File == "-" {
		base = "run"
	}
	return safe(b.String()), render.Visible(strings.TrimSuffix(base, path.Ext(base))) + ".jsonl"
}

// packAll gives each run behind a sheet its timeline, by the name of the run, until there is too much of it: the later
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
