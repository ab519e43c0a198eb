// Package search searches the runs of a function that makes choices for one that goes wrong. It does not know what the
// function does.
//
// A run makes choices, and the answer 0 is the plain one (choose.Dull). So a run is identified by its deviations: the
// few choices with another answer, and that answer. The search goes breadth first by the number of deviations. A level
// is complete before the next one begins, and a trap is found first by a run with the fewest deviations (delay
// bounding, as in Microsoft's Coyote). When the next level is too large, the search goes on at random, with a bound on
// the probability to miss a trap of a given depth (PCT: Burckhardt and others, ASPLOS 2010).
//
// The work is divided by index and never by time: what is found, and every count, is the same for any number of
// workers, and for any number of shards whose results are merged.
//
// Package explore gives it the runs of a scenario as its Subject. It knows no world: a state is a number, and a finding
// is a text.
package search
