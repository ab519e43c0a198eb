// Package plan says what a change of StatefulSets will do to a cluster: what the API server refuses, which pods go and
// come, how long that takes, how many serve meanwhile, and what happens if something goes wrong.
//
// A plan is a row of values, each made once and not changed afterwards, and each in a package of its own:
//
//	pair.Input → stored.Set → world.World → facts.Facts → run.Run → alarm.Alarm → Plan
//
// A package knows only those to its left, and the leaves diff (what changes) and times (how long stages take).
// scenario/cluster/judge says how a set stands before and after the change.
package plan
