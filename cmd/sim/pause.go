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
	// right is the answer that is asked for behind it, "" if none is. judged says that the answer is judged behind it.
	right  string
	judged bool
}

// The prompts of a lesson: askOn those of the story, askWhy and askMore those before the explanation and before what to
// try next. The question has the letters of its answers, none of which is a key of askOn.
const (
	askAnswer = "Your answer ("
	askOn     = "Enter: continue, s: next step, r: the rest, p: back, q: quit, ?: help"
	askWhy    = "Enter: what happened, and why"
	askMore   = "Enter: what to try next"
)

// helpOn says what the keys of a story do, helpAnswer what can be typed at a question.
const (
	helpOn = "-- Enter, Space or n goes to the next instant, s to the next step of the scenario, r plays all the rest, " +
		"p goes back, q leaves\n"
	helpAnswer = "-- type one of the letters and press Enter; Enter alone plays it without an answer, and q leaves\n"
)

// reply is the answer of the user at a pause. At most one of leave, step, rest and back is true: to leave the lesson,
// to go on without a pause until the next step or the end of the story, and to go back by one pause.
type reply struct {
	leave, step, rest, back bool
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
// is judged before it is said why. Who goes back sees again what stood before the pause before, the question too, and
// may answer it anew. It returns how the reader came through, "" if they have left. It is "" too if there is an error.
func present(w io.Writer, parts []part, p asker) (how string, err error) {
	judged, skip := "", reply{}
	how = watched
	// begins are the parts behind which the reader was asked, and before them that with which the lesson begins.
	begins := []int{0}
	for i := 0; i < len(parts); i++ {
		part, last := parts[i], i+1 == len(parts)
		text := part.text
		if part.judged {
			text += judged
		}
		if _, err := io.WriteString(w, text); err != nil || last {
			return how, err
		}
		if (skip.step && !part.step || skip.rest) && part.ask == askOn {
			continue
		}
		said, err := p.pause(part.ask)
		switch {
		case err != nil || said.leave:
			return "", err
		case said.back:
			begins = begins[:max(1, len(begins)-1)]
			i, skip = begins[len(begins)-1]-1, reply{}
			continue
		}
		begins, skip = append(begins, i+1), said
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
	// on is false if nobody is there to press a key.
	on bool
	// erase says that the terminal can erase the line of a pause.
	erase bool
	// keys lets the terminal hand over each key at once, without showing it, until the function that it returns is
	// called; nil if it cannot. It is nil itself if nothing is known of the terminal.
	keys func() (restore func())
}

// pause waits for an answer. A key is one if the prompt names it, as are Enter, Space and n, which continue. At a
// question it is a line, which must be one of the letters, or nothing: it is asked again otherwise.
func (p *pauser) pause(ask string) (reply, error) {
	for {
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
		said := replyOf(ask, strings.TrimSpace(text))
		switch {
		case strings.HasPrefix(ask, askAnswer) && !said.leave && said.text != "" && !slices.Contains(letters(ask), said.text):
			fmt.Fprint(p.out, helpAnswer)
			continue
		case said.text == "?" || said.text == "h":
			fmt.Fprint(p.out, helpOn)
			continue
		case said.back:
			fmt.Fprintln(p.out, "-- back")
		}
		return said, nil
	}
}

// replyOf says what a text means at a pause.
func replyOf(ask, text string) reply {
	word := strings.Trim(strings.ToLower(text), ").")
	said := reply{text: word}
	switch story := ask == askOn; {
	case slices.Contains([]string{"q", "quit", "exit"}, word):
		said.leave = true
	case strings.HasPrefix(ask, askAnswer):
	case story && (word == "s" || word == "step"):
		said.step = true
	case story && (word == "r" || word == "rest"):
		said.rest = true
	case slices.Contains([]string{"p", "back"}, word):
		said.back = true
	}
	return said
}

// letters returns the words of a prompt that are one letter: the answers, or the keys.
func letters(ask string) []string {
	words := strings.FieldsFunc(ask, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.DeleteFunc(words, func(word string) bool { return len(word) > 1 })
}

// answer asks, reads what somebody types, and leaves the cursor at the beginning of a line. The answer to a question is
// a line, and stays to be read. The terminal is as it was when it returns, whatever has happened.
func (p *pauser) answer(ask string) (string, error) {
	var restore func()
	question := strings.HasPrefix(ask, askAnswer)
	if p.keys != nil && !question {
		restore = p.keys()
	}
	fmt.Fprintf(p.out, "-- %s ", ask)
	if restore != nil {
		defer restore()
		key, err := p.read(func() (string, error) { return p.key(ask) })
		if err == nil && p.erase {
			render.Steer(p.out, "\r\x1b[2K")
		} else {
			fmt.Fprintln(p.out, key)
		}
		return key, err
	}
	line, err := p.read(func() (string, error) { return p.in.ReadString('\n') })
	if err != nil {
		// The cursor still stands behind what the pause has said.
		fmt.Fprintln(p.out)
	} else if p.erase && !question {
		render.Steer(p.out, "\x1b[A\x1b[2K\r")
	}
	return line, err
}

// endOfInput is Ctrl-D, which a terminal that hands over single keys does not take for the end of the input.
const endOfInput = 4

// key reads keys until one is an answer: a word of the prompt of one letter, q, p, a key that asks for help, or "" for
// those that continue. The sequences of other keys, such as the arrows, begin with Esc and are no answer.
func (p *pauser) key(ask string) (string, error) {
	answers := append(letters(ask), "q", "p", "?", "h")
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
