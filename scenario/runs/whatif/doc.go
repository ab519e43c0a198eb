// Package whatif is the catalogue of what may happen to a StatefulSet, and to a change of one, each under one name. A
// plan asks it of the change that is to come, an upgrade of each set under two versions.
//
// It knows neither files nor flags, and plays nothing: a case is a script, and rules for pods, made from a Subject that
// the caller fills in. Cases are shared and never change. The command line takes their names from here.
package whatif
