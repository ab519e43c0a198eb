package audit

import "github.com/statefulsim/statefulsim/sim/kernel"

// Print prints a life.
func (l *Life) Print(p *kernel.Print) {
	p.Key(l.Key)
	p.UID(l.UID)
	p.Key(l.Set)
	p.Bool(l.Bare)
	p.Nth(l.Nth)
}
