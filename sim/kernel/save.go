package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/eventqueue"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Saved is the clock, the pending events, and the timeline so far. It does not change while the world continues.
// Timers are not in it: Load makes new ones. toCome are the pending events in the order in which they were
// scheduled, which decides between events of one actor at one instant. away and until are the fields of Kernel.
type Saved struct {
	now    model.Time
	toCome []pending
	events []timeline.Event
	result timeline.Result
	away   [rooms]bool
	until  model.Time
}

// pending is a pending event.
type pending struct {
	at         model.Time
	actor      eventqueue.Actor
	background bool
	event      Event
}

// Save returns what the kernel holds; its cost is proportional to the number of pending events. The timeline is
// shared: the kernel only appends to it, and events of an instant that is over do not change. So it must be called at
// a fixed point.
func (k *Kernel) Save() Saved {
	s := Saved{now: k.Now(), events: slices.Clip(k.events), result: k.Result, away: k.away, until: k.until}
	s.result.Warnings = slices.Clone(k.Result.Warnings)
	k.lent = true
	for _, e := range k.queue.Scheduled() {
		s.toCome = append(s.toCome, pending{e.At, e.Actor, e.Background, e.Payload})
	}
	return s
}

// Rewind brings a new kernel to the instant of a saved one, with its timeline. It is the first step of a load; the
// rooms may ask for the time from then on.
func (k *Kernel) Rewind(s Saved) {
	k.queue.Advance(s.now)
	k.events = append(k.events, s.events...)
	k.Result, k.away, k.until = s.result, s.away, s.until
	k.Result.Warnings = slices.Clip(s.result.Warnings)
}

// Load schedules the pending events again, in their order, and gives each room its timers. It is the last step of a
// load, when the rooms have their objects.
func (k *Kernel) Load(s Saved) {
	for _, e := range s.toCome {
		timer := k.queue.Schedule(e.at, e.actor, e.background, e.event)
		k.rooms[e.event.Room].Keep(e.event, timer)
	}
}

// Fingerprint is a hash of everything that decides the future of a world. It may be compared and used as a key; it
// means nothing between two builds of the program.
type Fingerprint [16]byte

// Print collects the data of a fingerprint; each room prints what it holds. Times are counted from now, and an
// instant of 0 means none. For uids and resource versions it only matters which of them are equal, so each is
// replaced by its place in the order of their first appearance (numbers). The data are never read back, but one
// print must not be a prefix of another, so lists start with their length and optional parts with a flag.
//
// A room must print everything that its future depends on, and nothing else: printing too little makes two
// different worlds equal, printing too much makes equal worlds different.
type Print struct {
	now  model.Time
	text []byte
	// Lives is the highest number of a pod among the pods with its name (nth) that a rule asks about, 0 if none
	// does: all later ones are alike. The world sets it before it prints.
	Lives int
	// Ripens is true if it matters since when a pod has been Ready. The world sets it before it prints.
	Ripens bool

	// uids and versions are numbered apart from each other. known has hashes that outlive a print; names is for sorting.
	uids, versions numbers
	known          known
	names          []string
}

// Fingerprint returns the fingerprint of the data that write prints. It costs as much as write, plus a SHA-256 of
// the data.
func (k *Kernel) Fingerprint(write func(*Print)) Fingerprint {
	p := k.printer()
	write(p)
	sum := sha256.Sum256(p.text)
	return Fingerprint(sum[:len(Fingerprint{})])
}

// printer returns the kernel's print, empty. It is used again and keeps the hashes of objects.
func (k *Kernel) printer() *Print {
	if k.spare == nil {
		k.spare = &Spare{}
	}
	p := &k.spare.print
	p.now, p.text, p.Lives, p.Ripens = k.Now(), p.text[:0], 0, false
	p.uids.reset()
	p.versions.reset()
	p.known.tidy()
	return p
}

// Print prints the pending events, in order, the rooms that are away, and how the run ended, if it has. The
// timeline is left out: the past matters only through what is in the rooms.
func (k *Kernel) Print(p *Print) {
	entries := k.queue.All()
	p.Int(len(entries))
	for _, e := range entries {
		p.Time(e.At)
		p.Int(int(e.Actor))
		p.Bool(e.Background)
		p.Event(&e.Payload)
	}
	if p.Present(k.Now() < k.until) {
		p.Bool(k.away[:]...)
		p.Left(k.until)
	}
	p.Text(string(k.Result.Verdict))
}

// Event prints a pending event.
func (p *Print) Event(e *Event) {
	p.text = append(p.text, byte(e.Room), e.Kind, byte(e.Of))
	p.Bool(e.PutOff)
	p.Int(int(e.N))
	p.UID(e.UID)
	p.Key(e.Key)
}

// Int prints a number, for example the length of a list.
func (p *Print) Int(n int) { p.long(int64(n)) }

// long prints a number that may have more bits than an int.
func (p *Print) long(n int64) { p.text = binary.AppendVarint(p.text, n) }

