// Package explore searches the runs of one function of a chooser for one that goes wrong. It knows nothing of what the
// function does.
//
// A run asks questions, and the answer 0 is the dull one. A run is therefore named by its deviations: the few questions
// that are answered otherwise, and how. The search goes breadth first by their number, so that a level is complete
// before the next begins, and what it finds first needs the fewest deviations (delay bounding, as in Microsoft's
// Coyote). Where that gets too large it goes on at random, with a bound on the chance to miss a trap of a given depth
// (PCT: Burckhardt and others, ASPLOS 2010).
//
// The work is cut by index and never by time: what is found, and every count, is the same for any number of workers and
// for any number of shards whose results are merged.
package explore
