// Package promise holds a run to what the documentation of StatefulSets promises.
//
// A promise says what the documentation says, and no less: where a version of Kubernetes breaks one, that is a fact
// about the version with a story of its own (a waiver, for those who must go on), and never a reason to ask for less.
// A judge looks at the timeline alone, event by event, so that it can judge recordings, and a run that is not over.
package promise
