package shell

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// program is a program of a container, or a word of its shell: it gets its arguments and returns its status.
type program func(sh *Shell, args []string, io stdio) int

// programs are those that there are.
var programs map[string]program

func init() {
	programs = map[string]program{
		":": always(0), "true": always(0), "false": always(1), "sleep": always(0), "sync": always(0), "set": always(0),
		"[": bracket, "cat": cat, "cp": move(true), "dd": dd, "echo": echo, "env": env, "exit": exit, "find": find,
		"hostname": hostname, "ln": link, "ls": list, "mkdir": mkdir, "mv": move(false), "printenv": env, "printf": printf,
		"pwd": func(_ *Shell, _ []string, io stdio) int { io.out.add("/\n"); return 0 },
		"rm":  remove, "test": test, "touch": touch,
	}
}

// Programs returns the names of the programs.
func Programs() string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(programs)), func(name string) bool { return name == ":" })
	return strings.Join(names, ", ")
}

func always(status int) program { return func(*Shell, []string, stdio) int { return status } }

// operands returns the arguments that are not options, and the letters of the options.
func operands(args []string) (rest []string, letters string) {
	for i, arg := range args {
		switch {
		case arg == "--":
			return append(rest, args[i+1:]...), letters
		case len(arg) > 1 && arg[0] == '-':
			letters += arg[1:]
		default:
			rest = append(rest, arg)
		}
	}
	return rest, letters
}

func echo(_ *Shell, args []string, io stdio) int {
	end := "\n"
	if len(args) > 0 && args[0] == "-n" {
		args, end = args[1:], ""
	}
	io.out.add("%s%s", strings.Join(args, " "), end)
	return 0
}

