package serve

import "github.com/statefulsim/statefulsim/scenario/serve/bridge"

// reader answers requests that change nothing.
type reader struct {
	config  *Config
	cluster *bridge.Cluster
	pace    *pace
}
