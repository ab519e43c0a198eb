// Package proof compares sim/gate with the tools' own code, which is a dependency of this module only: for random sets and
// pods, the verdict and the words of kubectl, Helm 3, Helm 4 with --wait=legacy, both copies of kstatus, the reader of
// Helm 4 and Flux, Argo CD, and kubedog. Pulumi is held by the recorded answers of sim/gate/testdata.
//
// Package coverage prints which lines of the readers that reaches. It cannot reach these: a set without a generation or
// without spec.replicas (the API server gives it both), a pod that is being deleted and failed (kstatus calls it
// Terminating), a status without its pod or of another kind, and a health script that a user has given to Argo CD.
//
// With -record it writes the answers that the check compares. With SIM and SIM_KUBECTL it lets a real kubectl and the
// waiters of Helm wait for changes in the cluster of sim serve.
package proof
