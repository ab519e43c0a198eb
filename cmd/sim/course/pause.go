package course

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// MinErase is the width that lets a pause fit into one line, so that only one line has to be erased.
const MinErase = len("-- ") + len(askOn) + 2

// Part is the text between two pauses; ask is the prompt of the pause after it. The last part has none.
type Part struct {
	Text string
	ask  string
	// step is true if the part has a step of the user.
	step bool
	// right is the answer to the question after the part, "" if there is no question. judged is true if the answer
	// is judged after the part.
	right  string
	judged bool
}

// The prompts of a lesson: askOn within the story, askWhy before the explanation and askMore before the suggestions
// to try next. The question has the letters of its answers, which are not keys of askOn.
const (
	askAnswer = "Your answer ("
	askOn     = "Enter: continue, s: next step, r: the rest, p: back, q: quit, ?: help"
	askWhy    = "Enter: what happened, and why"
	askMore   = "Enter: what to try next"
)

// helpOn explains the keys of a story, helpAnswer what can be typed at a question.
const (
	helpOn = "-- Enter, Space or n goes to the next instant, s to the next step of the scenario, r plays all the rest, " +
		"p goes back, q leaves\n"
	helpAnswer = "-- type one of the letters and press Enter; Enter alone plays it without an answer, and q leaves\n"
)

// reply is the answer of the user at a pause. At most one of leave, step, rest and back is true: to leave the
// lesson, to continue without a pause until the next step or the end of the story, and to go back by one pause.
type reply struct {
	leave, step, rest, back bool
	// text is the text that they typed.
	text string
}

// asker asks between two parts.
type asker interface {
	// pause shows ask, and returns the reader's answer: the zero reply if they continue, or there is no reader. The
	// error is work.ErrInterrupted, or an input error; the end of the input means that the reader leaves.
	pause(ask string) (reply, error)
}

// Present shows parts, with a pause after each but the last, until the reader wants to leave. An answer is judged
// before it is explained. A reader who goes back sees the text before the previous pause again, including the
// question, and may answer it again.
func Present(w io.Writer, parts []Part, p asker) error {
	judged, skip := "", reply{}
	// begins are the parts after which the reader was asked, preceded by the part that starts the lesson.
	begins := []int{0}
	for i := 0; i < len(parts); i++ {
		part, last := parts[i], i+1 == len(parts)
		text := part.Text
		if part.judged {
			text += judged
		}
		if _, err := io.WriteString(w, text); err != nil || last {
			return err
		}
		if (skip.step && !part.step || skip.rest) && part.ask == askOn {
			continue
		}
		said, err := p.pause(part.ask)
		switch {
		case err != nil || said.leave:
			return err
		case said.back:
			begins = begins[:max(1, len(begins)-1)]
			i, skip = begins[len(begins)-1]-1, reply{}
			continue
		}
		begins, skip = append(begins, i+1), said
		if part.right != "" {
			judged = grade(said.text, part.right)
		}
	}
	return nil
}

// grade compares an answer with the right one, and says so; "" if none was given.
func grade(answer, right string) string {
	switch answer = strings.ToLower(strings.Trim(answer, " ).\t")); {
	case answer == "":
		return ""
	case answer == right:
		return "\nYour answer " + answer + " is right.\n"
	}
	return "\nYour answer was " + render.Visible(answer) + "; right is " + right + ".\n"
}

// Pauser waits for a key or, if single keys cannot be read, for a line.
type Pauser struct {
	Out io.Writer
	In  *bufio.Reader
	// Ctx ends when the user interrupts.
	Ctx context.Context
	// On is false if there is no reader to press a key.
	On bool
	// Erase is true if the terminal can erase the line of a pause.
	Erase bool
	// Keys lets the terminal hand over each key at once, without showing it, until the function that it returns is
	// called; nil if it cannot. It is nil itself if nothing is known of the terminal.
	Keys func() (restore func())
}

// pause waits for an answer. A key is one if the prompt names it, as are Enter, Space and n, which continue. At a
// question it is a line, which must be one of the letters, or nothing: it is asked again otherwise.
func (p *Pauser) pause(ask string) (reply, error) {
	for {
		if p.Ctx.Err() != nil {
			return reply{}, work.ErrInterrupted
		}
		if !p.On {
			return reply{}, nil
		}
		text, err := p.answer(ask)
		if err != nil {
			return reply{}, err
		}
		said := replyOf(ask, strings.TrimSpace(text))
		switch {
		case strings.HasPrefix(ask, askAnswer) && !said.leave && said.text != "" && !slices.Contains(letters(ask), said.text):
			fmt.Fprint(p.Out, helpAnswer)
			continue
		case said.text == "?" || said.text == "h":
			fmt.Fprint(p.Out, helpOn)
			continue
		case said.back:
			fmt.Fprintln(p.Out, "-- back")
		}
		return said, nil
	}
}

// replyOf interprets a text at a pause.
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

// answer asks, reads the input, and leaves the cursor at the start of a line. The answer to a question is a line,
// and stays visible. The terminal is restored before it returns, whatever happened.
func (p *Pauser) answer(ask string) (string, error) {
	var restore func()
	question := strings.HasPrefix(ask, askAnswer)
	if p.Keys != nil && !question {
		restore = p.Keys()
	}
	fmt.Fprintf(p.Out, "-- %s ", ask)
	if restore != nil {
		defer restore()
		key, err := p.read(func() (string, error) { return p.key(ask) })
		if err == nil && p.Erase {
			render.Steer(p.Out, "\r\x1b[2K")
		} else {
			fmt.Fprintln(p.Out, key)
		}
		return key, err
	}
	line, err := p.read(func() (string, error) { return p.In.ReadString('\n') })
	if err != nil {
		// The cursor is still after the text of the pause.
		fmt.Fprintln(p.Out)
	} else if p.Erase && !question {
		render.Steer(p.Out, "\x1b[A\x1b[2K\r")
	}
	return line, err
}

// endOfInput is Ctrl-D, which a terminal that hands over single keys does not take for the end of the input.
const endOfInput = 4

// key reads keys until one is an answer: a word of the prompt of one letter, q, p, a key that asks for help, or ""
// for those that continue. The sequences of other keys, such as the arrows, start with Esc and are not an answer.
func (p *Pauser) key(ask string) (string, error) {
	answers := append(letters(ask), "q", "p", "?", "h")
	for {
		b, err := p.In.ReadByte()
		if err != nil && err != io.EOF {
			return "", err
		}
		key := strings.ToLower(string(rune(b)))
		switch {
		case err == io.EOF || b == endOfInput:
			return "q", nil
		case b == '\x1b':
			_, _ = p.In.Discard(p.In.Buffered())
		case strings.ContainsAny(key, "\r\n n"):
			return "", nil
		case slices.Contains(answers, key):
			return key, nil
		}
	}
}

// read reads an answer. The end of the input means q. It returns when the user interrupts, although a goroutine still
// waits for the input: the process ends soon after.
func (p *Pauser) read(from func() (string, error)) (string, error) {
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
			fmt.Fprintln(p.Out)
			return "q", nil
		}
		return r.text, r.err
	case <-p.Ctx.Done():
		return "", work.ErrInterrupted
	}
}
