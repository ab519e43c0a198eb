package shell

import (
	"path"
	"strconv"
	"strings"
)

// list is ls: names, and with -l or -i a line with the size of each.
func list(sh *Shell, args []string, io stdio) int {
	files, letters := operands(args)
	if len(files) == 0 {
		files = []string{"/"}
	}
	line := func(at, shown string) {
		if !strings.ContainsAny(letters, "li") {
			io.out.add("%s\n", shown)
			return
		}
		kind, node := "-rw-r--r--", Node{}
		if node, _ = sh.Files.look(at); node.Dir {
			kind = "drwxr-xr-x"
		}
		io.out.add("%s 1 root root %d %s\n", kind, len(node.Data), shown)
	}
	status := 0
	for _, at := range files {
		clean := path.Join("/", at)
		node, is := sh.Files.Get(clean)
		switch {
		case !is:
			status = sh.missing("ls", at, io)
		case !node.Dir || strings.Contains(letters, "d"):
			line(clean, at)
		default:
			for _, name := range sh.Files.below(sh.Files.follow(clean)) {
				line(path.Join(clean, name), name)
			}
		}
	}
	return status
}

// find prints a directory and all that is in it.
func find(sh *Shell, args []string, io stdio) int {
	files, _ := operands(args)
	if len(files) == 0 {
		files = []string{"/"}
	}
	status := 0
	for _, at := range files {
		if _, is := sh.Files.look(path.Join("/", at)); !is {
			status = sh.missing("find", at, io)
			continue
		}
		sh.walk(at, io)
	}
	return status
}

func (sh *Shell) walk(at string, io stdio) {
	io.out.add("%s\n", at)
	if node, _ := sh.Files.look(path.Join("/", at)); node.Dir {
		for _, name := range sh.Files.below(path.Join("/", at)) {
			sh.walk(path.Join(at, name), io)
		}
	}
}

// bracket is test with a bracket at its end.
func bracket(sh *Shell, args []string, io stdio) int {
	if len(args) == 0 || args[len(args)-1] != "]" {
		io.err.add("[: missing ]\n")
		return 2
	}
	return test(sh, args[:len(args)-1], io)
}

// test knows one test, or its opposite: of a file, a text, or two texts or numbers.
func test(sh *Shell, args []string, io stdio) int {
	switch {
	case len(args) > 1 && args[0] == "!":
		if status := test(sh, args[1:], io); status < 2 {
			return 1 - status
		}
		return 2
	case len(args) == 0:
		return 1
	case len(args) == 1:
		return truth(args[0] != "")
	case len(args) == 2:
		return sh.unary(args[0], args[1], io)
	case len(args) == 3:
		return binary(args[0], args[1], args[2], io)
	}
	io.err.add("test: a simulated container knows one test at a time\n")
	return 2
}

func (sh *Shell) unary(operator, text string, io stdio) int {
	switch operator {
	case "-n":
		return truth(text != "")
	case "-z":
		return truth(text == "")
	}
	node, is := sh.Files.Get(text)
	if !is && !strings.Contains("-h -L", operator) {
		sh.Missed = append(sh.Missed, path.Join("/", text))
	}
	switch operator {
	case "-e", "-r", "-w", "-x":
		return truth(is)
	case "-f":
		return truth(is && !node.Dir)
	case "-d":
		return truth(is && node.Dir)
	case "-s":
		return truth(is && node.Data != "")
	case "-h", "-L":
		at, _ := sh.Files.look(path.Join("/", text))
		return truth(at.Link != "")
	}
	io.err.add("test: %s: unknown operator\n", operator)
	return 2
}

func binary(left, operator, right string, io stdio) int {
	switch operator {
	case "=", "==":
		return truth(left == right)
	case "!=":
		return truth(left != right)
	}
	a, err1 := strconv.Atoi(left)
	b, err2 := strconv.Atoi(right)
	holds, known := map[string]bool{"-eq": a == b, "-ne": a != b, "-lt": a < b, "-le": a <= b, "-gt": a > b,
		"-ge": a >= b}[operator]
	if err1 != nil || err2 != nil || !known {
		io.err.add("test: %s %s %s: two numbers are needed\n", left, operator, right)
		return 2
	}
	return truth(holds)
}
