package explain

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Instant is virtual time; JSON has it in seconds.
type Instant model.Time

// MarshalJSON renders the seconds.
func (i Instant) MarshalJSON() ([]byte, error) { return []byte(model.Time(i).Seconds()), nil }

// clock renders an instant as all reports do.
func clock(i Instant) string { return model.Time(i).Clock() }

// roughly returns a time that is not exact, for people: whole seconds from one second on.
func roughly(i Instant) string {
	if at := modelTime(i); at >= model.Time(time.Second) {
		return model.Time(time.Duration(at).Round(time.Second)).Clock()
	}
	return clock(i)
}

// modelTime returns the instant as the model has it.
func modelTime(i Instant) model.Time { return model.Time(i) }
