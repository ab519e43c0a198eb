// Package atlas knows the traps of StatefulSets: what they look like in a manifest, ten lines of scenario that show
// each, and the way out. Which versions have a trap is not written down but played: its scenario expects what goes
// wrong, and a version on which the expectations hold has it.
//
// Each trap has a file traps/NAME.yaml. plan and upgrade ask which traps a set has the shape of.
//
// The command line prints them. Traps never change, and nothing is kept between two calls: each question about versions
// plays the scenarios again.
package atlas
