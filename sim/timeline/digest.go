package timeline

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strings"
)

// Digest returns the digest of the events before the result: 16 hexadecimal digits of the SHA-256 of their JSON lines.
// Two runs with the same digest are regarded as equal. It renders all events, which costs about as much as to play
// them; a caller that writes the lines anyway uses a Digester.
func Digest(events []Event) string {
	d := NewDigester()
	var line []byte
	for i := range events {
		if events[i].Kind == KindResult {
			break
		}
		line = append(AppendJSON(line[:0], &events[i]), '\n')
		d.Add(line)
	}
	return d.String()
}

// Digester adds up a digest line by line, for a caller that writes the lines anyway.
type Digester struct{ sum hash.Hash }

// NewDigester returns the digester of no lines.
func NewDigester() *Digester { return &Digester{sha256.New()} }

// Add adds the line of the next event, with its line end. The result is not part of the digest.
func (d *Digester) Add(line []byte) { d.sum.Write(line) }

// String returns the digest of the lines so far.
func (d *Digester) String() string { return hex.EncodeToString(d.sum.Sum(nil))[:16] }

// WithDigest returns the event of a result as it is printed: with the digest of the events before it. e itself stays
// as it is, because events are shared; e.Result must not be nil.
func (e *Event) WithDigest(digest string) *Event {
	sealed, result := *e, *e.Result
	result.Digest = digest
	sealed.Detail = &Detail{Rare: &Rare{Result: &result}}
	return &sealed
}

// RefusedWith says whether the step was refused in words that contain a text: those of the refusal, or of its cause.
// Upper and lower case count as the same.
func (s *Step) RefusedWith(text string) bool {
	text = strings.ToLower(text)
	return s.Refusal != "" && (strings.Contains(strings.ToLower(s.Refusal), text) ||
		strings.Contains(strings.ToLower(s.Cause), text))
}

// RefusedAsExpected says whether the step was refused as the scenario expects.
func (s *Step) RefusedAsExpected() bool {
	return s.ExpectedRefusal != "" && s.RefusedWith(s.ExpectedRefusal)
}
