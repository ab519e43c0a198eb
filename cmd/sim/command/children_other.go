//go:build !(unix || windows)

package command

import "os/exec"

// runWhole runs a program. This system knows no groups of processes.
func runWhole(run *exec.Cmd) error { return run.Run() }
