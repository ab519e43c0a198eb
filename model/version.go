package model

// VersionTitle returns a version of Kubernetes for people. preRelease is the exact version that it was compared with if
// it is not out yet, and "" otherwise.
func VersionTitle(version, preRelease string) string {
	if preRelease == "" {
		return version
	}
	return version + " (a pre-release: compared with " + preRelease + ")"
}
