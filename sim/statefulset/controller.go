package statefulset

import "github.com/statefulsim/statefulsim/model"

// New returns the StatefulSet controller as the profile's version has it. It may run several syncs of different sets
// at a time, if each is suspended within a call while another one runs; it must not be used by two goroutines at
// once.
func New(p Profile) model.Controller {
	return &controller{
		profile: p, wants: p.wants(false), wantsClaims: p.wants(true),
	}
}

// controller implements model.Controller. Nothing that it keeps from one sync to the next decides anything: it is
// memory that is used again, and texts that follow from their keys. So a fresh controller continues a run just as the
// old one.
type controller struct {
	profile Profile
	// idle holds the syncs that have ended, to be used again. It is a stack and not one value, because a world may suspend
	// a sync between two calls and run that of another set meanwhile.
	idle []*sync
	// names are the pod names that were built so far; labels and texts belong to it in the same way. All syncs share
	// them.
	names  podNames
	labels labels
	texts  texts
	// wants are the questions of a sync, for sets without claims and with. They follow from the profile.
	wants, wantsClaims wants
}

// KeepsNoObjects says that the controller holds no object when its syncs have ended, so that the API server may write
// over versions that are replaced. It is a marker method: the world asks for it with a type assertion, because a
// controller of somebody else may keep objects.
func (c *controller) KeepsNoObjects() {}

// Sync brings one set nearer to its spec. It implements model.Controller. The waits of the result are valid until the
// next call.
func (c *controller) Sync(view model.View, calls model.Calls) (result model.Result) {
	s := c.begin(view, calls)
	s.run(&result)
	s.end()
	c.idle = append(c.idle, s)
	return result
}

// begin returns a sync with everything set but what the sync itself finds out.
func (c *controller) begin(view model.View, calls model.Calls) *sync {
	var s *sync
	if last := len(c.idle) - 1; last >= 0 {
		s, c.idle = c.idle[last], c.idle[:last]
	} else {
		s = &sync{names: &c.names, labels: &c.labels, texts: &c.texts}
	}
	s.start(&c.profile, view, calls)
	if s.wants = &c.wants; len(s.set.Spec.ClaimTemplates) > 0 {
		s.wants = &c.wantsClaims
	}
	return s
}
