// Package expect compiles the expect section of a scenario and judges it on a timeline. It sees nothing but the
// timeline: the state at any tick is a fold of it. So a recorded timeline is judged exactly as a run is.
//
// Compile reads YAML and returns expectations, or problems with their places. Judge walks over a timeline once,
// however many expectations there are, and returns a verdict for each. A rule is a value that judging does not change;
// a watcher is its state in one run. Conditions are CEL; their cost is bounded, and at each fixed point only those are
// evaluated that read something that has changed.
//
// These questions, which the words of the format leave open, are decided here:
//
//   - An entry without a namespace is about pods of all namespaces; `for: NAMESPACE/NAME` beside an expectation limits
//     it to the pods of that set. In an entry N and IMAGE are globs too.
//   - order, never, descending and ascending may be limited by `during: STEP` beside them, count by one within it.
//   - descending and ascending look at each set by itself: each ordinal that enters the state does so once, and each is
//     lower (higher) than the one before, and later, unless ties are allowed. Ordinals may be left out, but one must
//     come.
//   - exactly without states is about all states. With instants each item is one instant; without, an item says nothing
//     about instants.
//   - now and age are numbers of seconds; duration("1m30s") is 90.0. Numbers of different types may be compared.
//   - spec and status have the fields of Kubernetes' own types. One that is not set reads as the zero value of its
//     type, and has() tells the difference.
//   - A condition is not judged while a set that it is about does not exist: always skips such a point, eventually
//     waits, check fails. An always that is never judged holds, with a note.
//   - check at a step sees the fixed point that the controller reaches after the step has acted; check at settled sees
//     the end of a run that settled or got stuck. Without at it is at settled.
//   - completes without since counts from the last step that gave a set a new template; in a run of several sets, all
//     of them must be complete at one point.
//   - A bound of kubernetes without a patch stands for the whole minor: "<=1.36" includes 1.36.9.
//   - stuck holds if the verdict is stuck and one of the stuck sets matches. `ends: VERDICT` says how the run ends, and
//     is how a livelock, a refusal or a limit is expected.
//
// Invariants: an Expectation, and the rule in it, does not change, so it may judge several timelines at the same time;
// a watcher is used for one walk, sees every event before the fixed point that follows it, and keeps nothing of the
// fold. Judging an expectation does not depend on the others, except that all pay into one meter.
//
// Package scenario compiles and judges the expectations of files; the command line also judges recordings with Load.
package expect
