package main

import (
	"bytes"
	"context"
	"syscall/js"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// commandCall is a command that a page asks for: its arguments, and the function that is given what came of it.
type commandCall struct {
	args  []string
	reply js.Value
}

// answerPage lets the page that this module runs in call the command as often as it likes, and reports whether
// there is one. A page gives globalThis.simReady, a function that is called with the version and another function.
// This other function takes an array of arguments and a callback, which gets the exit code, standard output and
// standard error. The files come from globalThis.fs. Under node there is no such page, and main continues.
func answerPage() bool {
	ready := js.Global().Get("simReady")
	if ready.Type() != js.TypeFunction {
		return false
	}
	calls := make(chan commandCall, 1)
	ready.Invoke(command.Version, js.FuncOf(func(_ js.Value, given []js.Value) any {
		args := make([]string, given[0].Length())
		for i := range args {
			args[i] = given[0].Index(i).String()
		}
		calls <- commandCall{args, given[1]}
		return nil
	}))
	for c := range calls {
		var out, err bytes.Buffer
		s := &command.Console{In: &bytes.Buffer{}, Out: &out, Err: &err, NoColor: true, Ctx: context.Background()}
		code := Main(c.args, s, command.Simulator)
		c.reply.Invoke(code, out.String(), err.String())
	}
	return true
}
