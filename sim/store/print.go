package store

import "github.com/statefulsim/statefulsim/model"

// Rules returns what the API server does with a StatefulSet.
func (s *Store) Rules() model.APIRules { return s.rules }

// Templates calls yield for each set that has had templates, in the order of their keys, with these by their numbers:
// the N-th is @N. Sets that are gone are among them. The caller must not change the slices.
func (s *Store) Templates(yield func(set model.Key, templates []*model.Template)) {
	for _, key := range s.templates.Keys() {
		yield(key, s.templates.Get(key))
	}
}
