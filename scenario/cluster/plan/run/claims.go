package run

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// resized says what a change of claim templates does not do to the claims that exist, and how to do it; "" if none
// changes.
func resized(s *stored.Set) string {
	var commands []string
	shrinks, others, grown := false, false, false
	for _, c := range diff.Under(s.Changes, "spec.volumeClaimTemplates[") {
		switch {
		case c.Old == nil || c.New == nil || !strings.HasSuffix(c.Path, ".requests.storage"):
			others = others || strings.Contains(c.Path, "].")
		case less(c.New, c.Old):
			shrinks = true
		default:
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
	if len(commands) > 0 {
		text += ", and their volumes keep their size: if the storage class allows volume expansion, patch each claim: " +
			strings.Join(commands, "; ")
	}
	if grown {
		text += ", and they have asked for the new size already"
	}
	if shrinks {
		text += ", and their volumes keep their size, since no volume shrinks"
	}
	return text
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

// smaller returns the claims of a claim template that ask for less than the new size, which c is. known is false if no
// dump shows the claims.
func smaller(s *stored.Set, c diff.Change) (claims []string, known bool) {
	if s.Part == nil || s.Part.Claimless {
		return nil, false
	}
	for i := range int(s.Live.Spec.Replicas) {
		name := templateOf(s, c) + "-" + s.Live.PodName(s.Live.Start()+i)
		claim := s.Part.Claim(model.Key{Namespace: s.Pair.Key.Namespace, Name: name})
		if claim == nil {
			continue
		}
		known = true
		var spec corev1.PersistentVolumeClaimSpec
		if claim.Data == "" || json.Unmarshal([]byte(claim.Data), &spec) != nil {
			return nil, false
		}
		if asked := spec.Resources.Requests[corev1.ResourceStorage]; less(asked.String(), c.New) {
			claims = append(claims, name)
		}
	}
	return claims, known
}

// enlarge returns the command that gives a claim the new size, which c is: the first of some, or else that of the first
// pod.
func enlarge(s *stored.Set, c diff.Change, claims []string) string {
	claims = append(claims, templateOf(s, c)+"-"+s.Live.PodName(s.Live.Start()))
	return command.In(s.Key().Namespace, "patch", "pvc", claims[0], "-p",
		`{"spec":{"resources":{"requests":{"storage":`+command.JSON(fmt.Sprint(c.New))+`}}}}`)
}

// claimsAfterwards says what becomes of the claims when the set is created again without its pods, or with them.
func claimsAfterwards(s *stored.Set) string {
	gone, come, kept := s.Reclaims()
	text := ""
	if len(kept) > 0 {
		text = "; existing claims stay as they are" + resized(s)
	}
	if len(gone) > 0 {
		text += "; the claims of " + render.And(gone) + " stay, and no new pod uses them"
	}
	if len(come) > 0 {
		text += "; new pods get new, empty claims of " + render.And(come)
	}
	return text
}
