package explain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/live/oncall"
)

// TestNoRunComesAgain: a container that ran for 21m, has ended, and cannot be made again, has no next run in which its
// pod would be Ready. The phase of the pod stays Running (getPhase in pkg/kubelet).
func TestNoRunComesAgain(t *testing.T) {
	for reason, cause := range map[string]string{
		"ErrImagePull":               "image-not-pulled",
		"ImagePullBackOff":           "image-not-pulled",
		"ImageInspectError":          "image-not-pulled",
		"ErrImageNeverPull":          "image-not-pulled",
		"InvalidImageName":           "image-not-pulled",
		"RegistryUnavailable":        "image-not-pulled",
		"SignatureValidationFailed":  "image-not-pulled",
		"CreateContainerConfigError": "container-not-created",
		"CreateContainerError":       "container-not-created",
		"RunContainerError":          "container-not-created",
	} {
		t.Run(reason, func(t *testing.T) {
			data := strings.Replace(string(oncall.Of("an-image-that-cannot-be-pulled-again")), "reason: ImagePullBackOff",
				"reason: "+reason, 1)
			d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(data)}}, dump.Options{})
			require.NoError(t, err)
			s, err := scenario.Parse("s.yaml", []byte("kubernetes: \"1.36\"\nsteps:\n"+three), nil, scenario.Options{})
			require.NoError(t, err)
			set := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0]
			require.Equal(t, judge.Stuck, set.Judgement.State)
			require.Equal(t, cause, set.Judgement.Causes[0].Name)
			require.Equal(t, "web-2", set.StuckOn)
			for _, way := range set.WaysOut {
				for _, command := range way.Commands {
					require.NotContains(t, command, "web-1", "web-1 is Ready")
					require.NotContains(t, command, "web-0", "web-0 is Ready")
				}
			}
		})
	}
}
