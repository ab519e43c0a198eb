package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// How somebody came through a lesson.
const (
	answeredRight = "right"
	answeredWrong = "wrong"
	watched       = "watched"
)

// learned says which lessons somebody has finished, and how, by the lesson's number, from 1; a lesson that is not in it
// was not finished. It is kept in a file with one line for each lesson, "3 right"; if file is "", it is not kept. Two
// calls at the same time may lose what one of them has learned.
type learned struct {
	file string
	of   map[int]string
}

// stateDir returns the folder in which programs keep what they remember of their user, or "" if there is none: as the
// XDG Base Directory Specification has it.
func stateDir() string {
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

// readLearned reads which lessons were finished. It never fails: a file that cannot be read is like none, and lines
// that are about no lesson are skipped.
func readLearned(dir string) *learned {
	l := &learned{of: map[int]string{}}
	if dir == "" {
		return l
	}
	l.file = filepath.Join(dir, "learned")
	data, err := source{path: l.file}.read(longestLearned)
	if err != nil {
		return l
	}
	for line := range strings.Lines(string(data)) {
		var number int
		var how string
		if _, err := fmt.Sscan(line, &number, &how); err != nil || number < 1 || number > len(lessons()) {
			continue
		}
		switch how {
		case answeredRight, answeredWrong, watched:
			l.of[number] = how
		}
	}
	return l
}

// keep notes how somebody came through a lesson, and writes the file. A right answer is never replaced by another one.
func (l *learned) keep(number int, how string) error {
	if l.file == "" || l.of[number] == answeredRight || l.of[number] == how {
		return nil
	}
	l.of[number] = how
	var text strings.Builder
	for i := range lessons() {
		if how := l.of[i+1]; how != "" {
			fmt.Fprintln(&text, i+1, how)
		}
	}
	if err := os.MkdirAll(filepath.Dir(l.file), 0o700); err != nil {
		return fmt.Errorf("the list of finished lessons cannot be stored: %w", err)
	}
	if err := (written{path: l.file, text: []byte(text.String()), mode: 0o600}).write(); err != nil {
		return fmt.Errorf("the list of finished lessons cannot be stored: %w", err)
	}
	return nil
}

// forget removes the file. That there is none is no error. What was read stays.
func (l *learned) forget() error {
	if l.file == "" {
		return nil
	}
	if err := os.Remove(l.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// mark returns the mark behind a lesson in the list.
func (l *learned) mark(number int) string {
	switch l.of[number] {
	case answeredRight:
		return " (answered rightly)"
	case answeredWrong:
		return " (answered wrongly)"
	case watched:
		return " (watched)"
	}
	return ""
}

// next says which lesson to continue with: the first that was not finished.
func (l *learned) next() string {
	for i := range lessons() {
		if l.of[i+1] != "" {
			continue
		}
		if len(l.of) == 0 {
			return fmt.Sprintf("Begin with `sim learn %d`.", i+1)
		}
		return fmt.Sprintf("Continue with `sim learn %d`; `sim learn --forget` begins again.", i+1)
	}
	return "You have seen all lessons; `sim learn --forget` begins again."
}
