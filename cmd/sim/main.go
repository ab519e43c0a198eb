// Command sim plays rollouts of StatefulSets. A command is a parser of flags in front of a function: newXCmd turns
// flags into an xOptions, and a method of that does the work, writes to its streams and returns an error. Main alone
// turns errors into text and exit codes.
//
// What plays is behind the engine, so that tests of the command line need not play. No command reads the clock for a
// result, and nothing is written but what a flag names, and the folder of `sim learn`.
package main

import "os"

func main() {
	tuneCollector()
	if serve() {
		return
	}
	streams, stop := systemStreams()
	code := Main(os.Args[1:], streams, simulator)
	stop()
	os.Exit(code)
}
