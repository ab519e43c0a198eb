package explain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestUntried: whoever reads an explanation without fixes, or with some, is told what was not tried, and why.
func TestUntried(t *testing.T) {
	for _, c := range []struct {
		tried bool
		says  string
	}{{false, "No fix was tried: it takes too long."}, {true, "Not all fixes were tried: it takes too long."}} {
		says := told(&Explanation{Sets: []*Set{{Name: "web", Untried: "it takes too long", Tried: c.tried}}})
		require.Contains(t, says, c.says)
	}
}

// TestForeverOnlyAtTheEnd: that nothing ends a wait is only said at the end of a run that is stuck. At an instant of
// the same run the containers may stop yet.
func TestForeverOnlyAtTheEnd(t *testing.T) {
	const never = "its containers do not stop"
	played := lab(t, "kubelet: {stop: never}\nsteps:\n- create: {name: web, replicas: 1, image: \"app:v1\"}\n- delete: pod/web-0\n- {after: 9s, cordon: node-3}\n")
	events := played.Run(nil)
	e, err := Explain(events, Options{})
	require.NoError(t, err)
	require.Contains(t, told(e), never)

	at := 5 * time.Second
	e, err = Explain(events, Options{At: &at})
	require.NoError(t, err)
	require.NotContains(t, told(e), never)
}
