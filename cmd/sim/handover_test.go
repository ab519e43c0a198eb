package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// besideSim builds sim-serve into the folder of the sim that tests run, once.
func besideSim(t *testing.T) {
	t.Helper()
	require.NoError(t, built())
}

var (
	here, _ = os.Getwd()
	built   = sync.OnceValue(func() error {
		sim, err := exec.LookPath("sim")
		if err != nil {
			return err
		}
		name := "sim-serve"
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		build := exec.Command("go", "build", "-o", filepath.Join(filepath.Dir(sim), name), "./cmd/sim-serve")
		build.Dir = filepath.Join(here, "../../scenario/serve")
		build.Stderr = os.Stderr
		return build.Run()
	})
)

// ownSim copies sim into a folder of its own, in which a script is sim-serve, "" for none, and goes into another folder.
// The PATH has only the programs of the system.
func ownSim(t *testing.T, script string) (dir string) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no scripts that are programs")
	}
	sim, err := exec.LookPath("sim")
	require.NoError(t, err)
	text, err := os.ReadFile(sim)
	require.NoError(t, err)
	dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sim"), text, 0o755))
	simServe(t, dir, script)
	t.Setenv("PATH", "/usr/bin:/bin")
	t.Chdir(t.TempDir())
	return dir
}

func simServe(t *testing.T, dir, script string) {
	if script != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "sim-serve"), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
}

// ran runs a command line of the sim in a folder, and returns its exit code and all that it prints.
func ran(dir, in string, args ...string) (code int, said string) {
	sim := exec.Command(filepath.Join(dir, "sim"), args...)
	sim.Stdin = strings.NewReader(in)
	out, err := sim.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	return code, string(out)
}

// TestHandOver: sim-serve is given the arguments as they are, standard input and the environment, and its exit code is that
// of sim.
func TestHandOver(t *testing.T) {
	dir := ownSim(t, `shift; echo "<$*> $# $(cat) $KEPT"; echo told >&2; exit 7`)
	t.Setenv("KEPT", "kept")
	for line, want := range map[string]string{
		"serve --speed 60x FILE":            "<serve --speed 60x FILE> 4",
		"clock advance -h":                  "<clock advance -h> 3",
		"save --nothing":                    "<save --nothing> 2",
		"--color never why pod/web-0 --":    "<why --color never pod/web-0 --> 5",
		"help serve":                        "<help serve> 2",
		"checkpoint a\x1fb":                 "<checkpoint a\x1fb> 2",
		"restore":                           "<restore> 1",
		"serve --kubeconfig= --record \x1f": "<serve --kubeconfig= --record \x1f> 4",
	} {
		code, said := ran(dir, "typed", strings.Split(line, " ")...)
		require.Equal(t, want+" typed kept\ntold\n", said, line)
		require.Equal(t, 7, code, line)
	}
}

// TestHandOverCompletes: what a shell may complete is what sim-serve says.
func TestHandOverCompletes(t *testing.T) {
	dir := ownSim(t, `shift; [ "$*" = "__complete serve --speed " ] && printf 'max\npaused\n:4\n'`)
	_, said := ran(dir, "", "__complete", "serve", "--speed", "")
	require.Equal(t, "max\npaused\n:4\nCompletion ended with directive: ShellCompDirectiveNoFileComp\n", said)
	_, said = ran(dir, "", "__complete", "clock", "")
	require.Contains(t, said, "ShellCompDirectiveError")
}

// TestHandOverSignals: a signal reaches sim-serve, which ends as it likes.
func TestHandOverSignals(t *testing.T) {
	dir := ownSim(t, `trap 'echo ended; exit 5' INT TERM; echo >begun; while :; do sleep 0.05; done`)
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		_ = os.Remove("begun")
		sim := exec.Command(filepath.Join(dir, "sim"), "serve")
		var out strings.Builder
		sim.Stdout = &out
		require.NoError(t, sim.Start())
		require.Eventually(t, func() bool { _, err := os.Stat("begun"); return err == nil }, time.Minute, 10*time.Millisecond)
		require.NoError(t, sim.Process.Signal(signal))
		_ = sim.Wait()
		require.Equal(t, 5, sim.ProcessState.ExitCode(), signal)
		require.Equal(t, "ended\n", out.String(), signal)
	}
}

