package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sim-serve": main})
}

// call runs a command line with streams in memory.
func call(t *testing.T, args ...string) (code int, out, err string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	s := &command.Console{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Ctx: t.Context()}
	code = cli.Main(args, s, newRootCmd)
	return code, stdout.String(), stderr.String()
}
