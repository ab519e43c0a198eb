package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/statefulsim/statefulsim/sim/render"
)

// minErase is the width from which on a pause fits into one line, so that one line has to be erased.
const minErase = 40

// isTerminal says whether somebody types what is read.
func isTerminal(in io.Reader) bool {
	file, is := in.(*os.File)
	if is {
		_, is = terminal(file)
	}
	return is
}

// part is the text between two pauses; ask is the prompt of the pause after it.
type part struct {
	text, ask string
	// step says that a step of the user is in it.
	step bool
	// right is the answer that is asked for behind it, "" if none is.
	right string
}

// askOn is the prompt of the pauses of a story.
const askOn = "Enter: continue; s, a or q and Enter: next step, all, quit"

// reply is the answer of the user at a pause.
type reply struct {
	leave, step bool
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
// is judged before the last part, which says why. It returns how the reader came through, "" if they have left.
func present(w io.Writer, parts []part, p asker) (how string, err error) {
	judged, toStep := "", false
	how = watched
	for i, part := range parts {
		text := part.text
		if i+1 == len(parts) {
			text = judged + text
		}
		if _, err := io.WriteString(w, text); err != nil {
			return "", err
		}
		if i+1 == len(parts) {
			break
		}
		if toStep && !part.step {
			continue
		}
		said, err := p.pause(part.ask)
		if err != nil || said.leave {
			return "", err
		}
		toStep = said.step
		if part.right != "" {
			how, judged = judge(said.text, part.right)
		}
	}
	return how, nil
}

// judge compares an answer with the right one, and says so; "" if none was given.
func judge(answer, right string) (how, said string) {
	switch answer = strings.ToLower(strings.Trim(answer, " ).\t")); {
	case answer == "":
		return watched, ""
	case answer == right:
		return answeredRight, "\nYour answer " + answer + " is right.\n"
	}
	return answeredWrong, "\nYour answer was " + render.Visible(answer) + "; right is " + right + ".\n"
}

// pauser waits for Enter.
type pauser struct {
	*streams
	in *bufio.Reader
	// on is false if nobody is there to press a key, and after the reader has asked for all the rest.
	on bool
	// erase says that the terminal can erase the line of a pause.
	erase bool
}

// pause waits for Enter, and says what was typed before it.
func (p *pauser) pause(ask string) (reply, error) {
	if p.interrupted() {
		return reply{}, errInterrupted
	}
	if !p.on {
		return reply{}, nil
	}
	fmt.Fprintf(p.out, "-- %s ", ask)
	line, err := p.line()
	if err != nil {
		// The cursor still stands behind what the pause has said.
		fmt.Fprintln(p.out)
		return reply{}, err
	}
	if p.erase {
		fmt.Fprint(p.out, "\x1b[A\x1b[2K\r")
	}
	said := reply{text: strings.TrimSpace(line)}
	switch word := strings.ToLower(said.text); {
	case word == "q" || word == "quit" || word == "exit":
		said.leave = true
	case word == "s" || word == "step":
		said.step = true
	case ask == askOn && (word == "a" || word == "all"):
		p.on = false
	}
	return said, nil
}

// line reads a line. The end of the input means q. It returns when the user interrupts, although a goroutine still
// waits for the input: the process ends soon after.
func (p *pauser) line() (string, error) {
	type read struct {
		text string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := p.in.ReadString('\n')
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
