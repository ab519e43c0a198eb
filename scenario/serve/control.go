package serve

import (
	"cmp"
	"net/http"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// control answers a request to the simulator itself: GET /sim/clock returns the session's time, and POST below it
// moves the clock or changes its speed: advance?by=DURATION, step, settle, speed?to=SPEED, pause. POST
// /sim/checkpoint/NAME saves the session, and POST /sim/restore/NAME restores it. GET
// /sim/why/KIND/NAME?namespace=NAMESPACE says why an object is as it is. POST /sim/step does the step of a scenario
// that is in the body: a failure or a repair.
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
	s.pace.CatchUp()
	if err := s.pace.Leaves(r); err != nil {
		return err
	}
	answer := any(nil)
	switch what {
	case "step":
		s.keep(r)
		answer, err = s.step(text)
	case "clock":
		err = s.pace.Moved(one, r)
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
		answer, err = s.reader.Why(one, model.Key{Namespace: cmp.Or(r.URL.Query().Get("namespace"), "default"), Name: two})
	default:
		err = refuse.NotServed()
	}
	s.cluster.Halfway = false
	if err != nil {
		return err
	}
	if answer == nil {
		answer = s.pace.Time()
	}
	request.Send(w, http.StatusOK, answer)
	return nil
}
