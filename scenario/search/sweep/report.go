package sweep

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Report is the output of `sim sweep`: one sum for each scenario and version, in the order of the arguments.
type Report struct {
	// Sweeps has one sum for each scenario and version, in the order of the arguments.
	Sweeps []*Sum `json:"sweeps"`
}

// Merge makes one report of those of several shards, and changes their sums. Their order does not matter. Sums are of
// one sweep if file and version are the same; if their digests, first seeds or shards do not fit, that is an error, and
// so is a sum that no sweep can have, as in a report that was edited. The result has the sums in the order in which the
// reports name them first. After an error, which is a strict.Wrong, some of the sums may have been changed.
func Merge(reports []*Report) (*Report, error) {
	merged := &Report{}
	for document, r := range reports {
		if len(r.Sweeps) == 0 {
			return nil, &strict.Wrong{Document: document, Want: "this is not one of sim sweep",
				What: "reports of sim sweep and of sim explore cannot be merged"}
		}
		for k, s := range r.Sweeps {
			if wrong := s.check(); wrong != nil {
				wrong.Document, wrong.Path = document, append([]any{"sweeps", k}, wrong.Path...)
				return nil, wrong
			}
			same := func(t *Sum) bool { return t.File == s.File && t.Kubernetes == s.Kubernetes }
			i := slices.IndexFunc(merged.Sweeps, same)
			if i < 0 {
				merged.Sweeps = append(merged.Sweeps, s)
				continue
			}
			if err := merged.Sweeps[i].Merge(s); err != nil {
				return nil, &strict.Wrong{Document: document, Path: []any{"sweeps", k}, What: err.Error()}
			}
		}
	}
	for _, s := range merged.Sweeps {
		s.Shards = s.Shards.Settled()
	}
	return merged, nil
}

// Formats are the forms in which a report can be written.
var Formats = []string{"text", "json"}

// Write writes a report in one of the formats. command is that of Text.
func (r *Report) Write(w io.Writer, format string, style render.Style, command string) error {
	if format == "json" {
		return render.JSON(w, r)
	}
	return Text(w, r, style, command)
}

// Judge says whether all runs were played, and all that is required holds; without requirements, whether all
// expectations held in each run. The lines say what is missing or broken.
func (r *Report) Judge(requirements []Requirement) (wrong []string, held bool) {
	held = true
	for _, sum := range r.Sweeps {
		where := sum.File + " on " + statefulset.Title(sum.Kubernetes) + ": "
		for _, broken := range sum.Broken(requirements) {
			wrong = append(wrong, where+broken)
		}
		if sum.Stopped {
			wrong = append(wrong, where+"it was interrupted, so runs are missing: play the sweep, or its shard, again")
		}
		held = held && (len(requirements) > 0 || sum.Held.Count == sum.Runs)
	}
	return wrong, held && len(wrong) == 0
}

// Text writes a report for people. command is the beginning of the line that plays a run again; the version, the file
// and the seed are appended.
func Text(w io.Writer, r *Report, style render.Style, command string) error {
	p := render.New(w, style)
	for i, s := range r.Sweeps {
		if i > 0 {
			p.Blank()
		}
		s.text(p, command+" "+s.words())
	}
	return p.Flush()
}

// words returns the version and the file, as a command has them.
func (s *Sum) words() string { return shell.Line("--kubernetes", s.Kubernetes, s.File) }

// text writes one sum: a line for each quantity, and the three worst runs.
func (s *Sum) text(p *render.Page, command string) {
	p.Wrapped("", fmt.Sprintf("%s on %s: %s, from seed %d", s.File, statefulset.Title(s.Kubernetes), render.Count(s.Runs, "run"),
		s.First), render.Bold)
	tone := render.Good
	if s.Held.Count < s.Runs {
		tone = render.Bad
	}
	p.Wrapped("  held      ", s.Held.of(s.Runs), tone)
	for _, v := range s.Verdicts {
		p.Wrapped(fmt.Sprintf("  %-9s ", v.Verdict), v.Share.of(s.Runs), render.Plain)
	}
	t := &s.Takes
	p.Wrapped("  last step ", fmt.Sprintf("min %s, p50 %s, p90 %s, p99 %s, max %s", seconds(t.Min), seconds(t.P50),
		seconds(t.P90), seconds(t.P99), seconds(t.Max)), render.Plain)
	for _, set := range s.Sets {
		var counts []string
		for _, c := range set.Fewest {
			counts = append(counts, fmt.Sprintf("%s in %s", atLeast(c.Value), render.Count(c.Runs, "run")))
		}
		p.Wrapped("  serving   ", fmt.Sprintf("%s: %s", set.Set, render.And(counts)), render.Plain)
	}
	for i, worst := range s.Worst {
		if i == 3 {
			break
		}
		p.Wrapped("  worst     ", fmt.Sprintf("seed %d: %s after %s, %s served: %s --seed %d",
			worst.Seed, worst.Verdict, seconds(worst.Takes), atLeast(worst.Fewest), command, worst.Seed), render.Plain)
	}
	if s.Stopped {
		p.Wrapped("  stopped   ", "it was interrupted: runs are missing", render.Bad)
	}
	if len(s.Shards) > 0 {
		p.Wrapped("  shards    ", strings.Join(s.Shards, ", "), render.Plain)
	}
}

// atLeast words the fewest pods that served.
func atLeast(fewest int) string {
	if fewest == 0 {
		return "at times none"
	}
	return fmt.Sprintf("at least %d", fewest)
}

// seconds words a duration with three digits: more are not known of those that a histogram has.
func seconds(s float64) string {
	if s <= 0 {
		return plain(s)
	}
	unit := math.Pow(10, math.Floor(math.Log10(s))-2)
	if unit >= 1 {
		return plain(math.Round(s/unit) * unit)
	}
	// A tenth is no binary fraction: multiplying by it would add digits.
	return plain(math.Round(s*math.Round(1/unit)) / math.Round(1/unit))
}

// plain words seconds without an exponent, with as many digits as they have.
func plain(seconds float64) string { return strconv.FormatFloat(seconds, 'f', -1, 64) + "s" }

// of words a count as a share of all runs, with its confidence interval.
func (s Share) of(all int) string {
	if all == 0 {
		return fmt.Sprint(s.Count)
	}
	return fmt.Sprintf("%d of %d (%.4g %%; 95 %% confidence interval %.4g to %.4g %%)", s.Count, all,
		100*float64(s.Count)/float64(all), s.Low, s.High)
}
