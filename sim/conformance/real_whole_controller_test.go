//go:build real

package conformance_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"k8s.io/client-go/util/retry"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/conformance"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestWholeController holds the simulator against the whole real controller: not only a sync, but what enqueues a set,
// the delayed syncs, the retries with their back-off and the guard against stale caches; with claims and their
// retention policies, deletions of the set with each cascade, calls that fail with each error, and caches and calls
// that take time. It compares what conformance.Whole renders, which has each sync with its instant.
//
// Of the fake client nothing but the transport is used: every call of the real controller goes to the simulated API
// server, and what that answers is the same on both sides. So what cannot be compared is how the API server itself
// behaves, and beside it:
//
//   - Kubernetes' events, which the real controller sends on its own ways and limits by number;
//   - the pause after a conflict, which client-go draws at random: the world takes 10 ms where calls take time, and
//     none if they do not;
//   - the syncs at which a pod that has become available is noticed (see ripens);
//   - which instant a long sync goes by before 1.35.1, and what 1.24 writes into its own cache;
//   - what a lagging cache does to a set that is created again, to a change of minReadySeconds and to a revision that
//     is renumbered in the sync that adopts it (see DrawManagedCase and wroteRevision);
//   - in which order the claims of one pod are made, which the real code takes from a map;
//   - a run that never comes to rest.
//
// Broken watches, resyncs, changes of the leader and several sets are not drawn.
func TestWholeController(t *testing.T) {
	v := tested(t)
	// A sync of the world takes no time except that of its calls, which includes the pause after a conflict.
	retry.DefaultRetry.Duration, retry.DefaultBackoff.Duration = 0, 0
	p := player{version: v}
	for _, file := range files(t, v.earlier()+managerFiles) {
		c, err := conformance.ParseCase(read(t, file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if difference := p.managed(t, c); difference != "" {
			t.Errorf("%s:\n%s", file, difference)
		}
	}
	if t.Failed() {
		return
	}
	var failing *conformance.Case
	defer func() {
		if failing != nil {
			keep(t, v.earlier()+"/manager-new.json", failing.String())
		}
	}()
	checks(t, max(count()/100, 100), 0)
	rapid.Check(t, func(rt *rapid.T) {
		c := conformance.DrawManagedCase(rt, v.Kubernetes)
		if difference := p.managed(t, c); difference != "" {
			failing = c
			rt.Fatalf("%s\n%s", difference, c)
		}
	})
}

// managed plays a case with the simulator's controller and with the whole real one, and says where they part.
func (p *player) managed(t *testing.T, c *conformance.Case) (difference string) {
	profile, err := c.Profile()
	if err != nil {
		return err.Error()
	}
	ours, want, err := c.PlayWhole(statefulset.New(profile))
	if err != nil {
		return err.Error()
	}
	if conformance.Endless(ours) {
		// How often the real controller goes round is a matter of the limits.
		return ""
	}
	p.setGates(profile)
	synctest.Test(t, func(*testing.T) {
		m := newManager(p.version, profile, c.APIServer != nil)
		stop := m.start()
		defer stop()
		_, got, err := c.PlayWhole(m)
		if err != nil {
			m.problems = append(m.problems, err.Error())
		}
		if !m.crashed {
			difference = conformance.FirstDifference(want, strings.Join(append([]string{got}, m.problems...), "\n"))
		}
	})
	return difference
}
