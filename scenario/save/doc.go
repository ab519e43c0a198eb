// Package save writes what a scenario does as expectations of it, few enough to be read: in which order pods are
// deleted and created, the fewest that serve, and how it ends. So a run that is right today becomes a test that
// fails when a version, or a change of the file, does something else.
//
// Every expectation that it writes was judged on the run and held, and could have failed there.
//
// The command line calls it, for `sim run --save-as-test` and `sim init`. It plays nothing and writes no file: it is
// given the timeline, and returns text.
package save
