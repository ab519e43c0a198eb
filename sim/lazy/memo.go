package lazy

import "sync"

// Memo remembers what a function has made of its arguments: of the last few hundred at least. Several goroutines may
// ask it. The zero value is empty and ready to use.
type Memo[K comparable, V any] struct {
	lock  sync.Mutex
	known map[K]V
}

// most is how much a Memo remembers before it forgets all of it.
const most = 512

// Get returns what was made for a key; made makes it if it is not known. made must give the same for the same key.
func (m *Memo[K, V]) Get(key K, made func() V) V {
	m.lock.Lock()
	value, known := m.known[key]
	m.lock.Unlock()
	if known {
		return value
	}
	value = made()
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.known == nil || len(m.known) >= most {
		m.known = map[K]V{}
	}
	m.known[key] = value
	return value
}
