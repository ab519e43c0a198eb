// Package statefulset is the StatefulSet controller of Kubernetes, as an algorithm over a view of a set and calls to an
// API server, in each version from 1.16 to 1.37.
//
// One sync of one set goes through these phases, always in this order (sync.go):
//
//	the stale-cache guard                                      sync.go
//	revisions: find, renumber or create; name collisions       revisions.go, revision_names.go
//	the status, counted from the pods                          status.go
//	Recreate: old pods go, all of them                         recreate.go
//	replicas, upwards: ended pods, creation, repair            replicas.go, repair.go
//	    the pod to create, and of which revision it is         draft.go
//	    its claims                                             claims.go
//	    creation and deletion, for whatever reason             pods.go
//	condemned pods, downwards                                  condemned.go
//	the update, downwards: OnDelete, one by one                update.go
//	    with maxUnavailable, up to 1.36 and from 1.37          update_budget.go
//	the status: completion, comparison, write, requeue         status.go
//	the history is cut to its limit                            revisions.go
//
// OrderedReady (upstream: monotonic) ends the sync at the first pod that it must wait for, and after one creation or
// deletion. Parallel (upstream: burst) waits for nothing and works in batches (batches.go); only an error ends it.
//
// The algorithm never asks for a version: it reads a Profile (profile.go), whose fields are the differences between
// versions. One table describes them (differences_controller.go, differences_api.go); versions.go says which version
// has which, and gates.go which feature gate switches one. The rules of the API server come from the same table
// (api.go). If an older version did something in a completely different way, that is in a file of its own:
// finished.go, one_by_one.go, status_acts.go. enqueue.go says which changes put which sets into the work queue.
//
// Every call says why it is made, and a sync that leaves something undone says what it waits for and by which rule
// (waits.go). Kubernetes' own events are worded in events.go.
package statefulset
