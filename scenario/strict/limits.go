package strict

import "time"

// Limits keep a typing error, or an attack, from exhausting the machine. Each is named in its message together with
// the flag that raises it. A 0 means the default, see OrDefault; no value means "no limit".
type Limits struct {
	// FileSize is the greatest size of a file in bytes (--max-file-size).
	FileSize int64
	// Depth is the greatest nesting of a file (--max-depth).
	Depth int
	// Nodes is the greatest number of values in a file, aliases written out (--max-nodes). A million of them, or a
	// tenth if that is more, may be there only because of aliases.
	Nodes int64
	// Documents is the greatest number of documents in a file (--max-documents).
	Documents int
	// Replicas is the greatest number of replicas of one set, and of all sets together (--max-replicas).
	Replicas int32
	// Duration is the greatest virtual time that a file may name (--max-duration).
	Duration time.Duration
	// Events is the greatest number of events in the timeline (--max-events).
	Events int
	// Memory is the memory that a run, or a YAML file that is read, may hold, in bytes (--max-memory).
	Memory int64
	// Cost is the total cost that the conditions of a run may have (--max-cost). A unit is about one field that is read
	// or one comparison.
	Cost int64
}

// DefaultLimits returns the limits that hold if no flag raises them: far above what people write, and low enough for a
// laptop. A dump of 2,000 sets with three pods each has up to 130 MB and 6,000,000 values.
func DefaultLimits() Limits {
	return Limits{
		FileSize:  256 << 20,
		Depth:     100,
		Nodes:     10_000_000,
		Documents: 100_000,
		Replicas:  100_000,
		Duration:  10 * 365 * 24 * time.Hour,
		Events:    3_000_000,
		Memory:    1 << 30,
		Cost:      200_000_000,
	}
}

// copies returns the greatest number of values that may be in a file only because of its aliases: a small file can have
// very many.
func (l *Limits) copies() int64 { return max(1_000_000, l.Nodes/10) }

// OrDefault returns the limits with the defaults in place of zeros.
func (l Limits) OrDefault() Limits {
	all := DefaultLimits()
	fill(&l.FileSize, all.FileSize)
	fill(&l.Depth, all.Depth)
	fill(&l.Nodes, all.Nodes)
	fill(&l.Documents, all.Documents)
	fill(&l.Replicas, all.Replicas)
	fill(&l.Duration, all.Duration)
	fill(&l.Events, all.Events)
	fill(&l.Memory, all.Memory)
	fill(&l.Cost, all.Cost)
	return l
}

// fill sets a value that is zero.
func fill[T comparable](value *T, fallback T) {
	var zero T
	if *value == zero {
		*value = fallback
	}
}
