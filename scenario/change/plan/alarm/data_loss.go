package alarm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// ofMounts adds the alarms about the data of claims that a container finds elsewhere, or may not read.
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
	for _, cover := range covers(was, is, after) {
		alarms = s.add(alarms, TrapMounts, "%s: the container does not see what the claim has there", cover)
	}
	if changes := users(was, is); len(before) > 0 && len(changes) > 0 {
		text := render.And(changes) + ": the new pods may not read the data of the claims"
		if fsGroup(was) != fsGroup(is) {
			text += ", or its ownership is changed when the volumes are mounted, which takes long where there are many files"
		}
		alarms = s.add(alarms, TrapUser, "%s", text)
	}
	return alarms
}

// covers says which new mounts of a pod lie within those of claims, which are given as by claimMounts.
func covers(was, is *corev1.PodSpec, claims map[string]string) []string {
	var list []string
	for _, c := range slices.Concat(is.InitContainers, is.Containers) {
		for _, m := range c.VolumeMounts {
			known := slices.ContainsFunc(slices.Concat(was.InitContainers, was.Containers), func(old corev1.Container) bool {
				return old.Name == c.Name && slices.ContainsFunc(old.VolumeMounts, func(before corev1.VolumeMount) bool {
					return before.MountPath == m.MountPath
				})
			})
			for _, place := range slices.Sorted(maps.Keys(claims)) {
				path, _, _ := strings.Cut(claims[place], " ")
				if !known && strings.HasSuffix(place, " in "+c.Name) &&
					strings.HasPrefix(m.MountPath, strings.TrimSuffix(path, "/")+"/") {
					list = append(list, fmt.Sprintf("the volume %s is mounted at %s, within the claim %s (%s)", m.Name, m.MountPath,
						place, path))
				}
			}
		}
	}
	return list
}

// readOnly ends a mount that cannot be written to.
const readOnly = " (read-only)"

// claimMounts says where the containers of a spec mount claims, by CLAIM in CONTAINER.
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

func users(was, is *corev1.PodSpec) []string {
	var list []string
	note := func(name string, a, b *int64) {
		if said(a) != said(b) {
			list = append(list, fmt.Sprintf("%s goes from %s to %s", name, said(a), said(b)))
		}
	}
	none := &corev1.PodSecurityContext{}
	a, b := cmp.Or(was.SecurityContext, none), cmp.Or(is.SecurityContext, none)
	note("fsGroup", a.FSGroup, b.FSGroup)
	note("runAsUser", a.RunAsUser, b.RunAsUser)
	note("runAsGroup", a.RunAsGroup, b.RunAsGroup)
	if !slices.Equal(a.SupplementalGroups, b.SupplementalGroups) {
		list = append(list, fmt.Sprintf("supplementalGroups go from %v to %v", a.SupplementalGroups, b.SupplementalGroups))
	}
	for _, old := range slices.Concat(was.InitContainers, was.Containers) {
		for _, next := range slices.Concat(is.InitContainers, is.Containers) {
			if old.Name != next.Name {
				continue
			}
			none := &corev1.SecurityContext{}
			from, to := cmp.Or(old.SecurityContext, none), cmp.Or(next.SecurityContext, none)
			note("runAsUser of "+old.Name, from.RunAsUser, to.RunAsUser)
			note("runAsGroup of "+old.Name, from.RunAsGroup, to.RunAsGroup)
		}
	}
	return list
}

// fsGroup is the group that a pod gives to the files of its volumes.
func fsGroup(spec *corev1.PodSpec) string {
	return said(cmp.Or(spec.SecurityContext, &corev1.PodSecurityContext{}).FSGroup)
}

func said(n *int64) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}

// worthless are the words, in the name of a volume or at the end of its path, for content that nobody misses. Most
// volumes of pods that are no claims have such content.
var worthless = strings.Fields("tmp temp cache caches run sock socket sockets log logs conf config configs scratch " +
	"spool plugin plugins shm dshm cert certs tls secret secrets token script scripts bin shared")

// data are the words, in the name of a volume or in its path, for what people keep.
var data = strings.Fields("data datadir db database storage store wal pgdata journal persistent state ledger ledgers")

