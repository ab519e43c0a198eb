// Package glob is the one dialect of patterns that scenarios use: `*` is any run of characters, `?` is one, `[0-2]`
// is one of a set. A pattern matches the whole text, and a slash is a character like any other. There is no escape
// and no negated set: names of Kubernetes need neither.
package glob

import (
	"errors"
	"unicode/utf8"
)

// ErrPattern is the error of a pattern whose `[` is never closed, or whose set is empty or runs backwards.
var ErrPattern = errors.New("malformed pattern: write a set as [abc] or [0-9]")

// Check says whether the pattern is well formed.
func Check(pattern string) error {
	for pattern != "" {
		if pattern[0] != '[' {
			pattern = pattern[1:]
			continue
		}
		_, rest, ok := set(pattern, 0)
		if !ok {
			return ErrPattern
		}
		pattern = rest
	}
	return nil
}

// Match says whether the pattern matches the whole text. A malformed pattern matches nothing; Check finds it before.
// It takes at most O(len(pattern) × len(text)).
func Match(pattern, text string) bool {
	pattern, text = differing(pattern, text)
	// After a star the rest of the pattern is tried at each position of the text; only the last star is ever taken back.
	starPattern, starText, star := "", "", false
	for text != "" || pattern != "" {
		if pattern != "" && pattern[0] == '*' {
			starPattern, starText, star = pattern[1:], text, true
			pattern = pattern[1:]
			continue
		}
		if rest, restText, ok := one(pattern, text); ok {
			pattern, text = rest, restText
			continue
		}
		if !star || starText == "" {
			return false
		}
		_, size := utf8.DecodeRuneInString(starText)
		starText = starText[size:]
		pattern, text = starPattern, starText
	}
	return true
}

// differing takes from both the beginning that is the same, up to a star or a set: most patterns are plain names. A
// question mark matches itself. It only looks at ASCII, so that no character is cut in two.
func differing(pattern, text string) (restPattern, restText string) {
	i := 0
	for i < len(pattern) && i < len(text) && pattern[i] == text[i] && pattern[i] < utf8.RuneSelf {
		if c := pattern[i]; c == '*' || c == '[' {
			break
		}
		i++
	}
	return pattern[i:], text[i:]
}

// one matches one character of the text with one element of the pattern that is no star.
func one(pattern, text string) (restPattern, restText string, ok bool) {
	if pattern == "" || text == "" {
		return "", "", false
	}
	char, size := utf8.DecodeRuneInString(text)
	switch pattern[0] {
	case '?':
		return pattern[1:], text[size:], true
	case '[':
		in, rest, ok := set(pattern, char)
		return rest, text[size:], ok && in
	}
	want, wantSize := utf8.DecodeRuneInString(pattern)
	return pattern[wantSize:], text[size:], want == char
}

// set reads a set at the beginning of the pattern, and says whether char is in it. ok is false if it is malformed.
func set(pattern string, char rune) (in bool, rest string, ok bool) {
	rest = pattern[1:]
	empty := true
	for rest != "" && rest[0] != ']' {
		low, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		high := low
		if len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			high, size = utf8.DecodeRuneInString(rest[1:])
			rest = rest[1+size:]
		}
		if high < low {
			return false, "", false
		}
		in = in || low <= char && char <= high
		empty = false
	}
	if rest == "" || empty {
		return false, "", false
	}
	return in, rest[1:], true
}
