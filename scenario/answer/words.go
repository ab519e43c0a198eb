package answer

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// VersionText returns the versions as the flag has them.
func (o *World) VersionText() string { return strings.Join(o.Versions(), ",") }

// flagWords returns flags as a command line has them, of pairs of a flag and its value. One whose value is zero was not
// given; a list has the flag before each entry, and what is true is the flag alone.
func flagWords(pairs ...any) []string {
	var words []string
	for pair := range slices.Chunk(pairs, 2) {
		flag := pair[0].(string)
		switch list, is := pair[1].([]string); {
		case is:
			for _, entry := range list {
				words = append(words, flag, entry)
			}
		case reflect.ValueOf(pair[1]).IsZero():
		case pair[1] == true:
			words = append(words, flag)
		default:
			words = append(words, flag, fmt.Sprint(pair[1]))
		}
	}
	return words
}

// Times are the flags that say how long the pods of a live cluster take; "" is what the cluster shows of them.
type Times struct {
	Start, Ready, Stop string
	Records            []string
}

// words returns the flags as they were given.
func (t *Times) words() []string {
	return flagWords("--start", t.Start, "--ready", t.Ready, "--stop", t.Stop, "--recording", t.Records)
}

// read parses the durations that were given; the others stay as they are.
func (t *Times) read(start, ready, stop *behaviour.Delay) error {
	for _, of := range []struct {
		flag, text string
		delay      *behaviour.Delay
	}{{"--start", t.Start, start}, {"--ready", t.Ready, ready}, {"--stop", t.Stop, stop}} {
		if of.text == "" {
			continue
		}
		delay, err := scenario.ParseDelay(of.flag, of.text)
		if err != nil {
			return usagef("%s", err)
		}
		*of.delay = delay
	}
	return nil
}

// GateText returns gates in the order of their names.
func GateText(gates map[string]bool) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		words = append(words, fmt.Sprintf("%s=%t", name, gates[name]))
	}
	return strings.Join(words, ",")
}
