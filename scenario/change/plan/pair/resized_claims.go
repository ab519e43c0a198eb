package pair

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// keepClaim notes a claim of a stream that can be read.
func (o *Others) keepClaim(claims map[model.Key]*model.Claim, other *manifest.Other, key model.Key) {
	o.claims[key] = true
	if other.Node == nil {
		// Of what a dump shows of it only the name is kept.
		return
	}
	if claim := other.Claim(&strict.Reader{}); claim != nil {
		claim.Namespace = key.Namespace
		claims[key] = claim
	}
}

// ClaimsChanged says what becomes of the claims of NEW that ask for something else than before.
func (in *Input) ClaimsChanged() []string {
	var list []string
	for _, key := range slices.SortedFunc(maps.Keys(in.newClaims), model.Key.Compare) {
		wanted, live := in.newClaims[key], in.liveClaim(key)
		if live == nil || live.Data == "" {
			continue
		}
		changed, problems := manifest.ChangeClaim(live, wanted, false)
		class := in.Classes.Of(live.Data)
		sizes := fmt.Sprintf("from %s to %s", sizeOf(live), sizeOf(changed))
		switch grows := manifest.Grows(live, changed); {
		case len(problems) > 0:
			list = append(list, fmt.Sprintf("PersistentVolumeClaim %s: the API server refuses the change: %s.", key.Name,
				strings.Join(problems, "; ")))
		case !grows:
		case class == nil:
			list = append(list, fmt.Sprintf("PersistentVolumeClaim %s grows %s. Assumed: its StorageClass has "+
				"allowVolumeExpansion: true. Otherwise the API server refuses the change.", key.Name, sizes))
		case !manifest.Expands(class):
			list = append(list, fmt.Sprintf("PersistentVolumeClaim %s: the API server refuses that it grows %s, since its "+
				"StorageClass %s does not have allowVolumeExpansion: true.", key.Name, sizes, class.Name))
		default:
			list = append(list, fmt.Sprintf("PersistentVolumeClaim %s grows %s, which its StorageClass %s allows. Some drivers "+
				"need a restart of the pod for that (the condition FileSystemResizePending).", key.Name, sizes, class.Name))
		}
	}
	return list
}

// liveClaim returns a claim as it is: as the dump has it, or as OLD has it, with its volume; nil if there is none.
func (in *Input) liveClaim(key model.Key) *model.Claim {
	if in.State != nil {
		return in.State.Claim(key)
	}
	old := in.oldClaims[key]
	if old == nil {
		return nil
	}
	bound := *old
	bound.Phase = model.ClaimBound
	return &bound
}

// sizeOf returns what a claim asks for.
func sizeOf(claim *model.Claim) string {
	var spec corev1.PersistentVolumeClaimSpec
	if kube.Unmarshal([]byte(claim.Data), &spec) != nil {
		return "?"
	}
	size := spec.Resources.Requests[corev1.ResourceStorage]
	return size.String()
}
