// Package statefulset is the StatefulSet controller of Kubernetes, as an algorithm over a view of a set and calls to
// an API server, in each version from 1.16 to 1.37, and 1.38 before it is out.
//
// One sync of one set goes through these phases, always in this order (sync.go):
//
//	the stale-cache guard                                      sync.go
//	revisions and pods: adoption, release                      adopt.go
//	revisions: find, renumber or create; name collisions       revisions.go, revision_names.go
//	the status, counted from the pods                          status.go
//	Recreate: old pods go, all of them                         recreate.go
//	replicas, upwards: ended pods, creation, repair            replicas.go, repair.go
//	    the pod to create, and of which revision it is         draft.go
//	    its claims                                             claims.go
//	    creation and deletion, for whatever reason             pods.go
//	the owners of claims of condemned pods                     retention.go
//	condemned pods, downwards; in 1.38 first if Parallel       condemned.go
//	the update, downwards: OnDelete, one by one                update.go
//	    with maxUnavailable, up to 1.36 and from 1.37          update_budget.go
//	the status: completion, comparison, write, requeue         status.go
//	the history is cut to its limit                            revisions.go
//
// OrderedReady (upstream: monotonic) ends the sync at the first pod that it must wait for, and after one creation or
// deletion. Parallel (upstream: burst) waits for nothing and works in batches (batches.go); only an error ends it.
//
// The algorithm never asks for a version: it reads a Profile (profile.go), whose fields are the differences between
// versions. One table describes them (differences_controller.go, differences_api.go); versions.go assigns them to
// versions, and gates.go to feature gates. The rules of the API server come from the same table (api.go). If an
// older version did something in a completely different way, that way has a function of its own, such as
// replicasOneByOne (batches.go) and replaceFinished (condemned.go), or a file: status_acts.go, claim_uids.go.
// enqueue.go decides which changes put which sets into the work queue.
//
// Every call says why it is made, and a sync that leaves something undone reports what it waits for, and the rule
// behind it (waits.go). Kubernetes' own events are worded in events.go.
//
// Invariants:
//
//   - A sync depends on its view, its profile and the replies to its calls, in their order, and on nothing else.
//   - It writes to no object that it has been given; a change is made in a copy.
//   - Position i of the replicas is the ordinal start+i. The partition, maxUnavailable and status.currentReplicas
//     count positions, never ordinals.
//   - A replica that is missing is treated as a draft (draft.go) in all later phases: a pod without a phase, neither
//     available nor terminating.
//
// Package manager calls it: Enqueue for each change that a watch has delivered, and Sync for each set that is taken
// from the work queue. It knows no room of the world.
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
	// idle has the memory of finished syncs, for later ones. It is a stack, because a world may suspend a sync
	// within a call and run a sync of another set meanwhile.
	idle []*sync
	// wants are the pod predicates of a sync, for sets without claims and with. They follow from the profile.
	wants, wantsClaims wants
}

// KeepsNoObjects declares that the controller holds no object after its syncs have ended, so that the API server
// may overwrite replaced versions. It is a marker method: the world checks for it with a type assertion, because
// other controllers may keep objects.
func (c *controller) KeepsNoObjects() {}

// ExactNames reports whether only pods with the exact name of an ordinal belong to the set: web-1 does, web-01 does
// not. It is a second marker method, which the manager checks for, because its cache sorts the pods.
func (c *controller) ExactNames() bool { return c.profile.ExactNames }

// Sync brings one set nearer to its spec. It implements model.Controller. The waits of the result are valid until the
// next call.
func (c *controller) Sync(view model.View, calls model.Calls) model.Result {
	s := c.begin(view, calls)
	result := s.run()
	*s = sync{waits: s.waits[:0]}
	c.idle = append(c.idle, s)
	return result
}

// begin returns a sync with everything set, except the sync's own findings.
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
