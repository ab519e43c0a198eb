// Package bridge is a simulated cluster as the API shows it: a world, and the objects that clients see of it. What
// a client does to an object of the world becomes an act of its user; what the world changes is shown; and this
// package makes what a cluster has and a world lacks: events, endpoints, namespaces, and the garbage collection of
// other objects. It knows nothing about requests.
package bridge

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/container"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Config is a cluster before it begins.
type Config struct {
	// World is the world; the cluster sets the callbacks that it needs.
	World sim.Config
	// Kubernetes is the version that the nodes say they have: 1.37.2.
	Kubernetes string
	// Epoch is the time that 0s of the world is for clients.
	Epoch time.Time
	// Existing are the objects of a dump, as JSON: those that the world does not know are shown as they were.
	Existing [][]byte
	// Uncontrolled is true if nothing in the cluster acts: objects are only stored, and the world knows none of
	// them.
	Uncontrolled bool
	// Idle are the kinds whose controllers do not act: StatefulSet, and the kinds in package workloads.
	Idle []*kinds.Kind
	// Steps is true if what is done to the world is kept as steps, in Did.
	Steps bool
	// NoHistory drops all but the last events of the timeline, so that the memory of a session does not grow with its
	// length. There are no checkpoints then.
	NoHistory bool
	// Told, if it is given, gets the events of the timeline, each once, at the fixed point after it.
	Told func([]timeline.Event)
	// Expired hears of each kind that is not served any more as it was.
	Expired func(*kinds.Kind)
}

// Cluster is a cluster. The caller of its methods holds the lock of its session.
type Cluster struct {
	config Config
	// World is the world, and User carries out the acts of clients in it. Objects are the objects of the API.
	World   *sim.World
	User    *sim.User
	Objects objects.Store
	// Halfway is true while something changes: a panic that leaves it so leaves nothing that can be relied on.
	Halfway bool
	// Did is what was done to the world, if the configuration asks for it. Line is the line of the request that is
	// replayed.
	Did  []Did
	Line int
	// steps counts the acts, and uids the objects that only the API has.
	steps, uids int
	// working is true while the controllers of workloads act.
	working bool
	// wanted are the fields that a request is writing; the fields that the world computes are merged onto them.
	wanted map[Ref]kinds.Fields
	notes
}

// notes are the cluster's notes about its world, to find out at a fixed point what is new.
type notes struct {
	// Defined are the kinds that clients have defined.
	Defined kinds.Catalog
	// Files are the files of the containers.
	Files container.Files
	// nodes are the nodes as they were last shown. seen is the number of the timeline's events that were looked at.
	// silent is since when the kubelets of those are silent that are down.
	nodes  map[string]sim.NodeState
	silent map[string]time.Time
	seen   int
	// bound are the claims whose volumes are to be shown.
	bound   []kinds.Fields
	voices  voices
	answers answers
	garbage garbage
	shift   shift
}

// New returns a cluster whose world is at its first fixed point.
func New(config Config) *Cluster {
	c := &Cluster{config: config, wanted: map[Ref]kinds.Fields{}, notes: notes{
		nodes: map[string]sim.NodeState{}, silent: map[string]time.Time{}, Files: container.New(),
		answers: answers{published: map[model.Key]map[string]*timeline.DNS{}, unready: map[model.Key]map[string]string{}},
	}}
	inhabit(c, config.World)
	found(c)
	c.World.Begin()
	return c
}

// Want sets the fields that a request is writing, until done is called.
func (c *Cluster) Want(at Ref, fields kinds.Fields) (done func()) {
	c.wanted[at] = fields
	return func() { delete(c.wanted, at) }
}
