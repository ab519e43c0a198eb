package shell

import (
	"strings"
)

// part is a piece of a word: text, or its replacement. Unquoted results are split at blanks.
type part struct {
	text   string
	quoted bool
	value  func(*Shell, stdio) string
}

// word reads a word; nil if none is next.
func (p *parser) word() []part {
	var parts []part
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case strings.IndexByte(" \t\n;&|()<>", c) >= 0:
			return parts
		case c == '\'':
			parts = append(parts, part{text: p.until("'"), quoted: true})
		case c == '"':
			p.at++
			parts = append(parts, part{quoted: true})
			for p.at < len(p.text) && p.text[p.at] != '"' {
				parts = append(parts, p.piece(true))
			}
			if !p.take(`"`) {
				p.fail()
			}
		default:
			parts = append(parts, p.piece(false))
		}
	}
	return parts
}

// until takes the text between this character and the next of its kind.
func (p *parser) until(end string) string {
	text, _, found := strings.Cut(p.text[p.at+1:], end)
	if !found {
		p.fail()
	}
	p.at += len(text) + 2
	return text
}

// piece reads a piece of a word that is not quoted.
func (p *parser) piece(quoted bool) part {
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "$("):
		p.at += 2
		do := p.list()
		if !p.take(")") {
			p.fail()
		}
		return part{quoted: quoted, value: result(do)}
	case rest[0] == '`':
		do, err := parse(p.until("`"))
		if err != nil {
			panic(syntaxError{err})
		}
		return part{quoted: quoted, value: result(do)}
	case rest[0] == '$':
		return p.variable(quoted)
	case rest[0] == '\\' && len(rest) > 1:
		p.at += 2
		if quoted && strings.IndexByte("$`\"\\", rest[1]) < 0 {
			return part{text: rest[:2], quoted: true}
		}
		return part{text: rest[1:2], quoted: true}
	}
	p.at++
	return part{text: rest[:1], quoted: quoted}
}

// variable reads the name of a variable.
func (p *parser) variable(quoted bool) part {
	p.at++
	name := ""
	if strings.HasPrefix(p.text[p.at:], "{") {
		if name = p.until("}"); name != named(name) && name != "?" {
			p.fail()
		}
	} else if name = named(p.text[p.at:]); name == "" && strings.HasPrefix(p.text[p.at:], "?") {
		name = "?"
		p.at++
	} else {
		p.at += len(name)
	}
	if name == "" {
		return part{text: "$", quoted: quoted}
	}
	return part{quoted: quoted, value: func(sh *Shell, _ stdio) string { return sh.variable(name) }}
}

// named returns the name at the start of a text.
func named(text string) string {
	for i, c := range text {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return text[:i]
		}
	}
	return text
}

// result returns the output of a command, without the newlines at its end.
func result(do action) func(*Shell, stdio) string {
	return func(sh *Shell, io stdio) string {
		var out buffer
		sh.status = sh.apart(func() int { return do(sh, stdio{io.in, &out, io.err}) })
		return strings.TrimRight(out.String(), "\n")
	}
}

// expand returns the words that words become.
func (sh *Shell) expand(words [][]part, io stdio) []string {
	var list []string
	for _, parts := range words {
		text, begun := "", false
		for _, piece := range parts {
			value := piece.text
			if piece.value != nil {
				value = piece.value(sh, io)
			}
			if piece.quoted || piece.value == nil {
				text, begun = text+value, true
				continue
			}
			fields := strings.Fields(value)
			for i, field := range fields {
				if text, begun = text+field, true; i+1 < len(fields) {
					list, text = append(list, text), ""
				}
			}
		}
		if begun {
			list = append(list, text)
		}
	}
	return list
}

// redirection is the target of a stream: a file, or the target of another stream.
type redirection struct {
	stream   byte
	operator string
	to       []part
}

// simple reads a simple command: assignments, words and redirections.
func (p *parser) simple() action {
	var words [][]part
	var redirections []redirection
	for {
		p.blanks(false)
		if r, is := p.redirection(); is {
			redirections = append(redirections, r)
			continue
		}
		word := p.word()
		if word == nil {
			break
		}
		words = append(words, word)
	}
	if len(words)+len(redirections) == 0 {
		p.fail()
	}
	return func(sh *Shell, io stdio) int {
		args := sh.expand(words, io)
		return sh.redirected(redirections, io, func(io stdio) int { return sh.run(args, io) })
	}
}

// redirection reads a redirection if one is next.
func (p *parser) redirection() (redirection, bool) {
	rest := p.text[p.at:]
	r := redirection{stream: '1'}
	if len(rest) > 1 && (rest[0] == '1' || rest[0] == '2') && rest[1] == '>' {
		r.stream, rest = rest[0], rest[1:]
	}
	for _, r.operator = range []string{">>", ">&", ">", "<"} {
		if !strings.HasPrefix(rest, r.operator) {
			continue
		}
		p.at = len(p.text) - len(rest) + len(r.operator)
		p.blanks(false)
		if r.to = p.word(); r.to == nil {
			p.fail()
		}
		return r, true
	}
	return r, false
}
