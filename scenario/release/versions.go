package release

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Versions are the version of Kubernetes that was simulated, and the real one.
type Versions struct {
	// Played is the version that was simulated. Found is the version of the kube-controller-manager, if the dump has its
	// pod, or else the newest version of a kubelet, as its node has it; "" if the dump shows neither.
	Played string `json:"played"`
	Found  string `json:"found"`
	// PreRelease is true if the simulated version is not out yet. Proven is the exact version that it was compared with
	// then, such as v1.38.0-beta.0.
	PreRelease bool   `json:"preRelease,omitempty"`
	Proven     string `json:"proven,omitempty"`
	// Known is false if no version that sim knows is the one that was found, or only a pre-release that was not asked for
	// is. Nothing is certain then. Otherwise it is left out.
	Known *bool `json:"known,omitempty"`
	// shows is the component whose version was found.
	shows string
}

// Cluster is what a dump shows of the versions of a cluster: the newest of its kube-controller-managers, if it has their
// pods, and of its kubelets. Each is "" if it is not shown.
type Cluster struct{ Manager, Kubelet string }

// Manager is the component that the StatefulSet controller is a part of, and newestKubelet is what shows the version of a
// cluster without its pod.
const (
	Manager       = "kube-controller-manager"
	newestKubelet = "the newest kubelet"
)

// Shown returns the component that shows the version of the cluster, and that version: the controller manager, or
// without it the newest kubelet, than which a control plane is at least as new. The version is "" if neither is shown.
func (c Cluster) Shown() (component, version string) {
	if c.Manager != "" {
		return Manager, c.Manager
	}
	return newestKubelet, c.Kubelet
}

// VersionsOf returns the version that was simulated, and what a dump shows of the real one.
func VersionsOf(played statefulset.Profile, shown Cluster) Versions {
	proven := played.PreRelease()
	v := Versions{Played: played.Version(), Proven: proven, PreRelease: proven != ""}
	v.shows, v.Found = shown.Shown()
	switch {
	case v.doubts(v.Found):
		v.Known = new(bool)
	case v.doubts(shown.Kubelet):
		v.Known, v.shows, v.Found = new(bool), newestKubelet, shown.Kubelet
	}
	return v
}

// doubts reports whether a version, if there is one, is not known, or only as a pre-release that was not simulated.
func (v Versions) doubts(version string) bool {
	found, err := statefulset.Lookup(version)
	return err != nil || found.PreRelease() != "" && found.Version() != v.Played
}

// Doubt says in sentences, which come first, that the version which was found is not the simulated one, and that
// nothing is certain therefore. It is "" if that version is known, or none was found.
func (v Versions) Doubt() string {
	if v.Known == nil {
		return ""
	}
	text := "NOTHING HERE IS CERTAIN: " + v.shows + " is " + v.Found
	instead := ". Simulated was " + v.title() + " instead"
	if found, err := statefulset.Lookup(v.Found); err == nil {
		return text + ", which is known only as a pre-release (compared with " + found.PreRelease() + ")" + instead +
			": --kubernetes " + found.Version() + " chooses the pre-release."
	}
	return text + ", a version of Kubernetes that is unknown here" + instead + "."
}

// title names the version that was simulated.
func (v Versions) title() string { return model.VersionTitle(v.Played, v.Proven) }

// String says in a sentence which version was simulated, and what the dump shows of the real one.
func (v Versions) String() string {
	if v.Found == "" {
		return v.AssumedOf("the dump")
	}
	return "Simulated as Kubernetes " + v.title() + "; " + v.shows + " in the dump is " + v.Found + "."
}

// AssumedOf says which version was simulated because what was read does not show the real one.
func (v Versions) AssumedOf(read string) string {
	return "Simulated as Kubernetes " + v.title() + "; " + read + " does not show the version of the cluster " +
		"(--kubernetes VERSION sets it)."
}
