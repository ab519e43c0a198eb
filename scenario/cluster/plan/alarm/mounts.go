package alarm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/pair"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// ofMounts adds the alarms about the data of claims: a container that looks for it elsewhere finds an empty directory,
// and one of another user or group may not read it.
func (s *Subject) ofMounts(alarms []Alarm) []Alarm {
	was, is := pair.SpecOf(s.Live.Spec.Template), pair.SpecOf(s.Wanted.Spec.Template)
	before, after := claimMounts(was, s.Live), claimMounts(is, s.Wanted)
	for _, place := range slices.Sorted(maps.Keys(before)) {
		then, known := after[place]
		switch {
		case !known && slices.ContainsFunc(slices.Concat(is.InitContainers, is.Containers), func(c corev1.Container) bool {
			return strings.HasSuffix(place, " in "+c.Name)
		}):
			alarms = s.add(alarms, TrapMounts, "the claim %s is no longer mounted (%s): the container sees none of its data",
				place, before[place])
		case !known, then == before[place]:
		case then == before[place]+readOnly:
			alarms = s.add(alarms, TrapMounts, "the claim %s becomes read-only (%s): the container cannot write there any more",
				place, before[place])
		case then+readOnly != before[place]:
			alarms = s.add(alarms, TrapMounts, "the mount of the claim %s changes from %s to %s: the data that is there is "+
				"found elsewhere in the container, or not at all", place, before[place], then)
		}
	}
	if changes := users(was, is); len(before) > 0 && len(changes) > 0 {
		alarms = s.add(alarms, TrapUser, "%s: the new pods may not read the data of the claims, or its ownership is changed "+
			"when the volumes are mounted, which takes long where there are many files", render.And(changes))
	}
	return alarms
}

// readOnly ends a mount that cannot be written to.
const readOnly = " (read-only)"

// claimMounts says where the containers of a spec mount claims, those of the claim templates of a set and others, by
// CLAIM in CONTAINER.
func claimMounts(spec *corev1.PodSpec, set *model.StatefulSet) map[string]string {
	mounts, claims := map[string]string{}, map[string]string{}
	for i := range spec.Volumes {
		if claim := spec.Volumes[i].PersistentVolumeClaim; claim != nil {
			claims[spec.Volumes[i].Name] = claim.ClaimName
		}
	}
	for _, t := range set.Spec.ClaimTemplates {
		claims[t.Name] = t.Name
	}
	for _, c := range slices.Concat(spec.InitContainers, spec.Containers) {
		of := map[string][]string{}
		for _, m := range c.VolumeMounts {
			text := m.MountPath
			if sub := m.SubPath + m.SubPathExpr; sub != "" {
				text += " (subPath " + sub + ")"
			}
			if m.ReadOnly {
				text += readOnly
			}
			of[claims[m.Name]] = append(of[claims[m.Name]], text)
		}
		for _, d := range c.VolumeDevices {
			of[claims[d.Name]] = append(of[claims[d.Name]], "the device "+d.DevicePath)
		}
		delete(of, "")
		for _, name := range slices.Sorted(maps.Keys(of)) {
			texts := slices.Sorted(slices.Values(of[name]))
			mounts[name+" in "+c.Name] = strings.Join(texts, " and ")
		}
	}
	return mounts
}

// users says which users and groups of a pod change.
func users(was, is *corev1.PodSpec) []string {
	var list []string
	note := func(name string, a, b *int64) {
		if said(a) != said(b) {
			list = append(list, fmt.Sprintf("%s goes from %s to %s", name, said(a), said(b)))
		}
	}
	a, b := contextOf(was), contextOf(is)
	note("fsGroup", a.FSGroup, b.FSGroup)
	note("runAsUser", a.RunAsUser, b.RunAsUser)
	note("runAsGroup", a.RunAsGroup, b.RunAsGroup)
	if !slices.Equal(a.SupplementalGroups, b.SupplementalGroups) {
		list = append(list, fmt.Sprintf("supplementalGroups go from %v to %v", a.SupplementalGroups, b.SupplementalGroups))
	}
	for i := range was.Containers {
		for j := range is.Containers {
			old, next := &was.Containers[i], &is.Containers[j]
			if old.Name != next.Name {
				continue
			}
			from, to := old.SecurityContext, next.SecurityContext
			if from == nil {
				from = &corev1.SecurityContext{}
			}
			if to == nil {
				to = &corev1.SecurityContext{}
			}
			note("runAsUser of "+old.Name, from.RunAsUser, to.RunAsUser)
			note("runAsGroup of "+old.Name, from.RunAsGroup, to.RunAsGroup)
		}
	}
	return list
}

// contextOf returns the security context of a pod, an empty one if it has none.
func contextOf(spec *corev1.PodSpec) *corev1.PodSecurityContext {
	if spec.SecurityContext == nil {
		return &corev1.PodSecurityContext{}
	}
	return spec.SecurityContext
}

// said renders a number that may be absent.
func said(n *int64) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}
