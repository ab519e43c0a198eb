#!/usr/bin/env bash
# Two copies of kstatus disagree about a pod that cannot be scheduled.
#
# The package kstatus says of any Kubernetes object whether it is reconciled. It exists twice, with the same name and the
# same functions: sigs.k8s.io/cli-utils, where it was written, and github.com/fluxcd/cli-utils, a fork that Flux uses and,
# since Helm 4, Helm too.
#
# Guess before the run: a fork that keeps the API gives the same status, so it does not matter which one a tool imports.
#
# Seen, with sigs.k8s.io/cli-utils v0.37.2 and github.com/fluxcd/cli-utils v1.2.2: of a pod that has been Unschedulable for
# a minute the first says Failed, and the second says InProgress. So of two tools that "use kstatus" one gives up on a pod
# after 15 seconds, while the cluster autoscaler makes its node, and the other waits for its whole timeout.
set -euo pipefail

folder=$(mktemp -d)
trap 'chmod -R u+w "$folder" && rm -rf "$folder"' EXIT
cd "$folder"
cat >main.go <<'GO'
package main

import (
	"fmt"
	"time"

	flux "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	sigs "sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

func main() {
	since := time.Now().Add(-time.Minute).UTC().Format(time.RFC3339)
	pod := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "web-0", "namespace": "default", "creationTimestamp": since},
		"spec":     map[string]any{"containers": []any{map[string]any{"name": "app", "image": "app:v1"}}},
		"status": map[string]any{"phase": "Pending", "conditions": []any{map[string]any{
			"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "lastTransitionTime": since,
			"message": "0/3 nodes are available: 3 Insufficient cpu.",
		}}},
	}}
	a, err := sigs.Compute(pod)
	if err != nil {
		panic(err)
	}
	b, err := flux.Compute(pod)
	if err != nil {
		panic(err)
	}
	fmt.Printf("sigs %s, flux %s\n", a.Status, b.Status)
}
GO
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/cli-utils@v0.37.2 github.com/fluxcd/cli-utils@v1.2.2 >/dev/null 2>&1
go mod tidy >/dev/null 2>&1
said=$(go run .)
echo "$said"
[ "$said" = "sigs Failed, flux InProgress" ]
