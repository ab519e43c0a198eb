package files

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Timeline reads a timeline. An error of a line has its number. It closes what it has read.
func Timeline(from Source, limit int64) ([]timeline.Event, error) {
	if err := from.TooLarge(limit); err != nil {
		return nil, err
	}
	file, err := from.Reader()
	if err != nil {
		return nil, err
	}
	text := bufio.NewReader(&cutOff{file, from.Name(), limit, limit})
	if begin, _ := text.Peek(64); strict.IsSession(begin) {
		return nil, errors.Join(strict.Session(from.Name(), begin), file.Close())
	}
	events, err := timeline.Read(text)
	if err = errors.Join(err, file.Close()); err == nil {
		return events, nil
	}
	var large strict.Problem
	if errors.As(err, &large) {
		return nil, large
	}
	var line *timeline.LineError
	if errors.As(err, &line) {
		return nil, fmt.Errorf("%s:%d: %w", from.Name(), line.Line, line.Err)
	}
	return nil, fmt.Errorf("%s: %w", from.Name(), err)
}
