package run

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario/live/judge"
)

// What happens to a pod on the way.
const (
	Replaced = "replaced"
	Created  = "created"
	Removed  = "removed"
)

// Move says what happens to one pod on the way. A pod that is replaced has one move, from its deletion to the next pod
// of its name being Ready.
type Move struct {
	// Pod is the name of the pod.
	Pod string `json:"pod"`
	// Does is replaced, created or removed.
	Does string `json:"does"`
	// Down is the time at which it begins to terminate, Gone when it is gone, and Back when a pod of its name is Ready
	// again, in seconds since the change; -1 means never.
	Down Seconds `json:"down"`
	Gone Seconds `json:"gone"`
	Back Seconds `json:"back"`

	untimed bool
	// going says that it was terminating before the change.
	going bool
}

// MarshalJSON leaves out times that were played with assumed values.
func (m Move) MarshalJSON() ([]byte, error) {
	type timed Move
	if m.untimed {
		return json.Marshal(struct {
			Pod  string `json:"pod"`
			Does string `json:"does"`
		}{m.Pod, m.Does})
	}
	return json.Marshal(timed(m))
}

// Seconds is a duration; JSON has it as a number of seconds.
type Seconds = judge.Seconds

// Never is the time of what does not happen: -1 in JSON.
const Never = Seconds(-time.Second)

// Moves are in the order in which they begin, each pod once.
type Moves []Move

// Untimed returns the moves without their times.
func (m Moves) Untimed() Moves {
	list := slices.Clone(m)
	for i := range list {
		list[i].untimed = true
	}
	return list
}

// Of returns the moves of some kinds, kind by kind.
func (m Moves) Of(does ...string) Moves {
	var list Moves
	for _, kind := range does {
		for _, move := range m {
			if move.Does == kind {
				list = append(list, move)
			}
		}
	}
	return list
}

// Together returns the most pods that are down at once. O(n²) in the moves.
func (m Moves) Together() int {
	most := 0
	for i := range m {
		down := 0
		for j := range m {
			end := m[j].Back
			if m[j].Does == Removed {
				end = m[j].Gone
			}
			if m[j].Down <= m[i].Down && (end == Never || end > m[i].Down) {
				down++
			}
		}
		most = max(most, down)
	}
	return most
}

// Pods lists the pods, those in the middle of a long list left out.
func (m Moves) Pods() string {
	const most = 8
	list := m.names()
	if len(list) > most {
		list = append(append(list[:most-2:most-2], "…"), list[len(list)-1])
	}
	return strings.Join(list, ", ")
}

func (m Moves) names() []string {
	var list []string
	for _, move := range m {
		list = append(list, move.Pod)
	}
	return list
}

// Order returns the order in which pods are deleted and created, a line for each kind of change.
func (m Moves) Order(paced bool) []string {
	var lines []string
	for begin := 0; begin < len(m); {
		end := begin
		for end < len(m) && m[end].Does == m[begin].Does {
			end++
		}
		moves := m[begin:end]
		begin = end
		line := moves[0].Does + ": " + moves.Pods()
		all := len(moves) == len(m.Of(Replaced))
		if moves[0].Does == Removed && len(moves) > 1 || moves[0].Does == Replaced && len(moves) > 1 && (paced || !all) {
			line += ": " + moves.Pace()
		}
		lines = append(lines, line)
		if back := moves.byReturn(); moves[0].Does == Replaced && len(back) > 0 && back.Pods() != moves.Pods() {
			lines = append(lines, "come back in this order: "+back.Pods())
		}
	}
	return lines
}

// Pace words how many pods are down at once.
func (m Moves) Pace() string {
	if most := m.Together(); most > 1 {
		return fmt.Sprintf("up to %d at a time", most)
	}
	return "one at a time"
}

func (m Moves) byReturn() Moves {
	back := slices.DeleteFunc(slices.Clone(m), func(move Move) bool { return move.Back == Never })
	slices.SortStableFunc(back, func(a, b Move) int { return cmp.Compare(a.Back, b.Back) })
	return back
}
