// Package lazy has what is made when it is first used, so that a command that does not need it does not wait for it.
// Everything in it may be used by several goroutines.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that gives the regular expression, which is compiled at its first call. It panics there if
// the expression is wrong.
func Regexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// Memo remembers what a function has made of its arguments: of the last few hundred at least. The zero value is empty
// and ready to use.
type Memo[K comparable, V any] struct {
	lock  sync.Mutex
	known map[K]V
}

// most is how many values a Memo remembers before it forgets all of them. To find the oldest one costs more.
const most = 512

// Get returns the value for a key; made makes it if it is not known. made must return the same for the same key,
// because two goroutines may call it at a time and a forgotten value is made again. It runs without the lock.
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