// ofScratch adds the alarms about data that does not survive its pod, or stays on its node.
func (s *Subject) ofScratch(alarms []Alarm) []Alarm {
	gone := append(slices.Clone(s.Run.Main.Moves.Of(run.Replaced)), s.Run.Main.Moves.Of(run.Removed)...)
	if s.Live == nil || len(gone) == 0 {
		return alarms
	}
	spec := pair.SpecOf(s.Live.Spec.Template)
	var lost, left []string
	for i := range spec.Volumes {
		v := &spec.Volumes[i]
		where := keptAt(spec, v)
		switch {
		case where == "":
		case v.EmptyDir != nil && v.EmptyDir.Medium == corev1.StorageMediumDefault, v.Ephemeral != nil:
			lost = append(lost, v.Name+" ("+kindOf(v)+" at "+where+")")
		case v.HostPath != nil && isFolder(v.HostPath) && !pinned(spec):
			left = append(left, v.Name+" (hostPath at "+where+")")
		}
	}
	if len(lost) > 0 {
		alarms = s.add(alarms, TrapScratch, "what is in the volume %s is lost with each pod that goes (%s): only a claim of "+
			"the set keeps it", render.And(lost), gone.Pods())
	}
	if len(left) > 0 {
		alarms = s.add(alarms, TrapScratch, "what is in the volume %s stays on the node of each pod that goes (%s): a new "+
			"pod on another node does not find it", render.And(left), gone.Pods())
	}
	return alarms
}

func kindOf(v *corev1.Volume) string {
	if v.Ephemeral != nil {
		return "ephemeral"
	}
	return "emptyDir"
}

// keptAt says where a container seems to keep data in a volume, "PATH in CONTAINER"; "" if none does.
func keptAt(spec *corev1.PodSpec, v *corev1.Volume) string {
	for i := range spec.Containers {
		for _, m := range spec.Containers[i].VolumeMounts {
			if m.Name == v.Name && !m.ReadOnly && isData(v.Name, m.MountPath) {
				return m.MountPath + " in " + spec.Containers[i].Name
			}
		}
	}
	return ""
}

func isData(name, path string) bool {
	path = strings.TrimRight(path, "/")
	within := func(list []string, text string) bool {
		words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return strings.ContainsRune("/-_.", c) })
		return slices.ContainsFunc(words, func(word string) bool {
			return slices.Contains(list, strings.TrimRight(word, "0123456789"))
		})
	}
	return !within(worthless, name+"/"+path[strings.LastIndex(path, "/")+1:]) && !strings.HasPrefix(path, "/tmp/") &&
		(strings.HasPrefix(path, "/var/lib/") || within(data, name+path))
}

func isFolder(source *corev1.HostPathVolumeSource) bool {
	return source.Type == nil || *source.Type == corev1.HostPathUnset ||
		*source.Type == corev1.HostPathDirectory || *source.Type == corev1.HostPathDirectoryOrCreate
}

func pinned(spec *corev1.PodSpec) bool {
	return spec.NodeName != "" || spec.NodeSelector[corev1.LabelHostname] != ""
}

// ofVolumes adds the alarms about the claims that go on the way: those that a scale-down deletes, and those that
// somebody has deleted before. The latter exist only as long as their pods do (the finalizer pvc-protection).
func (s *Subject) ofVolumes(alarms []Alarm) []Alarm {
	doomed := slices.DeleteFunc(slices.Clone(s.Run.Main.Volumes), func(name string) bool { return !s.terminating(name) })
	scaled := s.scaledAway()
	if n := len(scaled); n > 0 {
		sets := "whenScaled: Delete"
		if s.Live != nil && !retention(&s.Live.Spec).DeleteWhenScaled {
			sets = "NEW sets whenScaled: Delete"
		}
		alarms = s.add(alarms, TrapVolumes, "deletes %s permanently, with %s (%s); to keep the claims, write whenScaled: Retain",
			render.List(scaled, 4), render.Agree(n, "its volume", "their volumes"), sets)
	}
	if n := len(doomed); n > 0 {
		alarms = s.add(alarms, TrapVolumes, "loses %s permanently, with %s: %s been deleted already, and only the running "+
			"%s; before you apply this, sim explain DUMP says how to save the data", render.List(doomed, 4),
			render.Agree(n, "its volume", "their volumes"), render.Agree(n, "it has", "they have"),
			render.Agree(n, "pod keeps it", "pods keep them"))
	}
	return alarms
}

// scaledAway are the claims that go because of a scale-down.
func (s *Subject) scaledAway() []string {
	return slices.DeleteFunc(slices.Clone(s.Run.Main.Volumes), s.terminating)
}

func (s *Subject) terminating(claim string) bool {
	if s.Part == nil {
		return false
	}
	found := s.Part.Claim(model.Key{Namespace: s.Pair.Key.Namespace, Name: claim})
	return found != nil && found.Terminating()
}

