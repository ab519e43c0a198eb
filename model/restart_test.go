package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAfterExit has what a kubelet does with a container that has ended, by its policy and its rules. The first rule that
// matches counts.
func TestAfterExit(t *testing.T) {
	onFailure, never := &Restart{Policy: RestartOnFailure}, &Restart{Policy: RestartNever}
	ruled := &Restart{Policy: RestartNever, Rules: []RestartRule{
		{Codes: []int{42, 43}}, {Codes: []int{0, 1, 43}, Not: true, All: true},
	}}
	for _, test := range []struct {
		name          string
		restart       *Restart
		code          int
		after, killed AfterExit
	}{
		{"no policy of its own", nil, 1, StartAgain, StartAgain},
		{"no policy of its own, done", nil, 0, StartAgain, StartAgain},
		{"OnFailure", onFailure, 1, StartAgain, StartAgain},
		{"OnFailure, done", onFailure, 0, LeaveEnded, StartAgain},
		{"Never", never, 1, LeaveEnded, LeaveEnded},
		{"Never, in the first rule", ruled, 42, StartAgain, StartAgain},
		{"Never, in the first rule, and not in the second", ruled, 43, StartAgain, StartAgain},
		{"Never, in the second rule", ruled, 137, StartAllAgain, StartAllAgain},
		{"Never, in no rule", ruled, 1, LeaveEnded, LeaveEnded},
		{"OnFailure, in a rule", &Restart{Policy: RestartOnFailure, Rules: ruled.Rules}, 137, StartAllAgain, StartAgain},
	} {
		require.Equal(t, test.after, test.restart.After(test.code), test.name)
		require.Equal(t, test.killed, test.restart.AfterKill(test.code), "%s, killed", test.name)
	}
}
