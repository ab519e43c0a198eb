// Package model is the vocabulary that all parts of the simulator share: the objects of the API (StatefulSet, Pod,
// Claim, Revision), what a controller sees of them (View), what it may do (Calls) and why it does it (Why).
//
// It imports the standard library only and holds no state. Objects are immutable once they have been handed over: who
// wants another version makes a copy, changes the copy and hands that over. So a pointer to an object is a snapshot of
// it, and nobody has to copy defensively.
package model
