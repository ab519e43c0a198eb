package model

// Constraints is what a pod template says of the nodes on which its pods may run, and of what they need there. Whoever
// reads the manifest makes it, and it is his to understand; it does not change.
type Constraints interface {
	// Repels says whether the pods keep others off their nodes: required anti-affinity, which holds for both sides.
	Repels() bool
}
