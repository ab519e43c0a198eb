package timeline

import (
	"strconv"
	"unicode/utf8"

	"github.com/statefulsim/statefulsim/model"
)

// object appends the fields of one JSON object. The comma before a field is decided by the byte that was appended
// last, so an object may be built from any subset of its fields. It does not check that a name comes only once.
type object struct{ b []byte }

// open begins an object, and close ends it. Both are called in pairs.
func (o *object) open() { o.b = append(o.b, '{') }

// close ends the object that was opened last. A comma before the next field is not its business.
func (o *object) close() { o.b = append(o.b, '}') }

// key appends a field's name. Names are ours and need no escaping.
func (o *object) key(name string) {
	o.comma()
	o.b = append(o.b, '"')
	o.b = append(o.b, name...)
	o.b = append(o.b, '"', ':')
}

// comma separates from what stands before; an opening bracket or a colon needs no separation.
func (o *object) comma() {
	if n := len(o.b); n > 0 && o.b[n-1] != '{' && o.b[n-1] != '[' {
		o.b = append(o.b, ',')
	}
}

// text appends a string field unless it is empty.
func (o *object) text(name, value string) {
	if value != "" {
		o.key(name)
		o.b = appendString(o.b, value)
	}
}

// number appends a field unless it is 0.
func (o *object) number(name string, value int64) {
	if value != 0 {
		o.always(name, value)
	}
}

// always appends a field even if it is 0.
func (o *object) always(name string, value int64) {
	o.key(name)
	o.b = strconv.AppendInt(o.b, value, 10)
}

// boolean appends a field whatever its value.
func (o *object) boolean(name string, value bool) {
	o.key(name)
	o.b = strconv.AppendBool(o.b, value)
}

// seconds appends an instant or a duration whatever its value.
func (o *object) seconds(name string, t model.Time) {
	o.key(name)
	o.b = appendSeconds(o.b, t)
}

// raw appends a field that is JSON already, null if it is missing.
func (o *object) raw(name, json string) {
	o.key(name)
	if json == "" {
		json = "null"
	}
	o.b = append(o.b, json...)
}

// texts appends an array of strings unless it is empty.
func (o *object) texts(name string, values []string) {
	if len(values) == 0 {
		return
	}
	o.key(name)
	o.b = append(o.b, '[')
	for _, v := range values {
		o.comma()
		o.b = appendString(o.b, v)
	}
	o.b = append(o.b, ']')
}

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
