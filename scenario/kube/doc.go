// Package kube reads and writes objects of Kubernetes' API types. It does what encoding/json does, at a fraction of the
// price for a short run: see json.go. Tests hold it to encoding/json.
package kube
