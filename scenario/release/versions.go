package release

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Versions are the version of Kubernetes that was simulated, and the real one.
type Versions struct {
	// Played is the version that was simulated. Found is the newest version of a kubelet, as its node has it; "" if the
	// dump does not show it.
	Played string `json:"played"`
	Found  string `json:"found"`
	// PreRelease is true if the simulated version is not out yet. Proven is the exact version that it was compared with
	// then, such as v1.38.0-beta.0.
	PreRelease bool   `json:"preRelease,omitempty"`
	Proven     string `json:"proven,omitempty"`
	// Known is false if no version that sim knows is the one that was found, or only a pre-release that was not asked for
	// is. Nothing is certain then. Otherwise it is left out.
	Known *bool `json:"known,omitempty"`
}

// VersionsOf returns the version that was simulated, and the newest one of a kubelet that was found; "" for none.
func VersionsOf(played statefulset.Profile, kubelet string) Versions {
	proven := played.PreRelease()
	v := Versions{Played: played.Version(), Proven: proven, PreRelease: proven != ""}
	if kubelet == "" {
		return v
	}
	v.Found = kubelet
	found, err := statefulset.Lookup(v.Found)
	if err != nil || found.PreRelease() != "" && found.Version() != played.Version() {
		v.Known = new(bool)
	}
	return v
}

// Doubt says in sentences, which come first, that the version which was found is not the simulated one, and that
// nothing is certain therefore. It is "" if that version is known, or none was found.
func (v Versions) Doubt() string {
	if v.Known == nil {
		return ""
	}
	text := "NOTHING HERE IS CERTAIN: the newest kubelet is " + v.Found
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
	return "Simulated as Kubernetes " + v.title() + "; the newest kubelet in the dump is " + v.Found + "."
}

// AssumedOf says which version was simulated because what was read does not show the real one.
func (v Versions) AssumedOf(read string) string {
	return "Simulated as Kubernetes " + v.title() + "; " + read + " does not show the version of the cluster " +
		"(--kubernetes VERSION sets it)."
}
