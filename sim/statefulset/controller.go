package statefulset

import "github.com/statefulsim/statefulsim/model"

// New returns the StatefulSet controller as the profile's version has it. It may run several syncs of different sets at
// a time, if each is suspended within a call while another one runs; it must not be used by two goroutines at once.
func New(p Profile) model.Controller {
	return &controller{
		profile: p, wants: p.wants(false), wantsClaims: p.wants(true),
	}
}

// controller implements model.Controller. It knows nothing of one sync in the next, so a fresh controller continues a
// run just as the old one.
type controller struct {
	profile Profile
	// idle has the memory of syncs that have ended, for the next ones. It is a stack, because a world may suspend a sync
	// within a call and run that of another set meanwhile.
	idle []*sync
	// wants are the pod predicates of a sync, for sets without claims and with. They follow from the profile.
	wants, wantsClaims wants
}

// KeepsNoObjects says that the controller holds no object when its syncs have ended, so that the API server may write
// over versions that are replaced. It is a marker method: the world asks for it with a type assertion, because a
// controller of somebody else may keep objects.
func (c *controller) KeepsNoObjects() {}

// Sync brings one set nearer to its spec. It implements model.Controller. The waits of the result are valid until the
// next call.
func (c *controller) Sync(view model.View, calls model.Calls) model.Result {
	s := c.begin(view, calls)
	result := s.run()
	*s = sync{waits: s.waits[:0]}
	c.idle = append(c.idle, s)
	return result
}

// begin returns a sync with everything set but what the sync itself finds out.
func (c *controller) begin(view model.View, calls model.Calls) *sync {
	if len(c.idle) == 0 {
		c.idle = []*sync{{}}
	}
	last := len(c.idle) - 1
	s := c.idle[last]
	c.idle = c.idle[:last]
	set := view.Set()
	s.profile, s.view, s.calls, s.set, s.wants = &c.profile, view, calls, set, &c.wants
	s.replicas, s.monotonic = view.Len(model.Replicas), set.Spec.PodManagement != model.Parallel
	if len(set.Spec.ClaimTemplates) > 0 {
		s.wants = &c.wantsClaims
	}
	s.retains = s.retainsClaims()
	return s
}
