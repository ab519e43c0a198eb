package audit

import (
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Saved is the lives of all names, as copies.
type Saved struct {
	pods, claims keyed.Map[*Life]
	entered      int
	revisions    int
}

// Save returns what the log knows.
func (l *Log) Save() Saved {
	return Saved{l.pods.CloneWith(copied), l.claims.CloneWith(copied), l.entered, l.revisions}
}

// Load fills a new log. Its lives are copies: a life of the saved log must be looked up again.
func (l *Log) Load(s Saved) {
	l.pods, l.claims = s.pods.CloneWith(copied), s.claims.CloneWith(copied)
	l.entered, l.revisions = s.entered, s.revisions
}

// copied returns a copy, which shares nothing that changes with the life.
func copied(life *Life) *Life {
	another := *life
	return &another
}

// Print prints a life. It leaves out what the life shares with its last event, which decides nothing.
func (l *Life) Print(p *kernel.Print) {
	p.Key(l.Key)
	p.UID(l.UID)
	p.Key(l.Set)
	p.Bool(l.Bare)
	p.Nth(l.Nth)
}
