package keyed

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// UIDs holds values by uid. The API server counts its uids up, and what happens next is mostly about an object that is
// about as old: values are in pages, and a hash is only made where another page is asked for. The zero value is empty
// and ready to use.
type UIDs[T any] struct {
	pages map[model.UID]*page[T]
	// last is the page of the uid that was asked for last, or nil, and at is its number.
	at   model.UID
	last *page[T]
}

// pageSize is how many uids a page has room for.
const pageSize = 32

// page has a bit for each of its values that is given.
type page[T any] struct {
	given  uint32
	values [pageSize]T
}

// Get returns the value of a uid, or the zero value.
func (u *UIDs[T]) Get(uid model.UID) (value T) {
	if p := u.page(uid / pageSize); p != nil {
		return p.values[uid%pageSize]
	}
	return value
}

func (u *UIDs[T]) page(n model.UID) *page[T] {
	if u.last != nil && u.at == n {
		return u.last
	}
	p := u.pages[n]
	if p != nil {
		u.at, u.last = n, p
	}
	return p
}

// Put gives a uid its value.
func (u *UIDs[T]) Put(uid model.UID, value T) {
	p := u.page(uid / pageSize)
	if p == nil {
		p = &page[T]{}
		if u.pages == nil {
			u.pages = map[model.UID]*page[T]{}
		}
		u.pages[uid/pageSize], u.at, u.last = p, uid/pageSize, p
	}
	p.values[uid%pageSize] = value
	p.given |= 1 << (uid % pageSize)
}

// Delete takes a uid away.
func (u *UIDs[T]) Delete(uid model.UID) {
	p := u.page(uid / pageSize)
	if p == nil {
		return
	}
	var none T
	p.values[uid%pageSize] = none
	if p.given &^= 1 << (uid % pageSize); p.given == 0 {
		delete(u.pages, uid/pageSize)
		u.last = nil
	}
}

// Keys returns the uids in their order; O(n log n).
func (u *UIDs[T]) Keys() []model.UID {
	var keys []model.UID
	for _, n := range slices.Sorted(maps.Keys(u.pages)) {
		for i := range model.UID(pageSize) {
			if u.pages[n].given&(1<<i) != 0 {
				keys = append(keys, n*pageSize+i)
			}
		}
	}
	return keys
}
