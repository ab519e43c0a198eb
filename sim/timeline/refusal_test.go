package timeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestRefusedAsExpected: a step is refused as expected if the refusal, or its cause, has the words.
func TestRefusedAsExpected(t *testing.T) {
	for _, c := range []struct {
		name string
		step timeline.Step
		want bool
	}{
		{"the words of the refusal, in other letters", timeline.Step{Refusal: "Spec: Forbidden", ExpectedRefusal: "FORBIDDEN"}, true},
		{"the words of the cause", timeline.Step{Refusal: "too many requests", Cause: "needs 2 healthy pods", ExpectedRefusal: "healthy"}, true},
		{"other words", timeline.Step{Refusal: "Spec: Forbidden", Cause: "a field", ExpectedRefusal: "not found"}, false},
		{"no refusal", timeline.Step{Cause: "not found", ExpectedRefusal: "not found"}, false},
		{"a refusal that nobody expects", timeline.Step{Refusal: "Spec: Forbidden"}, false},
	} {
		require.Equal(t, c.want, c.step.RefusedAsExpected(), c.name)
	}
}
