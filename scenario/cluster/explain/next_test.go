package explain_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWhatComesNextIsNotWaitedFor: a pod that the controller is about to delete is not terminating yet, so nobody is
// told that it still is.
func TestWhatComesNextIsNotWaitedFor(t *testing.T) {
	const ready = `phase: Running, conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "True", ` +
		`lastTransitionTime: "2026-01-01T10:00:02Z"}], containerStatuses: [{name: app, ready: true, state: {running: {}}}]`
	text := strings.NewReplacer("META", "", "SPEC", "", "WEB-2", ready, "NODE", "nodeName: node-3, ", "CORDONED", "false", "READY", ready,
		"OWNER", `creationTimestamp: "2026-01-01T10:00:00Z", ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]`).Replace(rolling)
	dumped, _ := explained(t, text, time.Date(2026, time.January, 1, 10, 2, 0, 0, time.UTC))
	require.True(t, dumped.Sets[0].GoesOn)
	require.Equal(t, "web-1 Terminating", dumped.Sets[0].Next[0])
	for _, w := range dumped.Sets[0].Waits {
		require.NotContains(t, w.Sentence, "is still terminating")
	}
}
