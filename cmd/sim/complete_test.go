package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestCompletions: a shell completes every flag that takes a format, a version or a colour with what it may be.
func TestCompletions(t *testing.T) {
	may := map[string]string{"kubernetes": "1.37", "from": "1.36", "to": "1.37", "output": "text", "color": "never"}
	root := newRootCmd(&command.Console{Ctx: t.Context()}, new(fakeEngine).engine())
	completed := map[string]int{}
	for _, cmd := range root.Commands() {
		flags := func(f *pflag.Flag) {
			want, known := may[f.Name]
			if !known || cmd.Hidden || cmd.DisableFlagParsing || cmd.Name() == "completion" {
				return
			}
			_, out, _ := call(t, new(fakeEngine).engine(), "", "__complete", cmd.Name(), "--"+f.Name, "")
			require.Contains(t, strings.Fields(out), want, "%s --%s", cmd.Name(), f.Name)
			completed[f.Name]++
		}
		cmd.LocalFlags().VisitAll(flags)
		cmd.InheritedFlags().VisitAll(flags)
	}
	for flag := range may {
		require.NotZero(t, completed[flag], flag)
	}
}

// TestHelpHasEveryFlag: the flags of a command and those of all commands, but the limits, which have a page of their
// own.
func TestHelpHasEveryFlag(t *testing.T) {
	root := newRootCmd(&command.Console{Ctx: t.Context()}, new(fakeEngine).engine())
	for _, cmd := range root.Commands() {
		if cmd.Hidden || cmd.DisableFlagParsing || !cmd.Runnable() || slices.Contains([]string{"help", "completion"}, cmd.Name()) {
			continue
		}
		_, out, _ := call(t, new(fakeEngine).engine(), "", "help", cmd.Name())
		has := func(f *pflag.Flag) {
			if !f.Hidden {
				require.Contains(t, out, "--"+f.Name, cmd.Name())
			}
		}
		cmd.LocalFlags().VisitAll(has)
		cmd.InheritedFlags().VisitAll(has)
	}
}
