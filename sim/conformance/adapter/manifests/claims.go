package manifests

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// ClaimChanges holds what is said of the change of a claim, by kubectl replace, against the real API server, of which
// validate is the part that looks at one.
func ClaimChanges(t *testing.T, validate func(claim, old *core.PersistentVolumeClaim) field.ErrorList) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.Bool().Draw(t, "bound")
		before, after := drawClaim(t, ""), drawClaim(t, "bound")
		real, ours := realChange(before, after, bound, validate), ourChange(t, before, after, bound)
		if !slices.Equal(real, ours) {
			t.Fatalf("bound: %v\n%s\n%s\n  real: %q\n  sim:  %q", bound, before, after, real, ours)
		}
	})
}

// drawClaim makes a claim, which may name a volume.
func drawClaim(t *rapid.T, volume string) string {
	of := func(options ...string) string { return rapid.SampledFrom(options).Draw(t, "") }
	if volume != "" {
		volume = of("", `, "volumeName": "bound"`, `, "volumeName": "other"`)
	}
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data",
		"namespace": "default"}, "spec": {"accessModes": [%q],
		"resources": {"requests": {"storage": %q}}%s%s%s}}`, of("ReadWriteOnce", "ReadWriteMany"),
		of("1Gi", "1024Mi", "2Gi", "512Mi"), of("", `, "storageClassName": "fast"`, `, "storageClassName": "slow"`),
		of("", `, "volumeMode": "Block"`), volume)
}

// realChange leaves out the difference that the API server adds in lines of their own.
func realChange(before, after string, bound bool, validate func(claim, old *core.PersistentVolumeClaim) field.ErrorList,
) []string {
	old, claim := claimOf(before), claimOf(after)
	old.Status.Phase = core.ClaimPending
	if bound {
		old.Status.Phase, old.Spec.VolumeName = core.ClaimBound, "bound"
	}
	old.Status.Capacity = core.ResourceList{core.ResourceStorage: old.Spec.Resources.Requests[core.ResourceStorage]}
	claim.Status = old.Status
	old.ResourceVersion, claim.ResourceVersion = "1", "1"
	var texts []string
	for _, err := range validate(claim, old) {
		text, _, _ := strings.Cut(err.Error(), "\n")
		texts = append(texts, text)
	}
	return texts
}

func claimOf(text string) *core.PersistentVolumeClaim {
	claim := &core.PersistentVolumeClaim{}
	if err := json.Unmarshal([]byte(text), claim); err != nil {
		panic(err)
	}
	return claim
}

func ourChange(t *rapid.T, before, after string, bound bool) []string {
	read := func(text string) *model.Claim {
		parsed := strict.ParseStream("claim", []byte(text), strict.Limits{})
		r := parsed.Reader("claim", strict.Limits{})
		claim := manifest.Read(r, parsed.Docs).Others[0].Claim(r)
		if err := r.Err(); err != nil {
			t.Fatal(err)
		}
		return claim
	}
	live := read(before)
	if bound {
		live.Phase = model.ClaimBound
	}
	_, problems := manifest.ChangeClaim(live, read(after), true)
	return problems
}
