// Package corpus has what the tests of this module and those of the module sim/conformance, which have Kubernetes'
// own code, play alike: recorded cases with what is known of them, a grid of sets, and mistakes in pod templates. Only
// tests import it.
package corpus
