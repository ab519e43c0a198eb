package behaviour

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Pull is how the pulling of a pod's image goes, which begins when the pod is bound and comes before its start.
type Pull struct {
	// Takes is how long an attempt takes, whether it succeeds or not; nil is no time.
	Takes Delay
	// Fails is how many attempts of a pod fail; a negative number is all of them.
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
