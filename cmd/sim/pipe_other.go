//go:build !unix && !windows

package main

// ignoreBrokenPipes does nothing where there are no such signals.
func ignoreBrokenPipes() {}

// readerGone is false where the system has no word for it.
func readerGone(error) bool { return false }
