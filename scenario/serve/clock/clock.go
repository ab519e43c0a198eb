// Package clock relates the virtual time of a session to the time of its clients. It reads no clock: every instant of
// the clients' time is passed to it.
package clock

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Speed is how many times faster virtual time passes than the clients'. Paused is 0; with Max it jumps from event to
// event.
type Speed float64

// The speeds without a factor.
const (
	Paused Speed = 0
	Max    Speed = -1
)

// fastest is the highest factor; the lowest is one divided by it. For more, there are max and paused.
const fastest = 100_000

// Parse reads a speed: 1x, 60x, max or paused.
func Parse(text string) (Speed, error) {
	switch text {
	case "max":
		return Max, nil
	case "paused":
		return Paused, nil
	}
	factor, err := strconv.ParseFloat(strings.TrimSuffix(text, "x"), 64)
	if err != nil || !strings.HasSuffix(text, "x") || !(factor >= 1.0/fastest && factor <= fastest) {
		return 0, fmt.Errorf("%q is no speed: write a factor from 0.00001 to %d, like 1x or 60x, or max, or paused",
			text, fastest)
	}
	return Speed(factor), nil
}

// String returns the speed as Parse reads it.
func (s Speed) String() string {
	switch s {
	case Max:
		return "max"
	case Paused:
		return "paused"
	}
	return strconv.FormatFloat(float64(s), 'g', -1, 64) + "x"
}

// Timed reports whether virtual time passes with the clients' time.
func (s Speed) Timed() bool { return s > 0 }

// Clock is a clock that runs at a speed from a virtual instant and the matching instant of the clients.
type Clock struct {
	speed Speed
	wall  time.Time
	at    model.Time
}

// New returns a clock that runs at a speed from an instant of virtual time on, which is wall for the clients.
func New(speed Speed, wall time.Time, at model.Time) Clock { return Clock{speed, wall, at} }

// Speed returns the clock's speed.
func (c *Clock) Speed() Speed { return c.speed }

// At returns the virtual time at an instant of the clients' time. Clocks that are not timed do not move.
func (c *Clock) At(wall time.Time) model.Time {
	if !c.speed.Timed() || wall.Before(c.wall) {
		return c.at
	}
	return c.at.Add(time.Duration(float64(wall.Sub(c.wall)) * float64(c.speed)))
}

// Until returns how long a client waits at an instant of its time until it is a virtual time; the clock is timed.
func (c *Clock) Until(at model.Time, wall time.Time) time.Duration {
	return max(0, time.Duration(float64(at.Sub(c.At(wall)))/float64(c.speed)))
}
