package judge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim"
)

// TestStartsByItself: that a pod starts by itself when what it lacks is there is only said of one that waits for it,
// not of one that runs, or that is being deleted.
func TestStartsByItself(t *testing.T) {
	for lacks, f := range map[string]dump.Facts{
		"the Secret":    {Event: `FailedMount: secret "tls" not found`},
		"the ConfigMap": {Message: "couldn't find key LOG in ConfigMap prod/web"},
		"that driver":   {Event: "FailedAttachVolume: CSINode n does not contain driver d"},
		"the node":      {Event: "FailedCreatePodSandBox: no network"},
	} {
		for _, c := range []struct {
			phase    model.Phase
			deletion *model.Deletion
			want     bool
		}{{model.Pending, nil, true}, {model.Running, nil, false}, {model.Pending, &model.Deletion{}, false}} {
			p := sim.PodState{Pod: &model.Pod{
				Meta: model.Meta{Namespace: "prod", Name: "web-0", Deletion: c.deletion}, Node: "n", Phase: c.phase, Template: &model.Template{},
			}}
			d := &dump.Dump{State: &sim.State{Pods: []sim.PodState{p}}, Facts: map[model.Key]*dump.Facts{p.Key(): &f}}
			text := strings.Join(shownOf("web-0", "prod", d), "\n")
			require.Equal(t, c.want, strings.Contains(text, "When "+lacks) && strings.Contains(text, "by itself"), "%s: %s", lacks, text)
		}
	}
}