// lostOrdinals says which pods go for good when ordinals.start changes, and which come in their place; "" if none goes.
func (s *Subject) lostOrdinals() string {
	gone, made := s.Run.Main.Moves.Of(run.Removed), s.Run.Main.Moves.Of(run.Created)
	if !s.Renumbers() || len(gone) == 0 {
		return ""
	}
	text := fmt.Sprintf("ordinals.start moves from %d to %d: %s %s deleted for good", s.Live.Start(), s.Wanted.Start(),
		gone.Pods(), render.Agree(len(gone), "is", "are"))
	claims := len(s.Wanted.Spec.ClaimTemplates) > 0
	if claims && !retention(&s.Wanted.Spec).DeleteWhenScaled {
		text += " (" + render.Agree(len(gone), "its", "their") + " claims stay, and no pod uses them)"
	}
	if len(made) == 0 {
		return text
	}
	text += "; " + made.Pods() + " " + render.Agree(len(made), "starts", "start")
	switch {
	case claims && !s.hasClaims(made):
		text += " with new, empty claims"
		if s.Part == nil || s.Part.Claimless {
			text += ", unless claims of " + render.Agree(len(made), "its name", "their names") + " are left from before"
		}
		return text
	case claims:
		return text + " with the claims of " + render.Agree(len(made), "its own name", "their own names")
	}
	return text + " anew"
}

func (s *Subject) hasClaims(moves run.Moves) bool {
	if s.Part == nil {
		return false
	}
	return slices.ContainsFunc(s.Wanted.Spec.ClaimTemplates, func(t model.ClaimTemplate) bool {
		return slices.ContainsFunc(moves, func(m run.Move) bool {
			return s.Part.Claim(model.Key{Namespace: s.Pair.Key.Namespace, Name: t.Name + "-" + m.Pod}) != nil
		})
	})
}

// claims says which claim templates go or come, since nothing moves the data; "" if none does.
func (s *Subject) claims() string {
	gone, come, _ := s.Reclaims()
	var parts []string
	if len(gone) > 0 && s.Live.Spec.Replicas > 0 {
		claims := s.claimsOf(gone)
		parts = append(parts, fmt.Sprintf("the new files lack %s %s, so no new pod uses %s, which %s with the data",
			render.Agree(len(gone), "the claim template", "the claim templates"), render.And(gone), render.List(claims, 4),
			render.Agree(len(claims), "stays", "stay")))
	}
	if len(come) > 0 {
		parts = append(parts, fmt.Sprintf("%s %s %s new, so new pods start with new, empty claims of %s, unless claims of "+
			"these names are left from before", render.Agree(len(come), "the claim template", "the claim templates"),
			render.And(come), render.Agree(len(come), "is", "are"), render.Agree(len(come), "it", "them")))
	}
	return strings.Join(parts, "; ")
}

func (s *Subject) claimsOf(templates []string) []string {
	var names []string
	for i := range s.Live.Spec.ClaimTemplates {
		t := &s.Live.Spec.ClaimTemplates[i]
		for n := 0; n < int(s.Live.Spec.Replicas) && slices.Contains(templates, t.Name); n++ {
			names = append(names, model.ClaimName(s.Live, t, s.Live.Start()+n))
		}
	}
	return names
}

func (s *Subject) ofOthers(alarms []Alarm) []Alarm {
	for _, scaler := range s.Input.Scalers[s.Pair.Key] {
		alarms = s.ofScaler(alarms, scaler)
	}
	if s.Pair.Old != nil {
		return alarms
	}
	// A set that is renamed, or moves to another namespace, is a new one, and its data stays behind.
	alone := moves(s.Input.Pairs) == 2
	for _, gone := range s.Input.Pairs {
		if gone.New != nil || gone.Old == nil ||
			gone.Key.Name != s.Pair.Key.Name && gone.Key.Namespace != s.Pair.Key.Namespace && !alone {
			continue
		}
		if claim := sharedClaim(gone.Old, s.Pair.New); claim != "" {
			is := "stays in"
			if r := gone.Old.Object.Spec.PersistentVolumeClaimRetentionPolicy; r != nil &&
				r.WhenDeleted == appsv1.DeletePersistentVolumeClaimRetentionPolicyType {
				is = "goes, when that set is deleted, with"
			}
			alarms = s.add(alarms, TrapClaims, "%s leaves the files: if this is the same set under another name or in "+
				"another namespace, its data does not come along: it %s the claims %s-%s-N, and the new set begins with "+
				"empty ones", gone.Key, is, claim, gone.Key.Name)
		}
	}
	return alarms
}

func moves(pairs []*pair.Pair) (n int) {
	for _, p := range pairs {
		if (p.New == nil) != (p.Old == nil) {
			n++
		}
	}
	return n
}

func sharedClaim(old, now *manifest.Set) string {
	for _, c := range old.Object.Spec.VolumeClaimTemplates {
		if slices.ContainsFunc(now.Object.Spec.VolumeClaimTemplates, func(other corev1.PersistentVolumeClaim) bool {
			return c.Name == other.Name
		}) {
			return c.Name
		}
	}
	return ""
}
