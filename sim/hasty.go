package sim

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/manager"
)

// haste passes over the rounds of a livelock that only repeat what was played: a livelock ends the run after a thousand
// syncs, of which the timeline keeps the first few. It looks at the world between two syncs. A world whose
// fingerprint returns goes on as it did, and has a round; nothing is drawn meanwhile (Config.Hasty).
type haste struct {
	// at is the instant that it looks at, and seen has the states between the last syncs of it.
	at   model.Time
	seen map[Fingerprint]manager.Reach
}

// looks is the number of syncs between which it looks for a round. A livelock that has a longer one is played.
const looks = 40

// hurry passes over the rounds of a livelock, once it has seen one. It is called between two syncs of an instant, when
// all else has happened.
func (h *haste) hurry(w *World) {
	if w.config.Chooser != nil || w.config.Admit != nil || !w.manager.Loops() {
		return
	}
	if now := w.Now(); h.seen == nil || h.at != now {
		h.at, h.seen = now, map[Fingerprint]manager.Reach{}
	}
	if len(h.seen) > looks {
		return
	}
	print := w.Fingerprint()
	if since, known := h.seen[print]; known {
		w.manager.PassOver(since)
	}
	h.seen[print] = w.manager.Reach()
}
