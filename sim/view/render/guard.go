package render

import (
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// Guard is the last filter of all output: even if an earlier writer forgot to escape, input from outside cannot
// steer a terminal or the log of a workflow. Characters that Visible would not let pass become \u001b and the like,
// which is the same text in JSON; line ends, tabs and our own colours pass. Text at the start of a line that GitHub
// Actions would take for a command is broken up. Several goroutines may write.
type Guard struct {
	lock sync.Mutex
	w    io.Writer
	// colours lets our own colours pass, commands workflow commands.
	colours, commands bool
	// half is the start of a character, or of a mark, that a write has left unfinished. begins is true if there has
	// been only space since the last end of a line.
	half   []byte
	begins bool
}

// NewGuard returns a guard before a writer.
func NewGuard(w io.Writer) *Guard { return &Guard{w: w, begins: true} }

// Colours reports whether our own colours pass.
func (g *Guard) Colours(pass bool) {
	g.lock.Lock()
	defer g.lock.Unlock()
	g.colours = pass
}

// Commands writes workflow commands: lines whose data was escaped for them.
func (g *Guard) Commands(write func(io.Writer) error) error {
	g.commands = true
	defer func() { g.commands = false }()
	return write(g)
}

// Steer writes what is meant to move the cursor. Nothing from outside may be in it.
func (g *Guard) Steer(text string) error {
	g.lock.Lock()
	defer g.lock.Unlock()
	_, err := io.WriteString(g.w, text)
	return err
}

// Steer writes what moves the cursor of a terminal.
func Steer(w io.Writer, text string) {
	if guard, is := w.(*Guard); is {
		_ = guard.Steer(text)
		return
	}
	_, _ = io.WriteString(w, text)
}

// Write writes what is safe of p.
func (g *Guard) Write(p []byte) (int, error) {
	g.lock.Lock()
	defer g.lock.Unlock()
	text := p
	if len(g.half) > 0 {
		text = append(g.half, p...)
	}
	safe, rest := g.safe(text)
	g.half = append([]byte(nil), rest...)
	if _, err := g.w.Write(safe); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what a write has left unfinished.
func (g *Guard) Flush() {
	g.lock.Lock()
	defer g.lock.Unlock()
	safe := g.half
	if !utf8.Valid(safe) {
		safe = []byte(string(utf8.RuneError))
	}
	_, _ = g.w.Write(safe)
	g.half = nil
}

// colour is a colour of ours.
var colour = lazy.Regexp(`^\x1b\[(?:0|1|2|31|32|33)m`)

// safe returns the safe form of a text, and the end of it that cannot be judged yet.
func (g *Guard) safe(text []byte) (safe, rest []byte) {
	safe = make([]byte, 0, len(text))
	for len(text) > 0 {
		c := text[0]
		switch {
		case c == '\n':
			g.begins = true
		case c == '\x1b' && g.colours && colour().Match(text):
			n := len(colour().Find(text))
			safe, text = append(safe, text[:n]...), text[n:]
			continue
		case c == ':' && g.begins || c == '#':
			mark := map[byte]string{':': "::", '#': "##["}[c]
			if len(text) < len(mark) && string(text) == mark[:len(text)] {
				return safe, text
			}
			g.begins = false
			if !g.commands && len(text) >= len(mark) && string(text[:len(mark)]) == mark {
				safe, text = fmt.Appendf(safe, `\u%04x`, c), text[1:]
				continue
			}
		case c >= utf8.RuneSelf || c < ' ' && c != '\t' || c == 0x7f:
			if !utf8.FullRune(text) {
				return safe, text
			}
			r, n := utf8.DecodeRune(text)
			g.begins = false
			safe, text = appendSafe(safe, r), text[n:]
			continue
		case c != ' ' && c != '\t':
			g.begins = false
		}
		safe, text = append(safe, c), text[1:]
	}
	return safe, nil
}

// appendSafe adds a character, or its number if it is one that people do not see.
func appendSafe(to []byte, r rune) []byte {
	switch {
	case !hidden(r):
		return utf8.AppendRune(to, r)
	case r > 0xffff:
		return fmt.Appendf(to, `\U%08x`, r)
	}
	return fmt.Appendf(to, `\u%04x`, r)
}
