package bridge

import (
	"reflect"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Ref names an object.
type Ref struct {
	Kind *kinds.Kind
	Key  model.Key
}

// inhabit makes the world of a session, before the session begins.
func inhabit(c *Cluster, world sim.Config) {
	world.Endless, world.Wrote = true, c.wrote
	if c.config.Uncontrolled {
		world.Start = nil
	}
	if slices.Contains(c.config.Idle, kinds.StatefulSet) {
		world.Controller = resting{}
	}
	world.Kubelet.Rules = endings(world.Kubelet.Rules)
	// A limit refuses the request that exceeds it, and does not end the world.
	world.MaxReplicas, world.MaxEvents, world.Until, world.Cycles = 0, 0, 0, false
	world.Collector.Foreign = c.exists
	world.Watch = func(*sim.World) { c.AtFixedPoint() }
	if c.config.NoHistory {
		world.NoHistory, world.Keep, world.Written = true, lately, func([]timeline.Event) {}
	}
	c.World = sim.New(world)
	c.User = sim.UserOf(c.World)
}

// resting is a StatefulSet controller that does nothing.
type resting struct{}

func (resting) Sync(model.View, model.Calls) model.Result { return model.Result{} }

func (resting) Enqueue(model.Change, model.Sets, func(model.Key, time.Duration)) {}

// lately is how many events of the timeline a session without a history keeps, for why questions.
const lately = 5_000

// Instant is the present instant of the world as clients have it.
func (c *Cluster) Instant() time.Time { return c.config.Epoch.Add(time.Duration(c.World.Now())).UTC() }

// Act lets the user of the world do something to an object at this instant, as a step of the timeline, and the cluster
// answer it.
func (c *Cluster) Act(d Doing, at Ref, do func(*sim.User) *model.APIError) (err *model.APIError) {
	n := len(c.Did)
	c.Do(d, &sim.Step{Verb: d.Verb, Does: d.Does, Act: func(u *sim.User) sim.Outcome {
		before := at.seen(u)
		if err = do(u); err != nil {
			return sim.Outcome{Err: err}
		}
		return at.outcome(u, d.Effect, before)
	}})
	if c.config.Steps && err != nil {
		c.Did[n].Refused = err.Message
	}
	return err
}

// Do does a step at this instant.
func (c *Cluster) Do(d Doing, step *sim.Step) {
	c.Halfway = true
	c.steps++
	now := time.Duration(c.World.Now())
	if c.config.Steps {
		c.Did = append(c.Did, Did{Doing: d, At: now, Line: c.Line}) // The cluster's own deletions follow.
	}
	step.Number, step.When = c.steps, sim.When{Trigger: sim.At, D: now}
	c.World.Act(step)
}

// seen returns the world's version of a reference's object: a value that differs once the object has changed.
func (r Ref) seen(u *sim.User) any {
	switch r.Kind {
	case kinds.StatefulSet:
		if set := u.Set(r.Key); set != nil {
			return set
		}
	case kinds.Service:
		if service := u.Service(r.Key); service != nil {
			return *service
		}
	case kinds.Budget:
		if budget := u.Budget(r.Key); budget != nil {
			return *budget
		}
	default:
		return u.Version()
	}
	return nil
}

// outcome returns what an act changed. before is what was seen before it; effect is "" if it follows from the
// change.
func (r Ref) outcome(u *sim.User, effect timeline.Effect, before any) sim.Outcome {
	after, o := r.seen(u), sim.Outcome{Effect: effect}
	was, _ := before.(*model.StatefulSet)
	is, _ := after.(*model.StatefulSet)
	same := reflect.DeepEqual(before, after)
	if was != nil && is != nil {
		same = was.ResourceVersion == is.ResourceVersion
	}
	switch {
	case o.Effect != "":
	case same:
		o.Effect = timeline.Unchanged
	case before == nil:
		o.Effect = timeline.Created
	default:
		o.Effect = timeline.Configured
	}
	switch {
	case is == nil && was != nil:
		o.Removed = []model.Key{r.Key}
	case is != nil && o.Effect != timeline.Unchanged:
		o.Sets = []*model.StatefulSet{is}
	}
	switch r.Kind {
	case kinds.Pod:
		o.Pod = r.Key
	case kinds.Claim:
		if effect != timeline.Created { // As in a scenario, a step that creates a claim is about nothing that is there.
			o.Claim = r.Key
		}
	}
	return o
}

// Put stores the object that the API shows from now on, at a version of its own.
func (c *Cluster) Put(kind *kinds.Kind, fields kinds.Fields) *objects.Object {
	c.Halfway = true
	o := objects.New(kind, fields, c.User.DrawVersion())
	c.Objects.Put(o)
	return o
}

// firstUID is a uid that no object of the world comes to.
const firstUID model.UID = 1 << 40

// NextUID returns the uid of the next object that only the server has.
func (c *Cluster) NextUID() model.UID { return firstUID + model.UID(c.uids+1) }

// Add stores a new object that only the server has.
func (c *Cluster) Add(kind *kinds.Kind, fields kinds.Fields) *objects.Object {
	meta := fields.Map("metadata")
	// The uids of the world's own objects are the same as without a server, as in a scenario that plays the same.
	meta["uid"] = c.NextUID().String()
	c.uids++
	if _, found := meta["creationTimestamp"]; !found {
		meta["creationTimestamp"] = c.Instant().Format(time.RFC3339)
	}
	if kind.Counts() {
		meta["generation"] = int64(1)
	}
	return c.Put(kind, fields)
}

// Apart reports whether an object is one that only the server has, and not the world.
func Apart(o *objects.Object) bool {
	uid, is := project.UID(o.UID())
	return is && uid > firstUID
}
