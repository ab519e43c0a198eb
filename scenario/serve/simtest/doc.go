// Package simtest runs an operator in a test against a simulated cluster: the StatefulSet controller of a version
// of Kubernetes, its scheduler, its kubelets, and virtual time. The operator uses client-go, or a library on top of
// it, as against a real API server; nothing listens, and no time passes.
//
// A test runs inside testing/synctest, whose fake clock is also the clock of the cluster: six hours take a fraction
// of a second. Every request of the operator, and every event of its watches, waits at a turnstile that lets
// through one at a time, whenever nothing else is running. So a run repeats, and the order is a choice: oldest
// first, an order that a seed draws, or all orders that Explore tries.
//
//	synctest.Test(t, func(t *testing.T) {
//		env := simtest.New(t, simtest.Options{Kubernetes: "1.37"})
//		go operator.Run(env.Context(), env.Config())
//		env.Advance(10 * time.Minute)
//	})
//
// All goroutines of the operator must end with Env.Context. A test must not call synctest.Wait itself: Env.Settle and
// Env.Advance return when everything has come to rest.
package simtest
