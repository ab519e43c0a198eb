//go:build !js

package main

// answerPage is for the browser: elsewhere the command is called by its arguments.
func answerPage() bool { return false }
