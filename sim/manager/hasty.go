package manager

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
)

// haste skips the rounds of a livelock that only repeat earlier ones: a livelock ends the run after a thousand
// syncs, and the timeline keeps only the first few. It looks at the world between two syncs. If a fingerprint
// returns and nothing was drawn in between, the world will repeat itself: it has a round.
type haste struct {
	// at is the instant that it looks at. seen has the positions in that instant when the world had a fingerprint;
	// it has at most looks+1 of them, and after that no round is searched for. It is nil until the first dubious
	// instant.
	at   model.Time
	seen map[kernel.Fingerprint]reach
}

// looks is the number of syncs between which it looks for a round. A livelock that has a longer one is played.
const looks = 40

// reach is how far an instant has come: the syncs of it that have written something, all syncs of the run, the events,
// and the questions that the chooser was asked. All only grow during an instant, so the difference of two is what the
// rounds between them have cost.
type reach struct{ writing, syncs, events, asked int }

// hurry skips the rounds of a livelock, once it has seen one. It is called between two syncs of an instant, when
// everything else has happened. It does nothing in a world without Hasty, such as a world with a chooser whose
// draws a fingerprint does not show. A round that asks a chooser does not count: another answer would be another
// run.
func (m *Manager) hurry() {
	if m.Hasty == nil || !m.loops() {
		return
	}
	h := &m.haste
	if now := m.kernel.Now(); h.seen == nil || h.at != now {
		h.at, h.seen = now, map[kernel.Fingerprint]reach{}
	}
	if len(h.seen) > looks {
		return
	}
	print, now := m.Hasty(), reach{m.instant.writing, m.syncs, len(m.kernel.Events()), m.asked()}
	if since, known := h.seen[print]; known && since.asked == now.asked {
		m.passOver(since, now)
	}
	h.seen[print] = now
}

// asked returns how many questions the chooser was asked; 0 if the world has none that counts.
func (m *Manager) asked() int {
	if m.Asked == nil {
		return 0
	}
	return m.Asked()
}

// loops reports whether the instant may be a livelock that ends the run, with all events that are kept of one.
func (m *Manager) loops() bool {
	if m.instant.writing < dubious || m.instant.most < often || m.instant.hurried || m.patience == AStepComes {
		return false
	}
	events := m.kernel.Events()
	kept := len(events) - 1 - keptEvents
	return kept >= 0 && events[kept].T == m.kernel.Now() && m.Lag() != Unseen
}

// passOver skips the rounds of a livelock. The livelock is proven: the world is now the same as it was at `since`
// in this instant. It only raises the counters, to what they would be after a whole number of rounds: no event is
// made up. It leaves as many of the last rounds to be played as instant.end needs to find the period. It skips once
// in an instant, and not at all if a round has more than longestPeriod writing syncs.
func (m *Manager) passOver(since, now reach) {
	writing, end, played := now.writing-since.writing, 10*m.replicas+1000, 2*(now.writing-since.writing)
	if end > manySyncs {
		end, played = manySyncs, 3*longestPeriod
	}
	m.instant.hurried = true
	if writing < 1 || writing > longestPeriod {
		return
	}
	rounds := max(0, end-played-now.writing) / writing
	m.instant.writing += rounds * writing
	m.instant.passed += rounds * (now.events - since.events)
	m.syncs += rounds * (now.syncs - since.syncs)
}
