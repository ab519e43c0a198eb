package pace

import (
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// Time is what the server tells clients about its clock.
type Time struct {
	// At is the instant of the world in seconds, Time the same as clients have it.
	At   float64   `json:"at"`
	Time time.Time `json:"time"`
	// Speed is 60x, max or paused. Settled is true if nothing is left that could change something.
	Speed   string `json:"speed"`
	Settled bool   `json:"settled"`
}

// Time returns the session's time.
func (p *Pace) Time() Time {
	_, open := p.Cluster.Next()
	return Time{At: time.Duration(p.Cluster.World.Now()).Seconds(), Time: p.Cluster.Instant(), Speed: p.Clock.Speed().String(),
		Settled: !open}
}

// settled plays on until nothing is left that could change something.
func (p *Pace) settled(r *http.Request) error {
	defer p.Rebase()
	defer p.letRead()()
	for n := range mostInstants {
		next, open := p.Cluster.Next()
		if !open || p.left(r) {
			return p.Leaves(r)
		}
		p.Advance(next, func() bool { return p.left(r) })
		p.breathe(n)
	}
	return apierrors.NewTimeoutError("the cluster does not settle: something changes again and again", 0)
}

// moveOn lets the world run up to an instant as long as someone waits for it.
func (p *Pace) moveOn(to model.Time, r *http.Request) {
	defer p.letRead()()
	n := 0
	p.Advance(to, func() bool {
		n++
		p.breathe(n)
		return p.left(r)
	})
}

// Moved moves the clock by hand, or changes its speed.
func (p *Pace) Moved(do string, r *http.Request) error {
	switch do {
	case "":
	case "advance":
		by, err := time.ParseDuration(r.URL.Query().Get("by"))
		if err != nil || by < 0 || by > recording.Longest {
			return apierrors.NewBadRequest("by is no duration like 30s or 1h30m")
		}
		to := p.Cluster.World.Now().Add(by)
		if to > model.Time(recording.Longest) {
			return apierrors.NewBadRequest("the clock goes no further than a hundred years")
		}
		p.moveOn(to, r)
		if p.Rebase(); p.Cluster.World.Now() < to {
			return p.Leaves(r)
		}
	case "step":
		if next, open := p.Cluster.Next(); open {
			p.Advance(next, p.Ended)
			p.Rebase()
		}
	case "settle":
		return p.settled(r)
	case "pause":
		p.SetSpeed(clock.Paused)
	case "speed":
		speed, err := clock.Parse(r.URL.Query().Get("to"))
		if err != nil {
			return apierrors.NewBadRequest(err.Error())
		}
		p.SetSpeed(speed)
	default:
		return refuse.NotServed()
	}
	return nil
}

// mostInstants is how many instants settling may take: a controller in a livelock never settles.
const mostInstants = 100_000
