package statefulset

import (
	"errors"

	"github.com/statefulsim/statefulsim/model"
)

// New returns the StatefulSet controller as the profile's version has it.
func New(p Profile) model.Controller { return &controller{profile: p} }

type controller struct {
	profile Profile
	// idle holds the syncs that have ended, to be used again. It is a stack and not one value, because a world may suspend
	// a sync between two calls and run that of another set meanwhile.
	idle []*sync
}

// Sync brings one set nearer to its spec. The waits of the result are valid until the next call.
func (c *controller) Sync(view model.View, calls model.Calls) model.Result {
	s := c.begin(view, calls)
	result := s.run()
	s.end()
	c.idle = append(c.idle, s)
	return result
}

func (c *controller) begin(view model.View, calls model.Calls) *sync {
	var s *sync
	if last := len(c.idle) - 1; last >= 0 {
		s, c.idle = c.idle[last], c.idle[:last]
	} else {
		s = &sync{}
	}
	s.start(&c.profile, view, calls)
	return s
}

// errStale is the error of a sync that the stale-cache guard refused.
var errStale = errors.New("the caches have not seen the controller's own last writes yet")

// run is one sync, from the guard to the requeue.
func (s *sync) run() model.Result {
	if s.profile.StaleGuard && s.view.Stale() {
		s.wait(model.Why{Code: model.StaleCache})
		return model.Result{Err: errStale, Waits: s.waits}
	}
	if err := s.takeOwnership(); err != nil {
		s.wait(model.Why{Code: model.SyncError})
		return model.Result{Err: err, Waits: s.waits}
	}
	err := s.perform()
	if err == nil || s.profile.TruncateOnError {
		err = join(err, s.truncateHistory())
	}
	if err != nil {
		if !s.claimBlocks {
			s.wait(model.Why{Code: model.SyncError})
		}
		return model.Result{Err: err, Waits: s.waits}
	}
	result := s.requeue()
	result.Waits = s.waits
	return result
}

// perform does everything but the truncation of the history.
func (s *sync) perform() error {
	if err := s.chooseRevisions(); err != nil {
		return err
	}
	if err := s.refuseUnknownStrategy(); err != nil {
		return err
	}
	s.startStatus()
	err := s.phases()
	if err != nil && !s.profile.StatusOnError {
		return err
	}
	if statusErr := s.writeStatus(); err == nil {
		err = statusErr
	}
	return err
}

// phases acts on the pods: replicas upwards, then condemned pods downwards, then the update downwards. A phase that
// ends the sync, as OrderedReady does at a blocker and after each act, keeps the later ones from running.
func (s *sync) phases() error {
	if s.set.Terminating() {
		s.wait(model.Why{Code: model.SetDeleting, Object: s.set.Name})
		return nil
	}
	if end, err := s.recreate(); end || err != nil {
		return err
	}
	if end, err := s.processReplicas(); end || err != nil {
		return err
	}
	if err := s.retainCondemned(); err != nil {
		return err
	}
	if end, err := s.processCondemned(); end || err != nil {
		return err
	}
	if err := s.processUpdate(); err != nil {
		return err
	}
	s.waitInParallel()
	return nil
}
