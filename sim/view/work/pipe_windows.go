package work

import (
	"errors"
	"syscall"
)

// IgnoreBrokenPipes does nothing: Windows ends no process for writing to a pipe that nobody reads.
func IgnoreBrokenPipes() {}

// pipeIsClosing is Windows' ERROR_NO_DATA: the pipe is being closed.
const pipeIsClosing = syscall.Errno(232)

// readerGone says whether a write failed because nobody reads any more.
func readerGone(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, pipeIsClosing)
}
