// Package whatif is the catalogue of what may happen to a StatefulSet, and to a change of one, each under one name. A
// plan asks it of the change that is to come, an upgrade of each set under two versions.
package whatif
