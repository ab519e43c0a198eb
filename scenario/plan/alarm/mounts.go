package alarm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/plan/pair"
	"github.com/statefulsim/statefulsim/sim/render"
)

// ofMounts adds the alarms about the data of claims: a container that looks for it elsewhere finds an empty directory,
// and one of another user or group may not read it.
func (s *Subject) ofMounts(alarms []Alarm) []Alarm {
	was, is := pair.SpecOf(s.Live.Spec.Template), pair.SpecOf(s.Wanted.Spec.Template)
	before, after := claimMounts(was, s.Live), claimMounts(is, s.Wanted)
	for _, place := range slices.Sorted(maps.Keys(before)) {
		if then, known := after[place]; known && then != before[place] {
			alarms = s.add(alarms, TrapMounts, "the mount of the claim %s changes from %s to %s: the data that is there is "+
				"found elsewhere in the container, or not at all", place, before[place], then)
		} else if !known && !slices.Contains(placesGone(before, after), place) {
			alarms = s.add(alarms, TrapMounts, "the claim %s is no longer mounted (%s): the container sees none of its data",
				place, before[place])
		}
	}
	if changes := users(was, is); len(changes) > 0 {
		alarms = s.add(alarms, TrapUser, "%s: the new pods may not read the data of the claims, or its ownership is changed "+
			"when the volumes are mounted, which takes long where there are many files", render.And(changes))
	}
	return alarms
}

// claimMounts says where the containers of a spec mount the claims of the claim templates of a set, by CLAIM in
// CONTAINER.
func claimMounts(spec *corev1.PodSpec, set *model.StatefulSet) map[string]string {
	mounts := map[string]string{}
	for _, c := range slices.Concat(spec.InitContainers, spec.Containers) {
		of := map[string][]string{}
		for _, m := range c.VolumeMounts {
			if slices.ContainsFunc(set.Spec.ClaimTemplates, func(t model.ClaimTemplate) bool { return t.Name == m.Name }) {
				text := m.MountPath
				if sub := m.SubPath + m.SubPathExpr; sub != "" {
					text += " (subPath " + sub + ")"
				}
				of[m.Name] = append(of[m.Name], text)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(of)) {
			texts := slices.Sorted(slices.Values(of[name]))
			mounts[name+" in "+c.Name] = strings.Join(texts, " and ")
		}
	}
	return mounts
}

// placesGone returns the places of before that are gone only because their container is.
func placesGone(before, after map[string]string) []string {
	var list []string
	for _, place := range slices.Sorted(maps.Keys(before)) {
		_, container, _ := strings.Cut(place, " in ")
		if !slices.ContainsFunc(slices.Collect(maps.Keys(after)), func(other string) bool {
			return strings.HasSuffix(other, " in "+container)
		}) {
			list = append(list, place)
		}
	}
	return list
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
