package reasons

import "strings"

// CountsPods says whether the refusal of a pod is that of a quota for the number of pods, which no template changes: it
// says "exceeded quota: NAME, requested: pods=1, used: …".
func CountsPods(refusal string) bool {
	_, rest, exceeded := strings.Cut(refusal, "exceeded quota: ")
	_, rest, asks := strings.Cut(rest, ", requested: ")
	requested, _, _ := strings.Cut(rest, ":")
	for of := range strings.SplitSeq(requested, ",") {
		if exceeded && asks && strings.HasPrefix(strings.TrimPrefix(of, "count/"), "pods=") {
			return true
		}
	}
	return false
}

// OfStore says whether a write has failed in the database of the API server, whatever was written: no change of an
// object helps, and none is stored.
func OfStore(refusal string) bool { return strings.Contains(refusal, "etcdserver: ") }
