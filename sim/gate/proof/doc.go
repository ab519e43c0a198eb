// Package proof compares sim/gate with the tools' own code, which is a dependency of this module only: for random sets and
// pods, the verdict and the words of kubectl, Helm 3, Helm 4 with --wait=legacy, both copies of kstatus, the reader of
// Helm 4 and Flux, Argo CD, and kubedog. Pulumi is held by the recorded answers of sim/gate/testdata.
package proof
