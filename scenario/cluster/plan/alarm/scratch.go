package alarm

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/scenario/cluster/plan/facts"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/pair"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// worthless are the words, in the name of a volume or at the end of its path, for content that nobody misses. Most
// volumes of pods that are no claims have such content.
var worthless = strings.Fields("tmp temp cache caches run sock socket sockets log logs conf config configs scratch " +
	"spool plugin plugins shm dshm cert certs tls secret secrets token script scripts bin shared")

// data are the words, in the name of a volume or in its path, for what people keep.
var data = strings.Fields("data datadir db database storage store wal pgdata journal persistent state ledger ledgers")

// ofScratch adds the alarms about data that does not survive its pod: that of an emptyDir, and that of a hostPath if
// the next pod comes to another node.
func (s *Subject) ofScratch(alarms []Alarm) []Alarm {
	gone := append(slices.Clone(s.Run.Main.Moves.Of(facts.Replaced)), s.Run.Main.Moves.Of(facts.Removed)...)
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

// kindOf names the kind of a volume that goes with its pod.
func kindOf(v *corev1.Volume) string {
	if v.Ephemeral != nil {
		return "ephemeral"
	}
	return "emptyDir"
}

// keptAt says where a container keeps data in a volume, "PATH in CONTAINER"; "" if no container does, as far as the
// name of the volume and its path say.
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

// isData says whether a volume with a name is mounted where data is kept.
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

// isFolder says whether a hostPath is, or may be, a folder.
func isFolder(source *corev1.HostPathVolumeSource) bool {
	return source.Type == nil || *source.Type == corev1.HostPathUnset ||
		*source.Type == corev1.HostPathDirectory || *source.Type == corev1.HostPathDirectoryOrCreate
}

// pinned says whether the pods of a spec can only be on one node.
func pinned(spec *corev1.PodSpec) bool {
	return spec.NodeName != "" || spec.NodeSelector[corev1.LabelHostname] != ""
}
