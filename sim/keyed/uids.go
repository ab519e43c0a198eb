package keyed

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// UIDs holds values by uid. The API server counts its uids up, and what happens next is mostly about an object that
// is about as old. So values are in pages of neighbouring uids, and the pages are in a list by their numbers, as far
// as these are not too high for one. The zero value is empty and ready to use.
type UIDs[T any] struct {
	// low has pages by number; nil for a page without values, or one in high.
	low []*page[T]
	// first is the memory of a list of one page.
	first [1]*page[T]
	// high has the pages that were more than gapPages above the list when they came, and those from lowPages on.
	high map[model.UID]*page[T]
	// last is the page of the uid that was asked for last, or nil, and at is its number.
	at   model.UID
	last *page[T]
	// spare is an empty page to be used again, or nil: a set that replaces its pods leaves one page about as often as it
	// needs one.
	spare *page[T]
	// given is the number of uids.
	given int
}

const (
	// pageSize is how many uids a page has room for.
	pageSize = 32
	// lowPages is how many pages may be in a list, which has room for all of them below the highest.
	lowPages = 1 << 16
	// gapPages is how many pages at most a list grows by for one page.
	gapPages = 64
)

// page holds the values of pageSize neighbouring uids. given has a bit for each uid that has a value; the values of
// the others are zero.
type page[T any] struct {
	given  uint32
	values [pageSize]T
}

// Get returns the value of a uid, or the zero value; O(1).
func (u *UIDs[T]) Get(uid model.UID) (value T) {
	if p := u.page(uid / pageSize); p != nil {
		return p.values[uid%pageSize]
	}
	return value
}

// page returns the page with a number, nil if there is none, and remembers it.
func (u *UIDs[T]) page(n model.UID) *page[T] {
	if u.last != nil && u.at == n {
		return u.last
	}
	p := u.find(n)
	if p != nil {
		u.at, u.last = n, p
	}
	return p
}

// find is page without remembering it.
func (u *UIDs[T]) find(n model.UID) *page[T] {
	if n < model.UID(len(u.low)) {
		if p := u.low[n]; p != nil || u.high == nil {
			return p
		}
	}
	return u.high[n]
}

// Put gives a uid its value; O(1) on average.
func (u *UIDs[T]) Put(uid model.UID, value T) {
	p := u.page(uid / pageSize)
	if p == nil {
		if p, u.spare = u.spare, nil; p == nil {
			p = &page[T]{}
		}
		u.keep(uid/pageSize, p)
	}
	p.values[uid%pageSize] = value
	if bit := uint32(1) << (uid % pageSize); p.given&bit == 0 {
		p.given |= bit
		u.given++
	}
}

// keep gives a number its page; nil removes it.
func (u *UIDs[T]) keep(n model.UID, p *page[T]) {
	switch {
	case p == nil && u.high[n] != nil:
		delete(u.high, n)
	case n < min(lowPages, model.UID(len(u.low)+gapPages)):
		if u.low == nil {
			u.low = u.first[:0]
		}
		for n >= model.UID(len(u.low)) {
			u.low = append(u.low, nil)
		}
		u.low[n] = p
	default:
		if u.high == nil {
			u.high = map[model.UID]*page[T]{}
		}
		u.high[n] = p
	}
	u.at, u.last = n, p
}

// Len returns the number of uids.
func (u *UIDs[T]) Len() int { return u.given }

// Delete removes a uid, if it is there. A page without values is not kept.
func (u *UIDs[T]) Delete(uid model.UID) {
	p := u.page(uid / pageSize)
	if p == nil {
		return
	}
	var none T
	p.values[uid%pageSize] = none
	if bit := uint32(1) << (uid % pageSize); p.given&bit != 0 {
		p.given &^= bit
		u.given--
	}
	if p.given == 0 {
		u.keep(uid/pageSize, nil)
		u.spare = p
	}
}

// Keys returns the uids in their order, as a new slice; O(highest low uid/pageSize + n log n).
func (u *UIDs[T]) Keys() []model.UID {
	high := slices.Sorted(maps.Keys(u.high))
	var keys []model.UID
	for n, p := range u.low {
		for len(high) > 0 && high[0] < model.UID(n) {
			keys, high = u.high[high[0]].appendKeys(keys, high[0]), high[1:]
		}
		if p != nil {
			keys = p.appendKeys(keys, model.UID(n))
		}
	}
	for _, n := range high {
		keys = u.high[n].appendKeys(keys, n)
	}
	return keys
}

// appendKeys appends the uids of the page with a number.
func (p *page[T]) appendKeys(keys []model.UID, n model.UID) []model.UID {
	for i := range model.UID(pageSize) {
		if p.given&(1<<i) != 0 {
			keys = append(keys, n*pageSize+i)
		}
	}
	return keys
}
