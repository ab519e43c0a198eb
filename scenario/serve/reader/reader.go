// Package reader shows the objects of the cluster to those who ask: one, a list, a watch, a log, and why an object is
// as it is. It changes nothing.
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
