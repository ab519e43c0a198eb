package alarm

import (
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/run"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/runs/atlas"
)

// Subject is a set about which there may be alarms.
type Subject struct {
	*stored.Set
	Input *pair.Input
	// Run is what was played of its change; nil if nothing was.
	Run *run.Run
	// Traps are those of the atlas that the version has.
	Traps []*atlas.Trap
}

// add adds an alarm about the set to others.
func (s *Subject) add(alarms []Alarm, trap, format string, args ...any) []Alarm {
	return append(alarms, One(s.Pair.Key, trap, format, args...))
}
