package serve

import (
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/statefulsim/statefulsim/scenario/serve/clock"
)

// Control is the first part of the paths that are none of Kubernetes: /sim/clock and what is below it.
const Control = "sim"

// Time is what the server says of its clock.
type Time struct {
	// At is the instant of the world in seconds, Time the same as clients have it.
	At   float64   `json:"at"`
	Time time.Time `json:"time"`
	// Speed is 60x, max or paused. Settled says that nothing is left that could change something.
	Speed   string `json:"speed"`
	Settled bool   `json:"settled"`
}

// control answers a request about the clock: GET /sim/clock says how late it is, and POST below it moves the clock or
// changes its speed: advance?by=DURATION, step, settle, speed?to=SPEED, pause.
func (s *Server) control(w http.ResponseWriter, r *http.Request, parts []string) error {
	if len(parts) == 0 || parts[0] != "clock" || len(parts) > 2 {
		return notServed()
	}
	do := ""
	if len(parts) == 2 {
		do = parts[1]
	}
	if want := map[bool]string{true: http.MethodGet, false: http.MethodPost}[do == ""]; r.Method != want {
		return failure(http.StatusMethodNotAllowed, "MethodNotAllowed", r.URL.Path+" takes "+want)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	if err := s.moved(do, r); err != nil {
		return err
	}
	_, open := s.world.Next()
	send(w, http.StatusOK, Time{At: time.Duration(s.world.Now()).Seconds(), Time: s.instant(),
		Speed:   s.clock.Speed().String(),
		Settled: !open})
	return nil
}

// mostInstants is how many instants settling may take: a controller in a livelock never settles.
const mostInstants = 100_000

// settled plays on until nothing is left that could change something.
func (s *Server) settled() error {
	defer s.rebase()
	for range mostInstants {
		next, open := s.world.Next()
		if !open {
			return nil
		}
		s.advance(next)
	}
	return apierrors.NewTimeoutError("the cluster does not settle: something changes again and again", 0)
}

// longest is how far a client may move the clock at once.
const longest = 100 * 365 * 24 * time.Hour

// moved moves the clock by hand, or changes its speed.
func (s *Server) moved(do string, r *http.Request) error {
	switch do {
	case "":
	case "advance":
		by, err := time.ParseDuration(r.URL.Query().Get("by"))
		if err != nil || by < 0 || by > longest {
			return apierrors.NewBadRequest("by is no duration like 30s or 1h30m")
		}
		s.advance(s.world.Now().Add(by))
		s.rebase()
	case "step":
		if next, open := s.world.Next(); open {
			s.advance(next)
			s.rebase()
		}
	case "settle":
		return s.settled()
	case "pause":
		s.setSpeed(clock.Paused)
	case "speed":
		speed, err := clock.Parse(r.URL.Query().Get("to"))
		if err != nil {
			return apierrors.NewBadRequest(err.Error())
		}
		s.setSpeed(speed)
	default:
		return notServed()
	}
	return nil
}
