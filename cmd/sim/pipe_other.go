//go:build !unix && !windows

package main

// ignoreBrokenPipes does nothing if there are no such signals.
func ignoreBrokenPipes() {}

// readerGone is false if the system has no word for it.
func readerGone(error) bool { return false }
