package behaviour

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/sim/choose"
)

// Never is the delay of what does not happen at all.
var Never Delay = never{}

type never struct{}

// Draw says that it never happens.
func (never) Draw(choose.Chooser) (int64, bool) { return 0, true }

// String renders the delay as a scenario has it.
func (never) String() string { return "never" }

// Constant is always the same delay. It needs no chooser.
type Constant time.Duration

// Draw returns the delay.
func (c Constant) Draw(choose.Chooser) (int64, bool) { return int64(c), false }

// String renders the delay as a duration.
func (c Constant) String() string { return time.Duration(c).String() }

// quantiles is the number of equally likely quantiles that a draw chooses from. A draw is a bounded integer, so that a
// recorded run can be replayed and shrunk; 0 is the shortest delay.
const quantiles = 1 << 20

// resolution is the unit to which a drawn delay is rounded. It is far coarser than the differences between the
// floating point arithmetic of two machines, so the same seed gives the same run everywhere.
const resolution = 100 * time.Microsecond

// distribution is a delay given by its quantile function, in seconds: quantile is given a number in (0,1).
type distribution struct {
	text     string
	quantile func(p float64) float64
}

// Draw draws a delay; a negative one is taken as 0.
func (d distribution) Draw(chooser choose.Chooser) (int64, bool) {
	p := (float64(chooser.Choose(choose.Timing, quantiles)) + 0.5) / quantiles
	seconds := math.Max(0, d.quantile(p))
	steps := math.Round(seconds * float64(time.Second/resolution))
	return int64(math.Min(steps, math.MaxInt64/2/float64(resolution))) * int64(resolution), false
}

// String renders the distribution as a scenario has it.
func (d distribution) String() string { return d.text }

// Uniform returns a delay between two bounds, any one as likely as the other.
func Uniform(lowest, highest time.Duration) Delay {
	return distribution{
		text:     fmt.Sprintf("{uniform: [%s, %s]}", lowest, highest),
		quantile: func(p float64) float64 { return lowest.Seconds() + p*(highest-lowest).Seconds() },
	}
}

// Normal returns a normally distributed delay, cut off at 0.
func Normal(mean, sd time.Duration) Delay {
	return distribution{
		text:     fmt.Sprintf("{normal: {mean: %s, sd: %s}}", mean, sd),
		quantile: func(p float64) float64 { return mean.Seconds() + sd.Seconds()*normalQuantile(p) },
	}
}

// Lognormal returns a delay whose logarithm is normally distributed, given by its median and its 99th percentile: what
// start-up times mostly look like.
func Lognormal(p50, p99 time.Duration) Delay {
	sigma := math.Log(p99.Seconds()/p50.Seconds()) / normalQuantile(0.99)
	return distribution{
		text:     fmt.Sprintf("{lognormal: {p50: %s, p99: %s}}", p50, p99),
		quantile: func(p float64) float64 { return p50.Seconds() * math.Exp(sigma*normalQuantile(p)) },
	}
}

// Exponential returns a delay with a constant chance to end at any time.
func Exponential(mean time.Duration) Delay {
	return distribution{
		text:     fmt.Sprintf("{exponential: {mean: %s}}", mean),
		quantile: func(p float64) float64 { return -mean.Seconds() * math.Log1p(-p) },
	}
}

// normalQuantile is the quantile function of the standard normal distribution, for p in (0,1).
func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// Weighted is one of several delays, and how often it comes beside the others.
type Weighted struct {
	Value  Delay
	Weight int
}

// Choice returns one of several delays, by weight. The first one is the dull answer.
func Choice(options []Weighted) Delay { return choice(options) }

type choice []Weighted

// Draw chooses an option and draws from it.
func (c choice) Draw(chooser choose.Chooser) (int64, bool) {
	total := 0
	for _, option := range c {
		total += option.Weight
	}
	at := chooser.Choose(choose.Timing, total)
	for _, option := range c {
		if at < option.Weight {
			return option.Value.Draw(chooser)
		}
		at -= option.Weight
	}
	panic(fmt.Sprintf("kubelet: choice %d of %d is none of %s", at, total, c))
}

// String renders the choice as a scenario has it.
func (c choice) String() string {
	texts := make([]string, len(c))
	for i, option := range c {
		texts[i] = fmt.Sprintf("{value: %s, weight: %d}", option.Value, option.Weight)
	}
	return "{choice: [" + strings.Join(texts, ", ") + "]}"
}
