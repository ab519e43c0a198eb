// Package explain says what a run is waiting for at an instant: what each pod is in, by which rule the controller
// waits, since when, and what releases it. Where the run is stuck at its end it says how to get out.
package explain
