package html

import (
	"strconv"

	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// scale maps instants to places in a picture, as axis.js does on the page: creation is folded if the run has more
// to show, and the end of a run gets room after it.
type scale struct {
	// times are the instants of the stops, in seconds.
	times []float64
	// fold is the end of the creation, high the end of the run, in seconds; stub and tail are the parts of the width that
	// the folded creation and the end get.
	fold, high, stub, tail float64
	// left and right are the ends of the picture, in pixels.
	left, right float64
}

// The parts of the width that a picture gives to a folded creation, to what lasts forever, and to any other end.
const (
	stubPart    = 0.06
	endlessPart = 0.2
	tailPart    = 0.05
	// foldFrom is the share of a run above which its creation is folded.
	foldFrom = 0.2
)

// scaleOf returns the scale of a run between two ends, in pixels. A creation is folded up to the next step.
func scaleOf(run *runData, left, right float64) *scale {
	s := &scale{left: left, right: right, tail: tailPart}
	for _, t := range run.Times {
		s.times = append(s.times, float(string(t)))
	}
	s.high = max(float(string(run.End)), 1e-9)
	switch {
	case s.high <= 1e-9: // Nothing happens: all there is is the end.
		s.tail = 1
	case endless(run):
		s.tail = endlessPart
	}
	for _, step := range run.Steps {
		if !step.Creates && step.Stop > 0 {
			if begun := s.times[step.Stop]; begun > s.high*foldFrom {
				s.fold, s.stub = begun, stubPart
			}
			break
		}
	}
	return s
}

// float reads a number of the page's data, 0 if it is none.
func float(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return f
}

// endless reports whether a run can never go on from how it ends.
func endless(run *runData) bool {
	return run.Verdict == string(timeline.IsStuck) || run.Verdict == string(timeline.Livelock)
}

// at returns the position of an instant, in pixels.
func (s *scale) at(t float64) float64 {
	place := s.stub
	switch {
	case t < s.fold:
		place = s.stub * t / s.fold
	case s.high > s.fold:
		place += (1 - s.stub - s.tail) * (t - s.fold) / (s.high - s.fold)
	}
	return s.left + (s.right-s.left)*place
}

// stop returns the position of a stop.
func (s *scale) stop(n int) float64 { return s.at(s.times[n]) }

// distances are the distances between the marks of an axis, in seconds: the units that people count time in.
var distances = []float64{
	0.01, 0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400,
}

// mark is a mark of the axis.
type mark struct {
	x    float64
	text string
}

// marks returns the marks of the axis in their order, from the end of the folded creation on. None is after the end
// of the run.
func (s *scale) marks() []mark {
	list := []mark{{s.at(0), "0s"}}
	room := max(2, int((s.right-s.left)/90))
	distance := distances[len(distances)-1]
	for _, d := range distances {
		if (s.high-s.fold)/d <= float64(room) {
			distance = d
			break
		}
	}
	for i := int(s.fold/distance) + 1; float64(i)*distance <= s.high+1e-9; i++ {
		t := float64(i) * distance
		list = append(list, mark{s.at(t), report.Clock(seconds64(t))})
	}
	return list
}
