package statefulset

import "github.com/statefulsim/statefulsim/model"

// New returns the StatefulSet controller as the profile's version has it.
func New(p Profile) model.Controller {
	return &controller{
		profile: p, names: podNames{all: map[namesOf][]string{}}, wants: p.wants(false), wantsClaims: p.wants(true),
	}
}

type controller struct {
	profile Profile
	// idle holds the syncs that have ended, to be used again. It is a stack and not one value, because a world may suspend
	// a sync between two calls and run that of another set meanwhile.
	idle []*sync
	// names are the pod names that were built so far.
	names  podNames
	labels labels
	texts  texts
	// wants are the questions of a sync, for sets without claims and with.
	wants, wantsClaims wants
}

// KeepsNoObjects says that the controller holds no object when its syncs have ended, so that the API server may write
// over versions that are replaced.
func (c *controller) KeepsNoObjects() {}

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
		s = &sync{names: &c.names, labels: &c.labels, texts: &c.texts}
	}
	s.start(&c.profile, view, calls)
	if s.wants = &c.wants; len(s.set.Spec.ClaimTemplates) > 0 {
		s.wants = &c.wantsClaims
	}
	return s
}
