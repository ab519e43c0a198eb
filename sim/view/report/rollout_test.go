package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestRolloutStatusOfADeletedSet: kubectl ends with an error rather than watch another set of the name.
func TestRolloutStatusOfADeletedSet(t *testing.T) {
	f := newFilm(1)
	f.step(timeline.Step{Verb: "create", Does: "create web", Sets: []*model.StatefulSet{f.set}})
	f.status(0, 0, "v1")
	f.to(2)
	f.controller(timeline.Entry{Kind: timeline.KindStatus, Reason: timeline.ReasonDeleted}.Event())
	var out bytes.Buffer
	require.NoError(t, RolloutStatus(&out, &Run{Events: f.events}))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	assert.Equal(t, "2s  error: object has been deleted", strings.TrimSpace(lines[len(lines)-1]))
}
