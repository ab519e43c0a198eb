package run

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// resized says what a change of claim templates does not do to the claims that exist, and how to do it.
func resized(s *stored.Set, classes manifest.Classes) string {
	var commands []string
	shrinks, others, grown := false, false, false
	var allowed, forbidden []string
	for _, c := range diff.Under(s.Changes, "spec.volumeClaimTemplates[") {
		switch {
		case c.Old == nil || c.New == nil || !strings.HasSuffix(c.Path, ".requests.storage"):
			others = others || strings.Contains(c.Path, "].")
		case less(c.New, c.Old):
			shrinks = true
		default:
			class := classes.Of(liveTemplate(s, c))
			if class != nil && !manifest.Expands(class) {
				forbidden = append(forbidden, class.Name)
				continue
			} else if class != nil {
				allowed = append(allowed, class.Name)
			}
			small, known := smaller(s, c)
			if grown = grown || known && len(small) == 0; !known || len(small) > 0 {
				commands = append(commands, enlarge(s, c, small))
			}
		}
	}
	text := ""
	if others {
		text = ": only new claims follow the new template"
	}
	if len(forbidden) > 0 {
		text += ", and their volumes keep their size, since the StorageClass " + forbidden[0] + " does not have " +
			"allowVolumeExpansion: true"
	}
	if len(commands) > 0 {
		may := "if the storage class allows volume expansion,"
		if len(allowed) == len(commands) {
			may = "the StorageClass " + allowed[0] + " allows volume expansion, so"
		}
		text += ", and their volumes keep their size: " + may + " patch each claim: " + strings.Join(commands, "; ")
	}
	if grown {
		text += ", and they have asked for the new size already"
	}
	if shrinks {
		text += ", and their volumes keep their size, since no volume shrinks"
	}
	return text
}

// liveTemplate returns the spec of the claim template that a change is about, as it was.
func liveTemplate(s *stored.Set, c diff.Change) string {
	name := templateOf(s, c)
	for i := range s.Live.Spec.ClaimTemplates {
		if t := &s.Live.Spec.ClaimTemplates[i]; t.Name == name {
			return t.Data
		}
	}
	return ""
}

func less(a, b any) bool {
	small, err := resource.ParseQuantity(fmt.Sprint(a))
	large, wrong := resource.ParseQuantity(fmt.Sprint(b))
	return err == nil && wrong == nil && small.Cmp(large) < 0
}

func templateOf(s *stored.Set, c diff.Change) string {
	for _, t := range s.Wanted.Spec.ClaimTemplates {
		if strings.Contains(c.Path, "["+t.Name+"]") {
			return t.Name
		}
	}
	return s.Wanted.Spec.ClaimTemplates[0].Name
}

// smaller returns the claims that ask for less than the new size, which c is; known is false if no dump shows them.
func smaller(s *stored.Set, c diff.Change) (claims []string, known bool) {
	if s.Part == nil || s.Part.Claimless {
		return nil, false
	}
	for _, pod := range s.Live.PodKeys() {
		name := templateOf(s, c) + "-" + pod.Name
		claim := s.Part.Claim(model.Key{Namespace: pod.Namespace, Name: name})
		if claim == nil {
			continue
		}
		known = true
		var spec corev1.PersistentVolumeClaimSpec
		if claim.Data == "" || kube.Unmarshal([]byte(claim.Data), &spec) != nil {
			return nil, false
		}
		if asked := spec.Resources.Requests[corev1.ResourceStorage]; less(asked.String(), c.New) {
			claims = append(claims, name)
		}
	}
	return claims, known
}

// enlarge returns the command that gives the first of some claims, or that of the first pod, the new size.
func enlarge(s *stored.Set, c diff.Change, claims []string) string {
	claims = append(claims, templateOf(s, c)+"-"+s.Live.PodName(s.Live.Start()))
	return shell.In(s.Key().Namespace, "patch", "pvc", claims[0], "-p",
		`{"spec":{"resources":{"requests":{"storage":`+shell.JSON(fmt.Sprint(c.New))+`}}}}`)
}

// claimsAfterwards says what becomes of the claims when the set is created again without its pods, or with them.
func claimsAfterwards(s *stored.Set, classes manifest.Classes) string {
	gone, come, kept := s.Reclaims()
	text := ""
	if len(kept) > 0 {
		text = "; existing claims stay as they are" + resized(s, classes)
	}
	if len(gone) > 0 {
		text += "; the claims of " + render.And(gone) + " stay, and no new pod uses them"
	}
	if len(come) > 0 {
		text += "; new pods get new, empty claims of " + render.And(come)
	}
	return text
}