// Bool prints booleans.
func (p *Print) Bool(is ...bool) {
	for _, b := range is {
		if b {
			p.text = append(p.text, 1)
		} else {
			p.text = append(p.text, 0)
		}
	}
}

// Text prints a text.
func (p *Print) Text(s string) {
	p.text = binary.AppendUvarint(p.text, uint64(len(s)))
	p.text = append(p.text, s...)
}

// Key prints the name of an object.
func (p *Print) Key(k model.Key) {
	p.Text(k.Namespace)
	p.Text(k.Name)
}

// Keys prints the names of objects, in the order in which they are given.
func (p *Print) Keys(keys []model.Key) {
	p.Int(len(keys))
	for _, key := range keys {
		p.Key(key)
	}
}

// none is printed for the zero instant. No real instant is so far from now.
const none = -1 << 63

// Time prints an instant by how far it is from now, so that two worlds at different instants may be equal. 0 and
// Forever are printed as such.
func (p *Print) Time(t model.Time) {
	switch t {
	case 0:
		p.long(none)
	case behaviour.Forever:
		p.long(none + 1)
	default:
		p.long(int64(t - p.now))
	}
}

// Left prints an instant that does not matter once it has passed: then it prints 0.
func (p *Print) Left(t model.Time) { p.Int(int(max(0, t-p.now))) }

// Phase prints the position within its period of something that happens every so often, counted from an instant. How
// many periods have passed does not matter.
func (p *Print) Phase(since, every model.Time) {
	if passed := p.now - since; passed < 0 || every <= 0 {
		p.Int(int(passed))
	} else {
		p.Int(int(passed % every))
	}
}

// Nth prints the number of a pod among the pods with its name, up to the highest that a rule may ask for.
func (p *Print) Nth(nth int) { p.Int(min(nth, p.Lives+1)) }

// UID prints a uid; only its equality with other uids matters.
func (p *Print) UID(uid model.UID) { p.text = binary.AppendVarint(p.text, p.uids.order(uint64(uid))) }

// Version prints a resource version; only its equality with others matters.
func (p *Print) Version(version uint64) {
	p.text = binary.AppendVarint(p.text, p.versions.order(version))
}

// Delay prints how long something takes; it may be nil.
func (p *Print) Delay(d behaviour.Delay) {
	switch takes := d.(type) {
	case nil:
		p.Int(0)
	case behaviour.Constant:
		p.Int(1)
		p.Int(int(takes))
	default:
		p.Int(2)
		p.Text(d.String())
	}
}

// Times prints how a pod or a container behaves. A condition is printed by its text.
func (p *Print) Times(t *behaviour.Times) {
	for _, d := range [...]behaviour.Delay{
		t.Schedule, t.Start, t.Ready, t.Stop, t.Fail, t.Crash, t.Healthy, t.Init, t.PreStop, t.GiveUp,
	} {
		p.Delay(d)
	}
	p.Int(t.Crashes)
	p.Int(t.ExitCode())
	p.Text(t.Reason)
	if p.Present(t.Pull != nil) {
		p.Delay(t.Pull.Takes)
		p.Int(t.Pull.Fails)
		p.Left(model.Time(t.Pull.Until))
	}
	if p.Present(t.When != nil) {
		p.Text(t.When.Text)
		p.Delay(t.When.Lose)
	}
}

// numbers replaces numbers whose equality alone matters by their places in the order of first appearance. That
// makes a fingerprint independent of how far the counters of a world are. The zero value is empty.
type numbers struct {
	count int64
	// low has the places of the numbers below lowest, by the number itself; if it is of this round. others has the rest.
	low    []ordered
	round  uint32
	others map[uint64]int64
}

// ordered is the place of a number in the order, in a round. A round is one print; a reset clears nothing.
type ordered struct {
	round uint32
	at    int32
}

// lowest is the first number that is looked up by a hash. A world counts from 1; a dump may have any.
const lowest = 1 << 13

// reset forgets all numbers.
func (n *numbers) reset() {
	n.count = 0
	clear(n.others)
	if n.round++; n.round == 0 {
		clear(n.low)
		n.round = 1
	}
}

// order returns the place of a number, counted from 1; 0, which means no object, gets 0. The first call for a
// number decides its place.
func (n *numbers) order(v uint64) int64 {
	if v == 0 {
		return 0
	}
	if v >= lowest {
		return n.orderOf(v)
	}
	for v >= uint64(len(n.low)) {
		n.low = append(n.low, ordered{})
	}
	o := &n.low[v]
	if o.round != n.round {
		n.count++
		*o = ordered{n.round, int32(n.count)}
	}
	return int64(o.at)
}

// orderOf is order for a number that is not low.
func (n *numbers) orderOf(v uint64) int64 {
	at, known := n.others[v]
	if !known {
		if n.others == nil {
			n.others = map[uint64]int64{}
		}
		n.count++
		at = n.count
		n.others[v] = at
	}
	return at
}
