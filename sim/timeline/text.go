package timeline

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/statefulsim/statefulsim/model"
)

// appendSeconds is model.Time.Seconds without its allocations; both must give the same text.
func appendSeconds(dst []byte, t model.Time) []byte {
	n := uint64(t)
	if t < 0 {
		dst, n = append(dst, '-'), -n
	}
	dst = strconv.AppendUint(dst, n/1e9, 10)
	frac := n % 1e9
	if frac == 0 {
		return dst
	}
	at := len(dst)
	dst = strconv.AppendUint(dst, 1e9+frac, 10)
	dst[at] = '.'
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// parseSeconds reads a decimal number of seconds with at most nine places. It does not go through a float, so each
// instant that was written is read as the same number of nanoseconds.
func parseSeconds(text string) (model.Time, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, frac, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(whole, 10, 63)
	var nanos uint64
	if frac != "" && err == nil {
		nanos, err = strconv.ParseUint(frac, 10, 63)
	}
	for range max(0, 9-len(frac)) {
		nanos *= 10
	}
	if err != nil || len(frac) > 9 || n >= math.MaxInt64/1_000_000_000 {
		return 0, fmt.Errorf("%s is not a decimal number of seconds with at most nine places", text)
	}
	t := model.Time(n*1e9 + nanos)
	if negative {
		return -t, nil
	}
	return t, nil
}

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD. U+2028 and U+2029 are escaped
// because some readers take them for the end of a line.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == '"' || c == '\\' {
				dst = appendEscape(append(dst, s[done:i]...), c)
				done = i + 1
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, s[done:i]...), "\ufffd"...)
			done = i + size
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, s[done:i]...), '\\', 'u', '2', '0', '2', hexDigits[r&15])
			done = i + size
		}
		i += size
	}
	return append(append(dst, s[done:]...), '"')
}

// appendEscape appends a byte below 0x20, a quote or a backslash as JSON escapes it.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

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

// RefusedWith reports whether the step was refused in words that contain a text, ignoring case: the words of the
// refusal, or of its cause.
func (s *Step) RefusedWith(text string) bool {
	text = strings.ToLower(text)
	return s.Refusal != "" && (strings.Contains(strings.ToLower(s.Refusal), text) ||
		strings.Contains(strings.ToLower(s.Cause), text))
}

// RefusedAsExpected reports whether the step was refused as the scenario expects.
func (s *Step) RefusedAsExpected() bool {
	return s.ExpectedRefusal != "" && s.RefusedWith(s.ExpectedRefusal)
}
