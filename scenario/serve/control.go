package serve

import (
	"cmp"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// Time is what the server says of its clock.
type Time struct {
	// At is the instant of the world in seconds, Time the same as clients have it.
	At   float64   `json:"at"`
	Time time.Time `json:"time"`
	// Speed is 60x, max or paused. Settled says that nothing is left that could change something.
	Speed   string `json:"speed"`
	Settled bool   `json:"settled"`
}

// control answers a request to the simulator itself: GET /sim/clock says how late it is, and POST below it moves the
// clock or changes its speed: advance?by=DURATION, step, settle, speed?to=SPEED, pause. POST /sim/checkpoint/NAME keeps
// the session as it is, and POST /sim/restore/NAME goes back to it. GET /sim/why/KIND/NAME?namespace=NAMESPACE says why
// an object is as it is. POST /sim/step does a step of a scenario, which is in the body: something fails, or is mended.
func (s *Server) control(w http.ResponseWriter, r *http.Request, parts []string) error {
	parts = append(parts, "", "", "")
	what, one, two := parts[0], parts[1], parts[2]
	want := http.MethodPost
	if what == "why" || what == "clock" && one == "" {
		want = http.MethodGet
	}
	switch {
	case len(parts) > 3+3 || two != "" != (what == "why") || one == "" && what != "clock" && what != "step",
		one != "" && what == "step":
		return refuse.NotServed()
	case r.Method != want:
		return refuse.With(http.StatusMethodNotAllowed, "MethodNotAllowed", r.URL.Path+" takes "+want)
	}
	text, err := stepGiven(r)
	if err != nil {
		return err
	}
	if r.Method == http.MethodPost {
		s.writing.Lock()
		defer s.writing.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pace.catchUp()
	if err := s.pace.leaves(r); err != nil {
		return err
	}
	answer := any(nil)
	switch what {
	case "step":
		s.keep(r)
		answer, err = s.step(text)
	case "clock":
		err = s.pace.moved(one, r)
	case "checkpoint":
		if s.config.NoHistory {
			err = apierrors.NewBadRequest("a checkpoint keeps the timeline: start sim serve without --no-history")
			break
		}
		s.keep(r)
		s.checkpoints[one] = s.cluster.Checkpoint()
	case "restore":
		s.keep(r)
		err = s.restore(one)
	case "why":
		answer, err = s.reader.why(one, model.Key{Namespace: cmp.Or(r.URL.Query().Get("namespace"), "default"), Name: two})
	default:
		err = refuse.NotServed()
	}
	s.cluster.Halfway = false
	if err != nil {
		return err
	}
	if answer == nil {
		answer = s.pace.time()
	}
	send(w, http.StatusOK, answer)
	return nil
}

// time says how late it is.
func (p *pace) time() Time {
	_, open := p.cluster.Next()
	return Time{At: time.Duration(p.cluster.World.Now()).Seconds(), Time: p.cluster.Instant(), Speed: p.clock.Speed().String(),
		Settled: !open}
}

// mostInstants is how many instants settling may take: a controller in a livelock never settles.
const mostInstants = 100_000

// settled plays on until nothing is left that could change something.
func (p *pace) settled(r *http.Request) error {
	defer p.rebase()
	defer p.letRead()()
	for n := range mostInstants {
		next, open := p.cluster.Next()
		if !open || p.left(r) {
			return p.leaves(r)
		}
		p.advance(next, func() bool { return p.left(r) })
		p.breathe(n)
	}
	return apierrors.NewTimeoutError("the cluster does not settle: something changes again and again", 0)
}

// moveOn lets the world run up to an instant as long as someone waits for it.
func (p *pace) moveOn(to model.Time, r *http.Request) {
	defer p.letRead()()
	n := 0
	p.advance(to, func() bool {
		n++
		p.breathe(n)
		return p.left(r)
	})
}

// moved moves the clock by hand, or changes its speed.
func (p *pace) moved(do string, r *http.Request) error {
	switch do {
	case "":
	case "advance":
		by, err := time.ParseDuration(r.URL.Query().Get("by"))
		if err != nil || by < 0 || by > recording.Longest {
			return apierrors.NewBadRequest("by is no duration like 30s or 1h30m")
		}
		to := p.cluster.World.Now().Add(by)
		if to > model.Time(recording.Longest) {
			return apierrors.NewBadRequest("the clock goes no further than a hundred years")
		}
		p.moveOn(to, r)
		if p.rebase(); p.cluster.World.Now() < to {
			return p.leaves(r)
		}
	case "step":
		if next, open := p.cluster.Next(); open {
			p.advance(next, p.ended)
			p.rebase()
		}
	case "settle":
		return p.settled(r)
	case "pause":
		p.setSpeed(clock.Paused)
	case "speed":
		speed, err := clock.Parse(r.URL.Query().Get("to"))
		if err != nil {
			return apierrors.NewBadRequest(err.Error())
		}
		p.setSpeed(speed)
	default:
		return refuse.NotServed()
	}
	return nil
}
