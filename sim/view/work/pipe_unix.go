//go:build unix

package work

import (
	"errors"
	"os/signal"
	"syscall"
)

// IgnoreBrokenPipes keeps a reader that has seen enough, as `| head` does, from ending the process by a signal: the
// exit code is still wanted.
func IgnoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }

// readerGone reports whether a write failed because its reader has gone.
func readerGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
