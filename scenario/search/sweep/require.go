package sweep

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Requirement is a bound that a sum has to keep: 'p99 <= 10m'.
type Requirement struct {
	text, of string
	atLeast  bool
	// value is a percentage for held, a number of pods for minReady, and seconds for the durations. of is the quantity, a
	// key of quantities, and atLeast is true for >=.
	value float64
}

// quantities are the subjects of a requirement, each with whether it is a duration. minReady is what sim plan calls it;
// fewest is its older name.
var quantities = map[string]bool{
	"held": false, "minReady": false, "fewest": false, "p50": true, "p90": true, "p99": true, "max": true,
}

// Requirements reads requirements like 'held >= 99' and 'p99 <= 10m'. The error says what would be right. The result
// has one for each text, in their order, and is nil without texts.
func Requirements(texts []string) ([]Requirement, error) {
	var list []Requirement
	for _, text := range texts {
		words := strings.Fields(text)
		if len(words) != 3 || words[1] != ">=" && words[1] != "<=" {
			return nil, fmt.Errorf("%q is not a requirement: write one like 'p99 <= 10m'", text)
		}
		isTime, known := quantities[words[0]]
		if !known {
			return nil, fmt.Errorf("unknown %q: write one of held, minReady, p50, p90, p99, max", words[0])
		}
		r := Requirement{text: text, of: words[0], atLeast: words[1] == ">="}
		var err error
		if r.value, err = bound(words[2], isTime); err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		list = append(list, r)
	}
	return list, nil
}

// bound reads the number behind the operator.
func bound(text string, isTime bool) (float64, error) {
	if isTime {
		d, err := time.ParseDuration(text)
		if err != nil {
			return 0, fmt.Errorf("%q is not a duration: write one like 10m", text)
		}
		return d.Seconds(), nil
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return value, nil
}

// Broken says which requirements a sum does not keep, and what it has instead; nil if it keeps all.
func (s *Sum) Broken(requirements []Requirement) []string {
	var broken []string
	for _, r := range requirements {
		got := s.quantity(r.of)
		if r.atLeast && got < r.value || !r.atLeast && got > r.value {
			is := fmt.Sprintf("%g", got)
			if quantities[r.of] {
				is += "s"
			}
			broken = append(broken, fmt.Sprintf("%s does not hold: it is %s", r.text, is))
		}
	}
	return broken
}

// quantity returns the value that a requirement is about, in the requirement's unit; held is the percentage of the runs
// themselves, and not a bound of its interval. The fewest pods are 0 if no set ever served with all its replicas: then
// there is nothing that a bound could hold for.
func (s *Sum) quantity(of string) float64 {
	switch of {
	case "held":
		return 100 * float64(s.Held.Count) / float64(max(s.Runs, 1))
	case "minReady", "fewest":
		fewest := -1
		for _, set := range s.Sets {
			if least := set.Fewest[0].Value; fewest < 0 || least < fewest {
				fewest = least
			}
		}
		return float64(max(fewest, 0))
	case "p50":
		return s.Takes.P50
	case "p90":
		return s.Takes.P90
	case "p99":
		return s.Takes.P99
	}
	return s.Takes.Max
}
