//go:build real

package conformance_test

import (
	"flag"
	"io"
	"runtime/debug"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// gcPercent trades memory for time: what a sync leaves behind is little, and there are millions of syncs.
const gcPercent = 800

// quiet keeps the real code from logging. It is given InitFlags and SetOutput of the klog that the version uses.
//
// It also takes away the handlers of errors that nobody returns: one of them sleeps by the time of the last error,
// and so would the clock of a bubble jump to the real time.
func quiet(initFlags func(*flag.FlagSet), setOutput func(io.Writer)) {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	initFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			panic(err)
		}
	}
	setOutput(io.Discard)
	utilruntime.ErrorHandlers = nil
	debug.SetGCPercent(gcPercent)
}
