package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// minErase is the width from which on a pause fits into one line, so that one line has to be erased.
const minErase = len("-- ") + len(askOn) + 2

// isTerminal says whether somebody types what is read.
func isTerminal(in io.Reader) bool {
	file, is := in.(*os.File)
	if is {
		_, is = terminal(file)
	}
	return is
}

// part is the text between two pauses; ask is the prompt of the pause after it. The last part of a lesson has no
// prompt.
type part struct {
	text, ask string
	// step says that a step of the user is in it.
	step bool
	// right is the answer that is asked for behind it, "" if none is.
	right string
}

// askOn is the prompt of the pauses of a story.
const askOn = "Enter: continue, s: next step, a: all, b: back, q: quit"

// reply is the answer of the user at a pause. At most one of leave, step and back is true: to leave the lesson, to go
// on without a pause until the next step, and to go back by one pause.
type reply struct {
	leave, step, back bool
	// text is the text that they typed.
	text string
}

// asker asks between two parts.
type asker interface {
	// pause shows ask, and returns what the reader has answered: the zero reply if they continue, or nobody can be asked.
	// The error is errInterrupted, or one of the input; the end of the input is an answer, to leave.
	pause(ask string) (reply, error)
}

// present shows parts, with a pause after each but the last, until the reader wants to leave. An answer that was given
// is judged before the last part, which says why. Who goes back sees again what stood before the pause before, the
// question too, and may answer it anew. It returns how the reader came through, "" if they have left. It is "" too if
// there is an error.
func present(w io.Writer, parts []part, p asker) (how string, err error) {
	judged, toStep := "", false
	how = watched
	// begins are the parts behind which the reader was asked, and before them that with which the lesson begins.
	begins := []int{0}
	for i := 0; i < len(parts); i++ {
		part, last := parts[i], i+1 == len(parts)
		text := part.text
		if last {
			text = judged + text
		}
		if _, err := io.WriteString(w, text); err != nil || last {
			return how, err
		}
		if toStep && !part.step {
			continue
		}
		said, err := p.pause(part.ask)
		switch {
		case err != nil || said.leave:
			return "", err
		case said.back:
			begins = begins[:max(1, len(begins)-1)]
			i, toStep = begins[len(begins)-1]-1, false
			continue
		}
		begins, toStep = append(begins, i+1), said.step
		if part.right != "" {
			how, judged = grade(said.text, part.right)
		}
	}
	return how, nil
}

// grade compares an answer with the right one, and says so; "" if none was given.
func grade(answer, right string) (how, said string) {
	switch answer = strings.ToLower(strings.Trim(answer, " ).\t")); {
	case answer == "":
		return watched, ""
	case answer == right:
		return answeredRight, "\nYour answer " + answer + " is right.\n"
	}
	return answeredWrong, "\nYour answer was " + render.Visible(answer) + "; right is " + right + ".\n"
}

// pauser waits for a key or, where single keys cannot be read, for a line.
type pauser struct {
	*streams
	in *bufio.Reader
	// on is false if nobody is there to press a key, and after the reader has asked for all the rest.
	on bool
	// erase says that the terminal can erase the line of a pause.
	erase bool
	// keys lets the terminal hand over each key at once, without showing it, until the function that it returns is
	// called; nil if it cannot. It is nil itself if nothing is known of the terminal.
	keys func() (restore func())
}

// pause waits for an answer. A key is one if the prompt names it, as are Enter, Space and n, which continue.
func (p *pauser) pause(ask string) (reply, error) {
	if p.interrupted() {
		return reply{}, errInterrupted
	}
	if !p.on {
		return reply{}, nil
	}
	text, err := p.answer(ask)
	if err != nil {
		return reply{}, err
	}
	said := reply{text: strings.TrimSpace(text)}
	word := strings.ToLower(said.text)
	switch {
	case word == "q" || word == "quit" || word == "exit":
		said.leave = true
	case word == "s" || word == "step":
		said.step = true
	case ask == askOn && slices.Contains([]string{"b", "p", "back"}, word):
		said.back = true
		fmt.Fprintln(p.out, "-- back")
	case ask == askOn && (word == "a" || word == "all"):
		p.on = false
	}
	return said, nil
}

// answer asks, reads what somebody types, and leaves the cursor at the beginning of a line. The terminal is as it was
// when it returns, whatever has happened.
func (p *pauser) answer(ask string) (string, error) {
	var restore func()
	if p.keys != nil {
		restore = p.keys()
	}
	fmt.Fprintf(p.out, "-- %s ", ask)
	if restore != nil {
		defer restore()
		key, err := p.read(func() (string, error) { return p.key(ask) })
		if err == nil && p.erase {
			steer(p.out, "\r\x1b[2K")
		} else {
			fmt.Fprintln(p.out, key)
		}
		return key, err
	}
	line, err := p.read(func() (string, error) { return p.in.ReadString('\n') })
	if err != nil {
		// The cursor still stands behind what the pause has said.
		fmt.Fprintln(p.out)
	} else if p.erase {
		steer(p.out, "\x1b[A\x1b[2K\r")
	}
	return line, err
}

// endOfInput is Ctrl-D, which a terminal that hands over single keys does not take for the end of the input.
const endOfInput = 4

// key reads keys until one is an answer: a word of the prompt of one letter, q, or "" for those that continue. The
// sequences of other keys, such as the arrows, begin with Esc and are no answer.
func (p *pauser) key(ask string) (string, error) {
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	answers := append(strings.FieldsFunc(ask, notLetter), "q")
	if ask == askOn {
		answers = append(answers, "p")
	}
	for {
		b, err := p.in.ReadByte()
		if err != nil && err != io.EOF {
			return "", err
		}
		key := strings.ToLower(string(rune(b)))
		switch {
		case err == io.EOF || b == endOfInput:
			return "q", nil
		case b == '\x1b':
			_, _ = p.in.Discard(p.in.Buffered())
		case strings.ContainsAny(key, "\r\n n"):
			return "", nil
		case slices.Contains(answers, key):
			return key, nil
		}
	}
}

// read reads an answer. The end of the input means q. It returns when the user interrupts, although a goroutine still
// waits for the input: the process ends soon after.
func (p *pauser) read(from func() (string, error)) (string, error) {
	type read struct {
		text string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := from()
		done <- read{text, err}
	}()
	select {
	case r := <-done:
		if r.err == io.EOF {
			fmt.Fprintln(p.out)
			return "q", nil
		}
		return r.text, r.err
	case <-p.ctx.Done():
		return "", errInterrupted
	}
}
