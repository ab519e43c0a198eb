package model

// PreRelease describes a version that is not released yet, if it is one. Proven is the exact version that it was
// compared with then. It is zero for a released version.
type PreRelease struct {
	PreRelease bool   `json:"preRelease,omitempty"`
	Proven     string `json:"proven,omitempty"`
}

// VersionTitle returns a version of Kubernetes for people. preRelease is the exact version that it was compared with if
// it is not out yet, and "" otherwise.
func VersionTitle(version, preRelease string) string {
	if preRelease == "" {
		return version
	}
	return version + " (a pre-release: compared with " + preRelease + ")"
}
