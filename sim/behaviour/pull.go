package behaviour

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Pull says how a pod's image is pulled. The pull begins when the pod is bound, and ends before its start.
type Pull struct {
	// Takes is the time that an attempt takes, whether it succeeds or not; nil means no time.
	Takes Delay
	// Fails is the number of attempts of a pod that fail; a negative number means all of them.
	Fails int
	// Until is the instant up to which attempts fail, as while a registry is down; 0 is none.
	Until time.Duration
}

// FailsAt says whether an attempt that ends at that instant fails, after so many that have failed.
func (p *Pull) FailsAt(failed int, now model.Time) bool {
	return p.Never() || failed < p.Fails || now < model.Time(p.Until)
}

// Never says whether no attempt ever succeeds.
func (p *Pull) Never() bool { return p.Fails < 0 || p.Takes == Never }
