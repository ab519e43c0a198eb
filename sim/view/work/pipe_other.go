//go:build !unix && !windows

package work

// IgnoreBrokenPipes does nothing: this system does not have these signals.
func IgnoreBrokenPipes() {}

// readerGone is false if the system has no word for it.
func readerGone(error) bool { return false }
