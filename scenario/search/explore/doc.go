// Package explore searches what a scenario leaves open for a run that breaks what StatefulSets promise.
//
// Two things are open: when a step without a time acts, and what else may happen. At each fixed point of the
// controller the search may let the next step act at once, or let one of the acts happen that the block explore of the
// scenario names. With the keys open and regimes of that block it also varies the order of what is due, drawn times,
// chances, writes that fail, and the settings of the whole run.
//
// The package reads a Source, and produces a Report: one finding for each class of breach, each with a token, the
// story of its run, and where possible a plain scenario that shows the same without any search. Package
// scenario/search chooses which runs are played and knows nothing of Kubernetes, scenario/search/promise judges them,
// and this package translates between the two.
//
// Three invariants hold it together:
//
//   - A run is a function of the scenario and of its tape of deviations. A finding can be played again from its tape
//     alone.
//   - Two runs with the same state (course.state) that get the same answers continue alike and are judged alike, so
//     one of them may stop. TestPruningLosesNothing searches with and without this.
//   - All counts and findings are the same for any number of workers and shards (TestShardsMakeTheWhole).
//
// The command line calls it; sim/conformance/real_explored_test.go explores Kubernetes' own control code with it.
package explore
