package manager

import (
	"time"

	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// Latency says how long calls, watches and syncs take. With the zero value nothing takes time: every write is made,
// answered and seen by the watches within its instant, and no sync is ever suspended. It does not change during a
// run, except while a livelock is played on (slowDown).
type Latency struct {
	// Write is the time that a call takes, from the controller's request to its answer. The call is carried out at the
	// end of it: what others write meanwhile comes before it. Reads past the cache take as long. nil means no time.
	Write behaviour.Delay
	// Watch is the time from a write until the controller's cache has it, drawn for each write. The changes of one kind
	// of object keep their order, so a change may also wait for an earlier one; those of different kinds may overtake
	// each other. nil means no time.
	Watch behaviour.Delay

	// Workers is the number of syncs that run at the same time, at most one of each set; 0 means 5, the default of
	// kube-controller-manager's --concurrent-statefulset-syncs. It only matters if syncs take time.
	Workers int
	// Sync is the time of its own that a sync takes, from its look at the cache to its first call. Changes that arrive
	// meanwhile are not seen by it. nil means no time.
	Sync behaviour.Delay
	// Resync is the interval of the informer's resync, which puts every set into the work queue; 0 means never. A resync
	// never keeps a run open.
	Resync time.Duration
	// Behind is how far behind the API server may be from which a new controller lists; see Beginning. It is also how
	// long changes are remembered, so 0 costs no memory.
	Behind time.Duration
	// QPS and Burst limit the calls of the controller, as --kube-api-qps and --kube-api-burst of kube-controller-manager
	// do: one token bucket of client-go for all calls of one controller, which begins full. QPS 0 means no limit. Only a
	// sync that may be suspended is limited, but a QPS alone makes it one (suspends).
	QPS, Burst int
}

// defaultWorkers is the number of workers of kube-controller-manager for StatefulSets.
const defaultWorkers = 5

// workers returns the number of syncs that may be under way at the same time, at least 1.
func (m *Latency) workers() int {
	if m.Workers == 0 {
		return defaultWorkers
	}
	return m.Workers
}

// suspends says whether a sync may take time, so that something may happen before it ends. Watch is not among the
// reasons: it delays what syncs see, not the syncs.
func (m *Latency) suspends() bool { return m.Write != nil || m.Sync != nil || m.QPS > 0 }

// throttle returns the client-side limit of the controller's calls, with all its tokens, or nil if there is no limit.
// Each new controller gets its own: a restart of kube-controller-manager fills the bucket.
func (m *Latency) throttle() *workqueue.Bucket {
	if m.QPS == 0 {
		return nil
	}
	return workqueue.NewBucket(time.Second/time.Duration(m.QPS), m.Burst)
}
