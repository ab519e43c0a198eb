package report

import (
	"iter"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// Story yields the story that Text prints, in parts, for a reader who goes through it step by step. An instant is a
// part, a step of the user begins another part, and the verdict is the last. Together they are the text that Text
// writes between the heading and the expectations. A caller that stops early does not stop the wording of the rest,
// only its rendering.
func Story(run *Run, style render.Style) iter.Seq[string] {
	return func(yield func(part string) bool) {
		var out strings.Builder
		p, c, stopped := newSheet(&out, style), castOf(run.Events), false
		end := func() {
			_ = p.Flush() // A strings.Builder takes everything.
			stopped = stopped || !yield(out.String())
			out.Reset()
		}
		tell(run, c, func(t model.Time, lines []line) {
			for len(lines) > 0 && !stopped {
				n := 1
				for n < len(lines) && !lines[n].apart {
					n++
				}
				p.instant(c, t, lines[:n])
				lines = lines[n:]
				end()
			}
		})
		if !stopped {
			p.Blank()
			p.verdict(run, summarize(run.Events), c)
			end()
		}
	}
}
