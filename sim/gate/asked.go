package gate

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Asked reports whether all holds that the spec of a set asks for: it has exactly the pods of its range, each is
// available, and each above the partition is of the present template. Old pods below the partition are as asked.
func Asked(s *timeline.Set, now model.Time) bool {
	if s == nil || s.Spec == nil {
		return false
	}
	want, start := int(s.Spec.Spec.Replicas), s.Spec.Start()
	if s.Pods.Len() != want || s.Available(now) != want {
		return false
	}
	if want > 0 && (s.Pods.First().Ordinal < start || s.Pods.Last().Ordinal >= start+want) {
		return false
	}
	return s.Outdated() == 0 || !s.Pods.Any(func(p *timeline.Pod) bool { return old(s, p) })
}

// old reports whether a pod is of an old template although no partition keeps it.
func old(s *timeline.Set, p *timeline.Pod) bool {
	t := s.Spec.Spec.Template
	return t != nil && p.Template != t.ID && !s.Spec.BelowPartition(p.Ordinal)
}

// maxNamed is the number of pods that a sentence names.
const maxNamed = 5

// Missing says in sentences what a set lacks of what its spec asks for; nil if that is nothing.
func Missing(s *timeline.Set, now model.Time) []string {
	if s == nil || s.Spec == nil {
		return []string{"the StatefulSet does not exist"}
	}
	start, minReady := s.Spec.Start(), s.Spec.Spec.MinReadySeconds
	end := start + int(s.Spec.Spec.Replicas)
	there := map[string]bool{}
	var surplus, going, outdated, unready, young, absent []string
	for p := range s.Pods.All {
		there[p.Name] = true
		switch {
		case p.Ordinal < start || p.Ordinal >= end:
			surplus = append(surplus, p.Name)
		case p.Terminating:
			going = append(going, p.Name)
		case old(s, p):
			outdated = append(outdated, p.Name)
		case !p.Ready:
			unready = append(unready, p.Name)
		case !s.IsAvailable(p, now):
			young = append(young, p.Name)
		}
	}
	for _, key := range s.Spec.PodKeys() {
		if !there[key.Name] {
			absent = append(absent, key.Name)
		}
	}
	var list []string
	say := func(pods []string, one, many string) {
		switch len(pods) {
		case 0:
		case 1:
			list = append(list, pods[0]+" "+one)
		default:
			list = append(list, named(pods)+" "+many)
		}
	}
	say(absent, "does not exist", "do not exist")
	say(surplus, "is surplus and still there", "are surplus and still there")
	say(going, "is terminating", "are terminating")
	say(outdated, "is of an old template", "are of an old template")
	say(unready, "is not Ready", "are not Ready")
	proof := fmt.Sprintf("Ready for less than minReadySeconds (%ds)", minReady)
	say(young, "has been "+proof, "have been "+proof)
	return list
}

// named lists some pods.
func named(pods []string) string {
	if n := len(pods); n > maxNamed {
		return strings.Join(pods[:maxNamed], ", ") + fmt.Sprintf(" and %d more", n-maxNamed)
	}
	return strings.Join(pods[:len(pods)-1], ", ") + " and " + pods[len(pods)-1]
}
