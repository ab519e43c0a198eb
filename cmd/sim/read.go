package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// read returns the content of the source. What is longer than limit is refused: a file before it is read, anything else
// once there is one byte more. It gives up when the user interrupts.
func (s source) read(limit int64) ([]byte, error) {
	if s.data != nil {
		return s.data, nil
	}
	if err := s.tooLarge(limit); err != nil {
		return nil, err
	}
	return await(s.ctx, func() ([]byte, error) {
		file, err := s.reader()
		if err != nil {
			return nil, err
		}
		data, err := limited(s.name(), file, limit)
		return data, errors.Join(err, file.Close())
	})
}

// tooLarge is the error of a file that says itself that it is longer than limit. A device says nothing.
func (s source) tooLarge(limit int64) error {
	info, err := os.Stat(s.path)
	if s.path == stdin || err != nil || !info.Mode().IsRegular() || info.Size() <= limit {
		return nil
	}
	return strict.Problems{strict.TooLarge(s.name(), limit)}
}

// limited reads up to limit. The error of a text that goes on is that of a file that is too large. Without an error the
// data is never nil.
func limited(name string, from io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, strict.Problems{strict.TooLarge(name, limit)}
	}
	return data, err
}

// cutOff is a text that is read as far as limit; then reading it fails.
type cutOff struct {
	io.ReadCloser
	name        string
	left, limit int64
}

// Read reads on, or fails.
func (c *cutOff) Read(into []byte) (int, error) {
	n, err := c.ReadCloser.Read(into)
	if c.left -= int64(n); c.left < 0 {
		return 0, strict.TooLarge(c.name, c.limit)
	}
	return n, err
}

// await returns what do returns, or errInterrupted as soon as ctx ends: reading a large file takes long, and a device
// may never answer. do may then still go on, and what it returns is dropped. A panic of do becomes an error.
func await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	if ctx == nil {
		return do()
	}
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		func() {
			defer caught(&a.err)
			a.value, a.err = do()
		}()
		done <- a
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, errInterrupted
	}
}
