// Package kube reads, writes and copies objects of Kubernetes' API types. It does what encoding/json and DeepCopy do,
// at a fraction of the price for a short run: see json.go. Tests hold it to encoding/json.
package kube
