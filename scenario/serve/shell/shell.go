package shell

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Shell runs commands in a container.
type Shell struct {
	Files    *Files
	Hostname string
	// Env are the variables of the container, as NAME=value.
	Env []string
	// Unknown are programs that were called and are not there; Missed are the paths of files that were not there.
	Unknown, Missed []string

	vars   map[string]string
	status int
	steps  int
	trace  bool
	exited bool
}

// stdio are the streams of a command.
type stdio struct {
	in       string
	out, err *buffer
}

// buffer keeps output, up to a limit.
type buffer struct{ strings.Builder }

// add writes to a buffer that is not full.
func (b *buffer) add(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); b.Len()+len(text) <= longest {
		b.WriteString(text)
	}
}

// Result is the output of a command, and its status.
type Result struct {
	Out, Err string
	Code     int
}

// mostSteps is how many commands one call may run.
const mostSteps = 1_000

// Exec runs a command as exec does: a program with its arguments. A shell takes a script after -c.
func (sh *Shell) Exec(args []string, in string) Result {
	var out, err buffer
	sh.vars = map[string]string{}
	for _, text := range sh.Env {
		name, value, _ := strings.Cut(text, "=")
		sh.vars[name] = value
	}
	code := sh.run(args, stdio{in, &out, &err})
	return Result{out.String(), err.String(), code & 255}
}

func truth(is bool) int {
	if is {
		return 0
	}
	return 1
}

// variable returns the value of a variable.
func (sh *Shell) variable(name string) string {
	switch name {
	case "?":
		return fmt.Sprint(sh.status)
	case "HOSTNAME":
		return sh.Hostname
	}
	return sh.vars[name]
}

// apart runs something whose exit is its own alone.
func (sh *Shell) apart(do func() int) int {
	status := do()
	sh.exited = false
	return status
}

// shells are the names of a shell.
var shells = []string{"sh", "bash", "ash", "dash"}

// run runs a simple command.
func (sh *Shell) run(args []string, io stdio) int {
	for len(args) > 0 {
		name := named(args[0])
		value, is := strings.CutPrefix(args[0], name+"=")
		if !is || name == "" {
			break
		}
		sh.vars[name], args = value, args[1:]
	}
	if len(args) == 0 {
		return 0
	}
	if sh.steps++; sh.steps > mostSteps {
		sh.exited = true
		return 137
	}
	if sh.trace {
		io.err.add("+ %s\n", strings.Join(args, " "))
	}
	name := args[0]
	if strings.HasPrefix(name, "/bin/") || strings.HasPrefix(name, "/usr/bin/") {
		name = path.Base(name)
	}
	if slices.Contains(shells, name) {
		return sh.script(args[1:], io)
	}
	do, known := programs[name]
	if at := sh.which(args[0]); !known && at != "" {
		return sh.script([]string{at}, io)
	}
	if !known {
		sh.Unknown = append(sh.Unknown, name)
		io.err.add("%s: not found: the programs of a simulated container are sh, %s\n", args[0], Programs())
		return 127
	}
	return do(sh, args[1:], io)
}

// which returns the file of a program that was written into the container, "" if there is none.
func (sh *Shell) which(name string) string {
	dirs := strings.Split(sh.vars["PATH"], ":")
	if strings.Contains(name, "/") {
		dirs = []string{"/"}
	}
	for _, dir := range dirs {
		at := path.Join(dir, name)
		if node, is := sh.Files.Get(at); dir != "" && is && !node.Dir {
			return at
		}
	}
	return ""
}

// script runs a shell in the shell: sh [-x] [-e] -c SCRIPT, or the script that it is sent.
func (sh *Shell) script(args []string, io stdio) int {
	text, traced := io.in, sh.trace
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		sh.trace = sh.trace || strings.Contains(args[0], "x")
		if strings.Contains(args[0], "c") && len(args) > 1 {
			text, args = args[1], nil
			break
		}
		args = args[1:]
	}
	defer func() { sh.trace = traced }()
	if len(args) > 0 {
		node, is := sh.Files.Get(args[0])
		if !is {
			return sh.missing("sh", args[0], io)
		}
		text = node.Data
	}
	do, err := parse(text)
	if err != nil {
		io.err.add("sh: %s\n", err)
		return 2
	}
	return sh.apart(func() int { return do(sh, io) })
}

// missing complains about a file that is not there.
func (sh *Shell) missing(who, at string, io stdio) int {
	sh.Missed = append(sh.Missed, path.Join("/", at))
	io.err.add("%s: can't open '%s': No such file or directory\n", who, at)
	return 1
}

// redirected runs something with streams that are redirected.
func (sh *Shell) redirected(list []redirection, io stdio, do func(stdio) int) int {
	type target struct {
		at    string
		added string
		to    *buffer
	}
	var targets []target
	for _, r := range list {
		at := strings.Join(sh.expand([][]part{r.to}, io), " ")
		stream := &io.out
		if r.stream == '2' {
			stream = &io.err
		}
		switch node, is := sh.Files.Get(at); {
		case r.operator == "<" && !is:
			return sh.missing("sh", at, io)
		case r.operator == "<":
			io.in = node.Data
		case r.operator == ">&" && at == "2":
			*stream = io.err
		case r.operator == ">&":
			*stream = io.out
		case at == "/dev/null":
			*stream = &buffer{}
		default:
			t := target{at: at, to: &buffer{}}
			if r.operator == ">>" {
				t.added = node.Data
			}
			if wrong := sh.Files.Put(at, Node{Data: t.added}); wrong != "" {
				io.err.add("sh: can't create %s: %s\n", at, wrong)
				return 1
			}
			*stream = t.to
			targets = append(targets, t)
		}
	}
	status := do(io)
	for _, t := range targets {
		sh.Files.Put(t.at, Node{Data: t.added + t.to.String()})
	}
	return status
}
