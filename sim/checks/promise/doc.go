// Package promise holds a run to what the documentation of StatefulSets promises.
//
// A promise says what the documentation says, and no less: where a version of Kubernetes breaks one, that is a fact
// about the version with a story of its own (a waiver, for those who must go on), and never a reason to ask for less.
// A judge looks at the timeline alone, event by event, so that it can judge recordings, and a run that is not over.
//
// Two kinds of promises: some can be broken by one event (a pod is created too early), and are judged before that
// event is applied to the fold; others only at rest (a set never completes), and are judged with the result of the
// run.
//
// Invariants: judging does not depend on what the judge was asked before, and an event about a pod costs O(pods of
// its set). Two judges that have seen the same events say the same, and two with equal memory (AppendMemory) and
// equal worlds go on alike.
//
// Package explore gives it the events of the runs that it plays, and groups what it finds by the classes of breaches.
package promise
