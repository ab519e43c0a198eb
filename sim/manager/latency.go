package manager

import (
	"time"

	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// Latency says how long calls, watches and syncs take. With the zero value nothing takes time: every write is made,
// answered and seen by the watches within its instant.
type Latency struct {
	// Write is the time that a call takes, from the controller's request to its answer. The call is carried out at the
	// end of it. Reads past the cache take as long. nil means no time.
	Write behaviour.Delay
	// Watch is the time from a write until the controller's cache has it. The changes of one kind of object keep their
	// order. nil means no time.
	Watch behaviour.Delay

	// Workers is the number of syncs that run at the same time, at most one of each set; 0 means 5, the default of
	// kube-controller-manager's --concurrent-statefulset-syncs.
	Workers int
	// Sync is the time of its own that a sync takes, from its look at the cache to its first call. nil is no time.
	Sync behaviour.Delay
	// Resync is the interval of the informer's resync, which puts every set into the work queue; 0 is never. It is never a
	// reason to go on with a run.
	Resync time.Duration
	// Behind is how far behind the API server may be from which a new controller lists; see Beginning.
	Behind time.Duration
	// QPS and Burst limit the calls of the controller, as --kube-api-qps and --kube-api-burst of
	// kube-controller-manager do for all calls of one controller. QPS 0 is no limit.
	QPS, Burst int
}

// defaultWorkers is the number of workers of kube-controller-manager for StatefulSets.
const defaultWorkers = 5

func (m *Latency) workers() int {
	if m.Workers == 0 {
		return defaultWorkers
	}
	return m.Workers
}

// suspends says whether a sync may take time, so that something may happen before it ends.
func (m *Latency) suspends() bool { return m.Write != nil || m.Sync != nil || m.QPS > 0 }

// throttle returns the client-side limit of the controller's calls, or nil.
func (m *Latency) throttle() *workqueue.Bucket {
	if m.QPS == 0 {
		return nil
	}
	return workqueue.NewBucket(time.Second/time.Duration(m.QPS), m.Burst)
}
