package model

// Constraints holds what a pod template requires of the nodes on which its pods may run, and what the pods need there.
// The package that reads the manifest creates it and is the only one that looks inside; it is never changed.
type Constraints interface {
	// Repels says whether the pods keep others off their nodes: required anti-affinity, which holds for both sides.
	Repels() bool
}
