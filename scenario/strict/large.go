package strict

import (
	"bytes"
	"fmt"
	"io"
	"runtime/metrics"
)

// tooLarge returns the problem of a file with too many bytes. It names the other limit that the file exceeds as well:
// nearly every line of YAML has a key and a value.
func tooLarge(file string, data []byte, limits Limits) *Problem {
	flags := "the limit with --max-file-size"
	if int64(bytes.Count(data, []byte("\n"))) > limits.Nodes/2 {
		flags = "the limits with --max-file-size and --max-nodes"
	}
	p := TooLarge(file, limits.FileSize)
	p.Want = "make it smaller, or raise " + flags
	return &p
}

// TooLarge is the problem of a file with more bytes than the limit, before anything is read.
func TooLarge(file string, limit int64) Problem {
	return Problem{File: file, What: fmt.Sprintf("the file has more than %d bytes", limit),
		Want: "make it smaller, or raise the limit with --max-file-size"}
}

// faster returns what makes a large dump in YAML easier to read, "" for anything else.
func faster(data []byte) string {
	if !bytes.Contains(data, []byte("\nitems:\n")) {
		return ""
	}
	return "; what kubectl get -o json prints is read faster, and takes less memory"
}

// watched is a text that ends early when its reader holds too much memory: two bytes of YAML can take two hundred.
type watched struct {
	text  io.Reader
	limit int64
	// nearly reports whether the reader holds nearly as much as it may.
	nearly func(limit int64) bool
	// unseen is how many bytes were read since the memory was last looked at.
	unseen int
	// full is true once nearly has said so; then nothing more is read.
	full bool
}

// watchEvery is the number of bytes after which the memory is checked.
const watchEvery = 1 << 20

// Read reads on, or ends the text.
func (w *watched) Read(into []byte) (int, error) {
	n, err := w.text.Read(into)
	if w.unseen += n; w.unseen >= watchEvery {
		w.unseen = 0
		w.full = w.full || w.nearly(w.limit)
	}
	if w.full {
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// problem reports that the text ended early.
func (w *watched) problem(file string, data []byte) *Problem {
	return exhausted(file, data, w.limit)
}

// Exhausted returns the problem of a file that has used up nearly all of the allowed memory; nil until then. A
// reader that takes a file part by part calls it now and then.
func Exhausted(file string, data []byte, limits Limits) *Problem {
	if limit := limits.OrDefault().Memory; nearlyFull(limit) {
		return exhausted(file, data, limit)
	}
	return nil
}

// exhausted returns the problem that the limit was reached.
func exhausted(file string, data []byte, limit int64) *Problem {
	return &Problem{File: file, What: fmt.Sprintf("reading it takes nearly the %d MiB of memory that are allowed",
		limit>>20), Want: "make it smaller, or raise the limit with --max-memory" + faster(data)}
}

// nearlyFull reports whether four fifths of the memory lived after the last collection of garbage, or the heap has
// grown to more than all of it since: a value may be built faster than garbage is collected.
func nearlyFull(limit int64) bool {
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	return heap[0].Value.Uint64() >= uint64(limit)/10*8 || heap[1].Value.Uint64() >= uint64(limit)/4*5
}
