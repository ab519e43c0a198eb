package work

import (
	"errors"
	"syscall"
)

// IgnoreBrokenPipes does nothing: Windows ends no process for writing to a pipe without a reader.
func IgnoreBrokenPipes() {}

// pipeIsClosing is Windows' ERROR_NO_DATA: the pipe is being closed.
const pipeIsClosing = syscall.Errno(232)

// readerGone reports whether a write failed because its reader has gone.
func readerGone(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, pipeIsClosing)
}
