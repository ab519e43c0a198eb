package audit

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Saved is the lives of all names.
type Saved struct {
	pods, claims map[model.Key]*Life
	entered      int
}

// Save returns what the log knows.
func (l *Log) Save() Saved { return Saved{copyOf(l.pods), copyOf(l.claims), l.entered} }

// Load fills a new log. Lives are others than those that were saved; see Pod and Claim.
func (l *Log) Load(s Saved) {
	l.pods, l.claims, l.entered = copyOf(s.pods), copyOf(s.claims), s.entered
}

func copyOf(lives map[model.Key]*Life) map[model.Key]*Life {
	copies := make(map[model.Key]*Life, len(lives))
	for _, key := range slices.Collect(maps.Keys(lives)) {
		life := *lives[key]
		copies[key] = &life
	}
	return copies
}
