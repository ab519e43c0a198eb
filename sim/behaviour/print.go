package behaviour

import "github.com/statefulsim/statefulsim/model"

// Printer is the writer that a back-off prints itself to.
type Printer interface {
	Int(int)
	Time(model.Time)
}

// Print prints what decides how long the next waits are.
func (r *Restarts) Print(p Printer) {
	p.Int(int(r.next))
	if r.next > 0 {
		p.Time(r.restarted)
	}
	p.Int(int(r.wait))
	p.Int(int(r.before))
	p.Int(r.rounds)
}

// Print prints what decides how long the next wait is.
func (a *Attempts) Print(p Printer) {
	p.Int(a.Failed)
	p.Int(int(a.wait))
}