// printf knows %s, %d and %%, and the escapes \n, \t and \\.
func printf(_ *Shell, args []string, io stdio) int {
	if len(args) == 0 {
		return 2
	}
	format := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`).Replace(args[0])
	values := args[1:]
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			io.out.add("%c", format[i])
			continue
		}
		switch i++; {
		case format[i] == '%':
			io.out.add("%%")
		case len(values) > 0:
			io.out.add("%s", values[0])
			values = values[1:]
		}
	}
	return 0
}

func exit(sh *Shell, args []string, _ stdio) int {
	sh.exited = true
	if len(args) == 0 {
		return sh.status
	}
	status, err := strconv.Atoi(args[0])
	if err != nil {
		return 2
	}
	return status
}

func hostname(sh *Shell, _ []string, io stdio) int {
	io.out.add("%s\n", sh.Hostname)
	return 0
}

// env is env and printenv: with names it prints their values.
func env(sh *Shell, args []string, io stdio) int {
	if len(args) == 0 {
		for _, name := range slices.Sorted(maps.Keys(sh.vars)) {
			io.out.add("%s=%s\n", name, sh.vars[name])
		}
		io.out.add("HOSTNAME=%s\n", sh.Hostname)
		return 0
	}
	status := 0
	for _, name := range args {
		if _, is := sh.vars[name]; !is && name != "HOSTNAME" {
			status = 1
			continue
		}
		io.out.add("%s\n", sh.variable(name))
	}
	return status
}

func cat(sh *Shell, args []string, io stdio) int {
	files, _ := operands(args)
	if len(files) == 0 {
		io.out.add("%s", io.in)
	}
	status := 0
	for _, at := range files {
		switch node, is := sh.Files.Get(at); {
		case at == "-":
			io.out.add("%s", io.in)
		case !is:
			status = sh.missing("cat", at, io)
		case node.Dir:
			io.err.add("cat: read error: Is a directory\n")
			status = 1
		default:
			io.out.add("%s", node.Data)
		}
	}
	return status
}

// put puts a node at a path for a program, and reports errors.
func (sh *Shell) put(who, at string, node Node, io stdio) int {
	wrong := sh.Files.Put(at, node)
	if wrong == "" {
		return 0
	}
	io.err.add("%s: %s: %s\n", who, at, wrong)
	return 1
}

func touch(sh *Shell, args []string, io stdio) int {
	files, _ := operands(args)
	status := 0
	for _, at := range files {
		if _, is := sh.Files.Get(at); !is {
			status = max(status, sh.put("touch", at, Node{}, io))
		}
	}
	return status
}

func mkdir(sh *Shell, args []string, io stdio) int {
	dirs, letters := operands(args)
	status := 0
	for _, at := range dirs {
		_, is := sh.Files.Get(at)
		switch parents := strings.Contains(letters, "p"); {
		case is && !parents:
			io.err.add("mkdir: can't create directory '%s': File exists\n", at)
			status = 1
		case is:
		case parents && path.Dir(path.Join("/", at)) != "/":
			status = max(status, mkdir(sh, []string{"-p", path.Dir(path.Join("/", at))}, io))
			fallthrough
		default:
			status = max(status, sh.put("mkdir", at, Node{Dir: true}, io))
		}
	}
	return status
}

func remove(sh *Shell, args []string, io stdio) int {
	files, letters := operands(args)
	status := 0
	for _, at := range files {
		at := path.Join("/", at)
		node, is := sh.Files.look(at)
		switch deep := strings.ContainsAny(letters, "rR"); {
		case !is && strings.Contains(letters, "f"):
		case !is:
			status = sh.missing("rm", at, io)
		case node.Dir && !deep:
			io.err.add("rm: '%s' is a directory\n", at)
			status = 1
		default:
			sh.Files.remove(at)
		}
	}
	return status
}

// into returns the destination of a file that is moved or copied: inside a directory it keeps its own name.
func (sh *Shell) into(at, target string) string {
	if node, is := sh.Files.Get(target); is && node.Dir {
		return path.Join("/", target, path.Base(at))
	}
	return path.Join("/", target)
}

// move is mv, and cp if the file stays where it was.
func move(stays bool) program {
	who, done := "mv", "renamed "
	if stays {
		who, done = "cp", ""
	}
	return func(sh *Shell, args []string, io stdio) int {
		files, letters := operands(args)
		if len(files) < 2 {
			io.err.add("%s: two or more files are needed\n", who)
			return 1
		}
		status := 0
		for _, at := range files[:len(files)-1] {
			from, target := path.Join("/", at), sh.into(at, files[len(files)-1])
			switch node, is := sh.Files.look(from); {
			case !is:
				status = sh.missing(who, at, io)
				continue
			case node.Dir:
				io.err.add("%s: '%s' is a directory, and a simulated container moves files\n", who, at)
				status = 1
				continue
			default:
				if from == target {
					continue
				}
				if wrong := sh.put(who, target, node, io); wrong != 0 {
					status = wrong
					continue
				}
			}
			if !stays {
				sh.Files.remove(from)
			}
			if strings.Contains(letters, "v") {
				io.out.add("%s'%s' -> '%s'\n", done, at, target)
			}
		}
		return status
	}
}

func link(sh *Shell, args []string, io stdio) int {
	files, letters := operands(args)
	if len(files) != 2 || !strings.Contains(letters, "s") {
		io.err.add("ln: a simulated container knows ln -s TARGET LINK\n")
		return 1
	}
	at := sh.into(files[0], files[1])
	if _, is := sh.Files.look(at); is {
		if !strings.Contains(letters, "f") {
			io.err.add("ln: %s: File exists\n", at)
			return 1
		}
		sh.Files.remove(at)
	}
	return sh.put("ln", at, Node{Link: files[0]}, io)
}

// dd knows if=, of=, bs= and count= with plain numbers.
func dd(sh *Shell, args []string, io stdio) int {
	given := map[string]string{"bs": "512", "count": "-1"}
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		given[name] = value
	}
	size, err1 := strconv.Atoi(given["bs"])
	count, err2 := strconv.Atoi(given["count"])
	if err1 != nil || err2 != nil || size < 0 || size > longest || count > longest {
		io.err.add("dd: bs and count are plain numbers up to %d\n", longest)
		return 1
	}
	data := io.in
	switch from := given["if"]; from {
	case "":
	case "/dev/zero", "/dev/urandom":
		data = strings.Repeat("\x00", min(longest, size*max(count, 1)))
	default:
		node, is := sh.Files.Get(from)
		if !is {
			return sh.missing("dd", from, io)
		}
		data = node.Data
	}
	if count >= 0 {
		data = data[:min(len(data), size*count)]
	}
	io.err.add("%d bytes copied\n", len(data))
	if given["of"] == "" {
		io.out.add("%s", data)
		return 0
	}
	return sh.put("dd", given["of"], Node{Data: data}, io)
}
