package reasons

import "github.com/statefulsim/statefulsim/sim/lazy"

// CountsPods says whether the refusal of a pod is that of a quota for the number of pods, which no template changes.
func CountsPods(refusal string) bool { return countsPods().MatchString(refusal) }

var countsPods = lazy.Regexp(`exceeded quota: [^,]+, requested: (?:[^:]*,)?(?:count/)?pods=`)
