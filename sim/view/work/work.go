// Package work is how the work of a command is done, and how it ends: several things at once, until the user
// interrupts, within the memory that it may take, and with an error that decides the exit code. It belongs to commands:
// no simulation uses it, since what it does depends on the machine.
package work

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

var (
	// ErrFailed says that a run or a test failed. It has been reported already.
	ErrFailed = errors.New("failed")
	// ErrWrongInput says that one of several scenarios could not be read. It has been reported already.
	ErrWrongInput = errors.New("wrong input")
	// ErrTimeout says that the time was over. It has been reported already.
	ErrTimeout = errors.New("timeout")
	// ErrInterrupted says that the user ended the run. The results so far have been reported already.
	ErrInterrupted = errors.New("interrupted")
)

// Usage is a command that was called in a wrong way; its usage is printed with it.
type Usage struct{ text string }

// Error returns what is wrong, and what would be right.
func (e Usage) Error() string { return e.text }

// Usagef returns the error of a wrong call, as fmt.Sprintf words it: the exit code is 2, and the usage follows.
func Usagef(format string, args ...any) error { return Usage{fmt.Sprintf(format, args...)} }

// Defect is a panic of sim that was caught, with what is needed to report it. It is never the input's fault.
type Defect struct {
	Value any
	Stack string
}

// Error returns the panic's value.
func (d Defect) Error() string { return fmt.Sprint(d.Value) }

// Caught turns a panic into an error. It has to be deferred. It catches panics of its own goroutine only. A defect that
// another goroutine has caught keeps its stack.
func Caught(err *error) {
	value := recover()
	if bug, is := value.(Defect); is {
		*err = bug
	} else if value != nil {
		*err = Defect{value, string(debug.Stack())}
	}
}

// Await returns what do returns, or ErrInterrupted as soon as ctx ends: reading a large file takes long, and a device
// may never answer. do may then still go on, and what it returns is dropped. A panic of do becomes an error.
func Await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	return AwaitShowing(ctx, nil, do)
}

// AwaitShowing is Await that shows meanwhile how long it takes, unless bar is nil.
func AwaitShowing[T any](ctx context.Context, bar *Progress, do func() (T, error)) (T, error) {
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
			defer Caught(&a.err)
			a.value, a.err = do()
		}()
		done <- a
	}()
	defer bar.Clear()
	tick := time.NewTicker(time.Second / 4)
	defer tick.Stop()
	for {
		select {
		case a := <-done:
			return a.value, a.err
		case <-ctx.Done():
			var none T
			return none, ErrInterrupted
		case <-tick.C:
			bar.Show(nil)
		}
	}
}

// Must panics on an error that only a mistake in this program can cause.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}

// InOrder calls work for 0 to n-1, on at most so many goroutines, and done, on the caller's, with the results in
// that order, as soon as each is there. If done returns an error, or work panics, that is returned at once, while
// calls that have started still run. The remaining calls still start, so work must be able to see that it is over.
func InOrder[T any](n, workers int, work func(int) T, done func(T) error) error {
	type result struct {
		value T
		err   error
	}
	results := make([]chan result, n)
	for i := range results {
		results[i] = make(chan result, 1)
	}
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	try := func(i int) (r result) {
		defer Caught(&r.err)
		r.value = work(i)
		return r
	}
	for range min(workers, n) {
		go func() {
			for i := range next {
				results[i] <- try(i)
			}
		}()
	}
	for i := range results {
		r := <-results[i]
		if r.err != nil {
			return r.err
		}
		if err := done(r.value); err != nil {
			return err
		}
	}
	return nil
}
