package dump

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Since says how long something has lasted at the time of a dump, " for 16s"; "" if the dump does not show it, or if it
// has just begun: the time of the dump may be a guess.
func Since(at model.Time) string {
	if at > -second {
		return ""
	}
	return " for " + Age(at)
}

const second, minute, hour = model.Time(1e9), model.Time(60e9), model.Time(3600e9)

// Age returns how long before the dump an instant was, as kubectl shows ages: nobody reads the seconds of an hour.
func Age(at model.Time) string {
	t := max(0, -at)
	switch {
	case t < second:
		return "less than 1s"
	case t < 2*minute:
		return fmt.Sprintf("%ds", t/second)
	case t < 2*hour:
		return fmt.Sprintf("%dm", t/minute)
	case t < 48*hour:
		return fmt.Sprintf("%dh", t/hour)
	}
	return fmt.Sprintf("%dd", t/(24*hour))
}

// Lasting returns the verb of a sentence about a state that began at an instant, and how long it has lasted: "has
// been" and " for 16s". If the dump does not show since when, or it has just begun, it is "is" and "".
func Lasting(at model.Time, known bool) (is, long string) {
	if long = Since(at); !known || long == "" {
		return "is", ""
	}
	return "has been", long
}

// OneLine joins the lines of a message.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
