package audit

import "github.com/statefulsim/statefulsim/sim/kernel"

// Print prints a life. What it shares with its last event is left out: it decides nothing.
func (l *Life) Print(p *kernel.Print) {
	p.Key(l.Key)
	p.UID(l.UID)
	p.Key(l.Set)
	p.Bool(l.Bare)
	p.Nth(l.Nth)
}
