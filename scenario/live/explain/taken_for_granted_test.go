package explain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
)

// TestWhatAFixTakesForGranted: a simulated pod becomes Ready unless the dump speaks against it. Where the dump does not
// speak for it either, the fix says so.
func TestWhatAFixTakesForGranted(t *testing.T) {
	const again, new = "the new web-0 becomes Ready, unlike the old one", "the template of the new pods works: no pod with it is Ready in the dump"
	const lost = "steps:\n" + three + "- unready: {pod: web-0}\n"
	for _, c := range []struct{ name, text, needs string }{
		{"the old pod of the same template", lost + "- scale: {replicas: 5}\n", again},
		{"a template of which no pod is Ready", lost + "- setImage: {image: \"app:v2\"}\n", new},
		{"both", "steps:\n- create: {name: web, replicas: 3, image: \"app:v1\", updateStrategy: {rollingUpdate: {partition: 1}}}\n" +
			"- unready: {pod: web-0}\n- setImage: {image: \"app:v2\"}\n", again + ", and that " + new},
		{"a template that other pods have", bad + "steps:\n" + three + toBad + back, ""},
		{"a template that the user has to name", bad + "steps:\n- create: {name: web, replicas: 3, image: \"app:bad\"}\n",
			"IMAGE is an image that works. Or fix the manifest and apply it instead"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
			require.NoError(t, err)
			real := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
			d := dumpedAfter(t, real.State(nil), 10*time.Minute)
			set := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0]
			require.True(t, set.WaysOut[0].Heals)
			require.Equal(t, c.needs, set.WaysOut[0].Needs, "%+v", set.WaysOut[0].Commands)
			if c.needs != "" {
				require.Contains(t, said(t, set.WaysOut[0]), ". This assumes that "+c.needs)
			}
		})
	}
}
