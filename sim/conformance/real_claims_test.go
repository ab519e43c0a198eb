//go:build real && apiserver && !(v1_16 || v1_22 || v1_24 || v1_27_4 || v1_29 || v1_31 || v1_33 || v1_34 || v1_35 || v1_35_0)

package conformance_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	internal "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestClaimChanges compares what is said of the change of a claim, by kubectl replace, with the real API server.
func TestClaimChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound, unclassed := rapid.Bool().Draw(t, "bound"), rapid.Bool().Draw(t, "unclassed")
		before, after := drawClaim(t, ""), drawClaim(t, "bound")
		real, ours := realChange(before, after, bound, unclassed), ourChange(t, before, after, bound, unclassed)
		if !slices.Equal(real, ours) {
			t.Fatalf("bound: %v, without a current class: %v\n%s\n%s\n  real: %q\n  sim:  %q", bound, unclassed, before, after, real, ours)
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
		"resources": {"requests": {"storage": %q}}%s%s%s%s}}`, of("ReadWriteOnce", "ReadWriteMany"),
		of("1Gi", "1024Mi", "2Gi", "512Mi"), of("", `, "storageClassName": "fast"`, `, "storageClassName": "slow"`),
		of("", `, "volumeMode": "Block"`), volume,
		of("", `, "volumeAttributesClassName": "gold"`, `, "volumeAttributesClassName": "silver"`, `, "volumeAttributesClassName": ""`))
}

// realChange leaves out the difference that the API server adds in lines of their own.
func realChange(before, after string, bound, unclassed bool) []string {
	old, claim := claimOf(before), claimOf(after)
	old.Status.Phase = core.ClaimPending
	if bound {
		old.Status.Phase, old.Spec.VolumeName = core.ClaimBound, "bound"
		if class := old.Spec.VolumeAttributesClassName; !unclassed && class != nil && *class != "" {
			old.Status.CurrentVolumeAttributesClassName = class
		}
	}
	old.Status.Capacity = core.ResourceList{core.ResourceStorage: old.Spec.Resources.Requests[core.ResourceStorage]}
	claim.Status = old.Status
	old.ResourceVersion, claim.ResourceVersion = "1", "1"
	var texts []string
	for _, err := range validateClaim(claim, old) {
		text, _, _ := strings.Cut(err.Error(), "\n")
		texts = append(texts, text)
	}
	return texts
}

// validateClaim is the part of the API server that looks at the change of a claim.
func validateClaim(claim, old *core.PersistentVolumeClaim) field.ErrorList {
	now, before := insideClaim(claim), insideClaim(old)
	options := validation.ValidationOptionsForPersistentVolumeClaim(now, before)
	return validation.ValidatePersistentVolumeClaimUpdate(now, before, options)
}

// insideClaim returns a claim as the API server has it inside.
func insideClaim(claim *core.PersistentVolumeClaim) *internal.PersistentVolumeClaim {
	object := &internal.PersistentVolumeClaim{}
	legacyscheme.Scheme.Default(claim)
	if err := legacyscheme.Scheme.Convert(claim, object, nil); err != nil {
		panic(err)
	}
	return object
}

func claimOf(text string) *core.PersistentVolumeClaim {
	claim := &core.PersistentVolumeClaim{}
	if err := json.Unmarshal([]byte(text), claim); err != nil {
		panic(err)
	}
	return claim
}

func ourChange(t *rapid.T, before, after string, bound, unclassed bool) []string {
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
		live.Phase, live.Unclassed = model.ClaimBound, unclassed
	}
	_, problems := manifest.ChangeClaim(live, read(after), true)
	return problems
}
