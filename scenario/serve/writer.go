package serve

import (
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/managed"
	"github.com/statefulsim/statefulsim/scenario/serve/schema"
)

// writer stores what requests write: it fills in what a real API server fills in, finds out what is wrong, and lets the
// cluster do what there is to do. It knows no connections and no locks.
type writer struct {
	config  *Config
	cluster *bridge.Cluster
	// types are how the kinds are merged that clients have defined, and rules are those of custom resources.
	types map[*kinds.Kind]managed.Type
	rules schema.Rules
}
