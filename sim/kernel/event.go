package kernel

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Room is a part of the world that schedules events. An event names its room, so that a queue of plain values can
// be carried out after it was saved.
type Room uint8

// The rooms. rooms is their number.
const (
	Scheduler Room = iota
	Kubelet
	Nodes
	Storage
	Collector
	Disruption
	DNS
	Manager
	Faults
	rooms
)

var roomNames = [...]string{
	"scheduler", "kubelet", "nodes", "storage", "gc", "disruption", "dns", "manager", "faults",
}

// String returns the name of the room's package.
func (r Room) String() string { return roomNames[r] }

// Event is a pending event. It is a plain value, which can be printed, compared and saved: a room finds the object
// that the event is about by its uid or its key. The object may be deleted by the time of the event, so a room that
// does not cancel its events checks first.
type Event struct {
	// Room is the room that scheduled the event and carries it out. Kind is one of the room's numbers.
	Room Room
	Kind uint8
	// Of is the kind of the object that it is about, if the room has events about several kinds; else KindNone.
	Of model.Kind
	// PutOff is true if the event was due while its room was away: it waits for the room's return.
	PutOff bool
	// N is a number: which container of a pod, which fault, which branch of a sync.
	N int32
	// UID and Key identify the object that it is about, zero if there is none. For a node the key has its name.
	UID model.UID
	Key model.Key
}

// Describe renders an event for people: "kubelet start default/web-0 (uid-3)". Fields that are zero are left out.
func (k *Kernel) Describe(e Event) string {
	words := []string{e.Room.String(), k.rooms[e.Room].kinds[e.Kind]}
	if e.Of != model.KindNone {
		words = append(words, e.Of.String())
	}
	if e.Key != (model.Key{}) {
		words = append(words, strings.TrimPrefix(e.Key.String(), "/"))
	}
	if e.UID != 0 {
		words = append(words, fmt.Sprintf("(%s)", e.UID))
	}
	if e.N != 0 {
		words = append(words, fmt.Sprintf("#%d", e.N))
	}
	return strings.Join(words, " ")
}
