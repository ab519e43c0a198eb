package judge

import "github.com/statefulsim/statefulsim/model"

// Versions are the version of Kubernetes that was simulated, and the real one.
type Versions struct {
	// Played is the version that was simulated. Found is the newest version of a kubelet, as its node has it; "" if the
	// dump does not show it.
	Played string `json:"played"`
	Found  string `json:"found"`
}

// String says in a sentence which version was simulated, and what the dump shows of the real one.
func (v Versions) String() string {
	if v.Found == "" {
		return v.AssumedOf("the dump")
	}
	return "Simulated as Kubernetes " + v.Played + "; the newest kubelet in the dump is " + v.Found + "."
}

// AssumedOf says which version was simulated because what was read does not show the real one.
func (v Versions) AssumedOf(read string) string {
	return "Simulated as Kubernetes " + v.Played + "; " + read + " does not show the version of the cluster " +
		"(--kubernetes VERSION sets it)."
}

// ByKey returns the sets by their names.
func ByKey(sets []*Set) map[model.Key]*Set {
	of := make(map[model.Key]*Set, len(sets))
	for _, s := range sets {
		of[s.Key] = s
	}
	return of
}
