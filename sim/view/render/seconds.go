package render

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Seconds is a span of virtual time; JSON has it in seconds.
type Seconds time.Duration

// MarshalJSON writes the span as a decimal number of seconds.
func (s Seconds) MarshalJSON() ([]byte, error) { return []byte(model.Time(s).Seconds()), nil }
