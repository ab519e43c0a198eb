package course

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/files"
)

// How somebody came through a lesson.
const (
	AnsweredRight = "right"
	AnsweredWrong = "wrong"
	Watched       = "watched"
)

// Learned says which lessons somebody has finished, and how, by the lesson's number, from 1; a lesson that is not in it
// was not finished. It is kept in a file with one line for each lesson, "3 right"; if file is "", it is not kept. Two
// calls at the same time may lose what one of them has learned.
type Learned struct {
	file string
	// Of is how each was finished.
	Of map[int]string
}

// StateDir returns the folder in which programs keep what they remember of their user, or "" if there is none: as the
// XDG Base Directory Specification has it.
func StateDir() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "sim")
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return ""
	}
	return filepath.Join(home, ".local", "state", "sim")
}

// longestLearned is the longest list of finished lessons that is read: many times what there are.
const longestLearned = 1 << 16

// ReadLearned reads which lessons were finished. It never fails: a file that cannot be read is like none, and lines
// that are about no lesson are skipped.
func ReadLearned(dir string) *Learned {
	l := &Learned{Of: map[int]string{}}
	if dir == "" {
		return l
	}
	l.file = filepath.Join(dir, "learned")
	data, err := files.Source{Path: l.file}.Read(longestLearned)
	if err != nil {
		return l
	}
	for line := range strings.Lines(string(data)) {
		var number int
		var how string
		if _, err := fmt.Sscan(line, &number, &how); err != nil || number < 1 || number > len(Lessons()) {
			continue
		}
		switch how {
		case AnsweredRight, AnsweredWrong, Watched:
			l.Of[number] = how
		}
	}
	return l
}

// Keep notes how somebody came through a lesson, and writes the file. A right answer is never replaced by another one.
func (l *Learned) Keep(number int, how string) error {
	if l.file == "" || l.Of[number] == AnsweredRight || l.Of[number] == how {
		return nil
	}
	l.Of[number] = how
	var text strings.Builder
	for i := range Lessons() {
		if how := l.Of[i+1]; how != "" {
			fmt.Fprintln(&text, i+1, how)
		}
	}
	if err := os.MkdirAll(filepath.Dir(l.file), 0o700); err != nil {
		return fmt.Errorf("the list of finished lessons cannot be stored: %w", err)
	}
	if err := (files.Written{Path: l.file, Text: []byte(text.String()), Mode: 0o600}).Write(); err != nil {
		return fmt.Errorf("the list of finished lessons cannot be stored: %w", err)
	}
	return nil
}

// Forget removes the file. That there is none is no error. What was read stays.
func (l *Learned) Forget() error {
	if l.file == "" {
		return nil
	}
	if err := os.Remove(l.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// mark returns the mark behind a lesson in the list.
func (l *Learned) mark(number int) string {
	switch l.Of[number] {
	case AnsweredRight:
		return " (answered rightly)"
	case AnsweredWrong:
		return " (answered wrongly)"
	case Watched:
		return " (watched)"
	}
	return ""
}

// next says which lesson to continue with: the first that was not finished.
func (l *Learned) next() string {
	for i := range Lessons() {
		if l.Of[i+1] != "" {
			continue
		}
		if len(l.Of) == 0 {
			return fmt.Sprintf("Begin with `sim learn %d`.", i+1)
		}
		return fmt.Sprintf("Continue with `sim learn %d`; `sim learn --forget` begins again.", i+1)
	}
	return "You have seen all lessons; `sim learn --forget` begins again."
}

// List returns the lessons as Markdown, each with how it was finished, and which to continue with.
func (l *Learned) List() string {
	var text strings.Builder
	text.WriteString("# A course on StatefulSets\n\nEach lesson asks a question, plays a scenario, and explains the " +
		"result. Answer before you continue: you will remember what surprised you.\n\n")
	for i, lesson := range Lessons() {
		fmt.Fprintf(&text, "- %s%s\n", lesson.Title(), l.mark(i+1))
	}
	fmt.Fprintf(&text, "\n%s\n", l.next())
	return text.String()
}
