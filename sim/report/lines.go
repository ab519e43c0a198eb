package report

import (
	"bufio"
	"io"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// JSONLines writes the timeline, one JSON object a line. The result of a run that was played here is given the digest
// of the lines before it.
func JSONLines(w io.Writer, run *Run) error {
	out := bufio.NewWriterSize(w, 1<<16)
	digest := run.undigested()
	var line []byte
	for i := range run.Events {
		e := &run.Events[i]
		if digest != nil && e.Result != nil {
			e = e.WithDigest(digest.String())
		}
		line = append(timeline.AppendJSON(line[:0], e), '\n')
		if digest != nil {
			digest.Add(line)
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// undigested returns what adds up the digest of the run where its result has none yet, else nil.
func (r *Run) undigested() *timeline.Digester {
	if result := r.result(); result == nil || result.Result.Digest != "" {
		return nil
	}
	return timeline.NewDigester()
}
