// Package explore searches what a scenario leaves open for a run that breaks what StatefulSets promise.
//
// Open is when a step comes that has no time, and what else may happen: at each fixed point of the controller the
// search may let the next step come at once, or let one of the acts happen that the block explore of the scenario
// names. What is found is a plain scenario again, with a time for each step, and the story of its run.
package explore
