// Command sim plays StatefulSet rollouts on a virtual clock.
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
