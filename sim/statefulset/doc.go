// Package statefulset is the StatefulSet controller of Kubernetes, as an algorithm over a view of a set and calls to
// an API server, in each version from 1.16 to 1.37.
//
// One sync of one set goes through these phases, always in this order (sync.go):
//
//	the stale-cache guard                                      sync.go
//	revisions and pods: adoption, release                      adopt.go
//	revisions: find, renumber or create; name collisions       revisions.go, revision_names.go
//	the status, counted from the pods                          status.go
//	Recreate: old pods go, all of them                         recreate.go
//	replicas, upwards: ended pods, creation, repair            replicas.go, repair.go
//	    the pod to create, and of which revision it is         draft.go
//	    its claims                                             claims.go
//	    creation and deletion, for whatever reason             pods.go
//	the owners of claims of condemned pods                     retention.go
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
// finished.go, one_by_one.go, status_acts.go, claim_uids.go. enqueue.go says which changes put which sets into the
// work queue.
//
// Every call says why it is made, and a sync that leaves something undone says what it waits for and by which rule
// (waits.go). Kubernetes' own events are worded in events.go.
//
// Invariants:
//
//   - A sync depends on its view, its profile and the replies to its calls, in their order, and on nothing else.
//   - It writes to no object that it has been given; a change is made in a copy.
//   - Position i of the replicas is the ordinal start+i. The partition, maxUnavailable and status.currentReplicas
//     count positions, never ordinals.
//   - A replica that is missing is treated as a draft (draft.go) in all later phases: a pod without a phase, neither
//     available nor terminating.
//
// Package manager calls it: Enqueue for each change that a watch has delivered, and Sync for each set that is taken
// from the work queue. It knows no room of the world.
package statefulset
