//go:build !js

package main

// serve is for the browser: elsewhere the command is called by its arguments.
func serve() bool { return false }
