package shell

import (
	"errors"
	"fmt"
	"strings"
)

// action is a command that was read: it is run in a shell, with its streams, and returns its status.
type action func(*Shell, stdio) int

// parser reads a script. Its methods panic with a syntax error, which parse returns.
type parser struct {
	text  string
	at    int
	depth int
}

type syntaxError struct{ error }

// deepest is how deep commands may be in each other.
const deepest = 50

// parse reads a script.
func parse(text string) (do action, err error) {
	defer func() {
		if wrong, is := recover().(syntaxError); is {
			err = wrong
		}
	}()
	p := &parser{text: text}
	do = p.list()
	if p.at < len(p.text) {
		p.fail()
	}
	return do, nil
}

func (p *parser) fail() {
	word := strings.TrimSpace(p.text[p.at:])
	if word == "" {
		panic(syntaxError{errors.New("syntax error: unexpected end")})
	}
	panic(syntaxError{fmt.Errorf("syntax error at %q: a simulated container knows simple commands, pipes, &&, ||, ;, if, "+
		"$( ) and redirections to files", strings.Fields(word)[0])})
}

// blanks skips space between words, and comments; newlines too if lines is true.
func (p *parser) blanks(lines bool) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || lines && c == '\n':
			p.at++
		case strings.HasPrefix(p.text[p.at:], "\\\n"):
			p.at += 2
		case c == '#':
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
		default:
			return
		}
	}
}

// take takes an operator if it is next.
func (p *parser) take(operator string) bool {
	p.blanks(false)
	if !strings.HasPrefix(p.text[p.at:], operator) {
		return false
	}
	p.at += len(operator)
	return true
}

// reserved are the words that end a list or start something other than a simple command.
var reserved = map[string]bool{"then": true, "elif": true, "else": true, "fi": true, "do": true, "done": true,
	"while": true, "until": true, "for": true, "case": true, "esac": true, "function": true, "}": true}

// keyword takes a reserved word if it is next.
func (p *parser) keyword(word string) bool {
	if p.next() != word {
		return false
	}
	p.at += len(word)
	return true
}

// next returns the plain word that is next, without taking it.
func (p *parser) next() string {
	p.blanks(true)
	rest := p.text[p.at:]
	if end := strings.IndexAny(rest, " \t\n;&|()<>\"'`$\\"); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// list reads commands up to a word or a bracket that ends them.
func (p *parser) list() action {
	if p.depth++; p.depth > deepest {
		p.fail()
	}
	defer func() { p.depth-- }()
	var all []action
	for p.blanks(true); p.at < len(p.text) && p.text[p.at] != ')' && !reserved[p.next()]; p.blanks(true) {
		all = append(all, p.choice())
		if !p.take(";") && !p.take("\n") {
			break
		}
	}
	return func(sh *Shell, io stdio) int {
		status := 0
		for _, do := range all {
			if status = do(sh, io); sh.exited {
				break
			}
			sh.status = status
		}
		return status
	}
}

// choice reads commands that are joined by && and ||.
func (p *parser) choice() action {
	do := p.pipeline()
	for {
		and := p.take("&&")
		if !and && !p.take("||") {
			return do
		}
		p.blanks(true)
		first, then := do, p.pipeline()
		do = func(sh *Shell, io stdio) int {
			status := first(sh, io)
			if sh.status = status; sh.exited || (status == 0) != and {
				return status
			}
			return then(sh, io)
		}
	}
}

// pipeline reads commands that are joined by |.
func (p *parser) pipeline() action {
	negated := p.keyword("!")
	parts := []action{p.command()}
	for p.piped() {
		p.blanks(true)
		parts = append(parts, p.command())
	}
	last := len(parts) - 1
	return func(sh *Shell, io stdio) int {
		for _, do := range parts[:last] {
			var out buffer
			sh.apart(func() int { return do(sh, stdio{io.in, &out, io.err}) })
			io.in = out.String()
		}
		status := parts[last](sh, io)
		if negated && !sh.exited {
			return truth(status != 0)
		}
		return status
	}
}

// piped takes a | that is no ||.
func (p *parser) piped() bool {
	p.blanks(false)
	return !strings.HasPrefix(p.text[p.at:], "||") && p.take("|")
}

// command reads an if, a list in brackets, or a simple command.
func (p *parser) command() action {
	switch {
	case p.keyword("if"):
		return p.branch()
	case p.keyword("{"):
		do := p.list()
		if !p.keyword("}") {
			p.fail()
		}
		return do
	case p.take("("):
		do := p.list()
		if !p.take(")") {
			p.fail()
		}
		return func(sh *Shell, io stdio) int { return sh.apart(func() int { return do(sh, io) }) }
	case reserved[p.next()]:
		p.fail()
	}
	return p.simple()
}

// branch reads an if, after its first word.
func (p *parser) branch() action {
	when := p.list()
	if !p.keyword("then") {
		p.fail()
	}
	then, otherwise := p.list(), action(func(*Shell, stdio) int { return 0 })
	switch {
	case p.keyword("elif"):
		otherwise = p.branch()
	case p.keyword("else"):
		otherwise = p.list()
		fallthrough
	default:
		if !p.keyword("fi") {
			p.fail()
		}
	}
	return func(sh *Shell, io stdio) int {
		status := when(sh, io)
		switch {
		case sh.exited:
			return status
		case status == 0:
			return then(sh, io)
		}
		return otherwise(sh, io)
	}
}
