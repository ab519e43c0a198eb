package session

import (
	"fmt"
	"io"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// recordFile is the file of --record, which each request is added to before it is served. A nil one records
// nothing.
type recordFile struct {
	log    *files.Log
	header recording.Header
	// told gets a message as soon as the file can no longer be written. The session continues.
	told   io.Writer
	failed bool
}

// recording tries whether the file of --record can be written; nil if there is none.
func (o *Serve) recording(epoch time.Time) (*recordFile, error) {
	if o.Record == "" {
		return nil, nil
	}
	log, err := files.NewLog(o.Record, 0o600, strict.IsSession)
	if err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	r := &recordFile{log: log, told: o.Err, header: recording.Header{Format: 1, Sim: command.Version, Epoch: epoch,
		Kubernetes: o.World.Kubernetes, Gates: o.World.Gates, Seed: o.World.Seed, Files: []recording.File{}}}
	if o.Controllers != recording.AllControllers {
		r.header.Controllers = o.Controllers
	}
	for _, source := range o.sources {
		r.header.Files = append(r.header.Files, recording.File{Name: source.Name, Text: string(source.Data)})
	}
	return r, nil
}

// begin writes the first state of the session.
func (r *recordFile) begin() error {
	if r == nil {
		return nil
	}
	line, err := recording.Line(r.header)
	if err == nil {
		err = r.log.Add(line)
	}
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}

// add adds a request, or the end.
func (r *recordFile) add(q recording.Recorded) {
	line, err := recording.Line(q)
	if err == nil {
		err = r.log.Add(line)
	}
	if err != nil && !r.failed {
		r.failed = true
		fmt.Fprintf(r.told, "--record: %v: the recording ends here, the session goes on\n", err)
	}
}

// close ends the recording. The error is the first one of all.
func (r *recordFile) close() error {
	if r == nil {
		return nil
	}
	if err := r.log.Close(); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}
