// Package writer stores what requests write: it fills in what a real API server fills in, finds out what is wrong, and
// lets the cluster do what there is to do. It knows no connections and no locks.
package writer

import (
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/managed"
	"github.com/statefulsim/statefulsim/scenario/serve/schema"
)

// Writer is the one writer of a session; its methods are called one after the other.
type Writer struct {
	Config  *bridge.Config
	Cluster *bridge.Cluster
	// Types are how the kinds are merged that clients have defined, and rules are those of custom resources.
	Types map[*kinds.Kind]managed.Type
	Rules schema.Rules
}
