// Package writer stores what requests write: it fills in what a real API server fills in, validates, and lets the
// cluster act. It knows nothing about connections and locks.
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
	// Types say how kinds that clients have defined are merged, and rules are the rules of custom resources.
	Types map[*kinds.Kind]managed.Type
	Rules schema.Rules
}
