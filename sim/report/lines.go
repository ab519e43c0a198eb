package report

import (
	"bufio"
	"io"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// JSONLines writes the timeline, one JSON object a line.
func JSONLines(w io.Writer, run *Run) error {
	out := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	for i := range run.Events {
		line = append(timeline.AppendJSON(line[:0], &run.Events[i]), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}
