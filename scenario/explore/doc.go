// Package explore searches what a scenario leaves open for a run that breaks what StatefulSets promise.
//
// Open is the choice of when a step without a time acts, and what else may happen: at each fixed point of the
// controller the search may let the next step act at once, or let one of the acts happen that the block explore of the
// scenario names. A finding is a plain scenario again, with a time for each step, and the story of its run.
package explore
