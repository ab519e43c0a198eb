// Package adapter puts the StatefulSet control code of Kubernetes, of whatever version its user's module has chosen,
// behind model.Controller, and holds the simulator's own controller against it.
//
// It is a module of its own that asks for no version of Kubernetes: each v1_NN replaces what it uses. What versions
// differ in their Go API is given as a Control.
package adapter
