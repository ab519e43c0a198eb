// Package reader shows the objects of the cluster to clients: one object, a list, a watch, a log, and the reasons
// for an object's state. It changes nothing.
package reader

import (
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/pace"
)

// Reader answers requests that change nothing.
type Reader struct {
	Config  *bridge.Config
	Cluster *bridge.Cluster
	Pace    *pace.Pace
}
