package manager

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
)

// haste passes over the rounds of a livelock that only repeat what was played: a livelock ends the run after a thousand
// syncs, of which the timeline keeps the first few. It looks at the world between two syncs. A world whose
// fingerprint returns goes on as it did, and has a round; nothing is drawn meanwhile.
type haste struct {
	// at is the instant that it looks at. seen says how far that instant had come when the world had a fingerprint; it has
	// at most looks+1 of them, after which no round is searched for any more. It is nil until the first dubious instant.
	at   model.Time
	seen map[kernel.Fingerprint]reach
}

// looks is the number of syncs between which it looks for a round. A livelock that has a longer one is played.
const looks = 40

// reach is how far an instant has come: the syncs of it that have written something, all syncs of the run, the events,
// and the questions that the chooser was asked. All only grow during an instant, so the difference of two is what the
// rounds between them have cost.
type reach struct{ writing, syncs, events, asked int }

// hurry passes over the rounds of a livelock, once it has seen one. It is called between two syncs of an instant, when
// all else has happened. It does nothing in a world without Hasty: one with a chooser, say, whose draws a fingerprint
// does not show. A round in which a chooser is asked something is none: another answer would be another run.
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

// passOver passes over the rounds of a livelock, which is proven: the world is now what it was when the instant had
// come as far as `since`. It only raises the counters, to what they would be after a whole number of rounds: no event
// is made up. As many of the last rounds are left to be played as instant.end must see to find the period. It does so
// once in an instant, and not at all if a round has more than longestPeriod syncs that write.
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
