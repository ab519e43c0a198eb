// Package explain says what a run, or a live cluster, is waiting for at an instant: the state of each pod, by which
// rule the controller waits, since when, and what ends the wait. If a set is stuck it says how to get out; each way
// was played by package heal.
//
// Explain reads a timeline alone, and a laboratory if ways out are wanted. Begin reads a dump, and plays worlds
// that begin with it. Both return plain data with a JSON form; the texts here and the page of sim explain are drawn
// from that. Sentences about reasons come from sim/view/reasons, so that they are the same everywhere.
//
// Nothing is claimed that the run, or the dump, does not show: what is only assumed is said to be so (Assumes,
// Provided, TooEarly), and what is not known is left out. The command line calls it, and draws its page from the
// result.
//
// An explanation of a dump is a row of values, each made once and never changed:
//
//	Dump → Run → Causes (both of package judge) → Fixes → Document
//
// What the dump shows of a cause, and what ends it, is said by package judge, beside the cause. Begin makes all but the
// fixes; Each and All try these, one set after the other.
//
// Invariants: the waits of a set are in the order in which they began, its pods in that of their ordinals, its ways out
// with the best one first; a set of a dump is at rest, goes on, is stuck or is unknown, and nothing else.
package explain