// TestSimServeIsFound: the one in the folder of sim goes before that in the PATH, and one in the working directory is never
// run. A link to sim leads to the folder of sim.
func TestSimServeIsFound(t *testing.T) {
	dir := ownSim(t, "")
	missing := "sim-serve has this command, and was not found in the folder of sim or in the PATH: run make build in the sources " +
		"of sim, which builds both, or go install github.com/statefulsim/statefulsim/scenario/serve/cmd/sim-serve@v" +
		command.Version + "\n"
	code, said := ran(dir, "", "serve", "--speed", "max")
	require.Equal(t, missing, said)
	require.Equal(t, cli.ExitUsage, code)
	for _, line := range []string{"help serve", "serve --help", "serve -h"} {
		code, said = ran(dir, "", strings.Fields(line)...)
		require.Equal(t, "Serve the API of Kubernetes over a simulated cluster, for kubectl.\n\n"+missing, said)
		require.Equal(t, cli.ExitOK, code)
	}

	simServe(t, ".", "echo that of the working directory")
	_, said = ran(dir, "", "serve")
	require.Equal(t, missing, said)
	for _, path := range []string{".", ""} {
		t.Setenv("PATH", path+":/usr/bin:/bin")
		code, said = ran(dir, "", "serve")
		require.Contains(t, said, "sim-serve")
		require.NotContains(t, said, "that of the working directory")
		require.Equal(t, cli.ExitUsage, code)
	}

	inPath := t.TempDir()
	simServe(t, inPath, "echo that of the PATH")
	t.Setenv("PATH", inPath+":/usr/bin:/bin")
	_, said = ran(dir, "", "serve")
	require.Equal(t, "that of the PATH\n", said)
	simServe(t, dir, "echo that of sim")
	_, said = ran(dir, "", "serve")
	require.Equal(t, "that of sim\n", said)
	linked := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(dir, "sim"), filepath.Join(linked, "sim")))
	_, said = ran(linked, "", "serve")
	require.Equal(t, "that of sim\n", said)
}

// TestHandOverTellsItsBuild: the first argument says which sim it is, and sim-serve refuses another one.
func TestHandOverTellsItsBuild(t *testing.T) {
	dir := ownSim(t, `echo "$1"`)
	_, said := ran(dir, "", "serve")
	require.Equal(t, fmt.Sprintf("--of-sim=%s\n", cli.Build()), said)
	for _, c := range []struct{ first, wrong string }{
		{"--of-sim=" + command.Version, ""},
		{"--of-sim=" + command.Version + "+0123abc", ""}, // The commit of one that a test has built is not known.
		{"--of-sim=0.0.1", "sim-serve is of sim " + cli.Build() + ", and this is sim 0.0.1: run make build in the sources of sim, " +
			"which builds both, or go install github.com/statefulsim/statefulsim/scenario/serve/cmd/sim-serve@v0.0.1"},
	} {
		args, err := cli.Handed([]string{c.first, "serve"})
		if c.wrong != "" {
			require.EqualError(t, err, c.wrong)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []string{"serve"}, args)
	}
	args, err := cli.Handed([]string{"serve"})
	require.NoError(t, err)
	require.Equal(t, []string{"serve"}, args, "people may call it themselves")
}

// TestBrowsersCannotServe: where nothing can be started, sim says so.
func TestBrowsersCannotServe(t *testing.T) {
	code, _, stderr := call(t, command.Simulator, "", "serve")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, stderr, "a browser cannot serve: use sim on your machine")
}
