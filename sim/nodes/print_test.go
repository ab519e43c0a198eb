package nodes_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
)

// TestVersionsAreToldApart: clusters whose control planes follow other rules for nodes do not have one fingerprint, since
// they do not go on alike.
func TestVersionsAreToldApart(t *testing.T) {
	seen := map[kernel.Fingerprint]string{}
	c := newCluster()
	for name, rules := range map[string]nodes.Rules{
		"the newest":                  {},
		"another grace period":        {Manager: nodes.Manager{MonitorGrace: 40 * time.Second}},
		"no out-of-service":           {Manager: nodes.Manager{IgnoresOutOfService: true}},
		"no unhealthyPodEviction":     {APIServer: nodes.APIServer{IgnoresUnhealthyPolicy: true}},
		"no sidecars":                 {APIServer: nodes.APIServer{IgnoresSidecars: true}},
		"taints by name":              {Scheduler: nodes.Scheduler{NamesTaints: true}},
		"taints that nobody tolerate": {Scheduler: nodes.Scheduler{SaysTolerate: true}},
		"a volume in conflict":        {Scheduler: nodes.Scheduler{SaysConflict: true}},
		"hope for room":               {Scheduler: nodes.Scheduler{HopesForRoom: true}},
	} {
		c.SetRules(rules)
		print := c.kernel.Fingerprint(c.Print)
		require.Empty(t, seen[print], name)
		seen[print] = name
		require.Equal(t, print, c.kernel.Fingerprint(c.Print), name)
	}
}
