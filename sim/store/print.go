package store

// Printer prints values into a fingerprint.
type Printer interface{ Value(any) }

// Print prints all objects, and the numbers that templates have.
func (s *Store) Print(p Printer) {
	p.Value(s.rules)
	p.Value(s.Sets())
	p.Value(s.Pods())
	p.Value(s.Claims())
	p.Value(s.Revisions())
	p.Value(s.templates)
}
