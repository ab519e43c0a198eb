// Package kube holds, in the packages below it, the part of k8s.io/api and k8s.io/apimachinery that sim uses: the
// types of manifests, how they are read and printed, what the API server holds them to, and how kubectl apply merges
// them. The code is Kubernetes' own: see generate. Tests hold it to the real packages.
package kube

//go:generate go run ./generate
