package command

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote returns a word for a POSIX shell: as it is if no shell reads it as something else, else in single quotes. Of an
// option with a value, only the value is quoted. A word that could steer a terminal, or that people could not see as it
// is, is written in octal numbers.
func Quote(word string) string {
	option, value, has := strings.Cut(word, "=")
	switch {
	case plain(word):
		return word
	case has && strings.HasPrefix(option, "--") && plain(option):
		return option + "=" + Quote(value)
	case !utf8.ValidString(word) || strings.ContainsFunc(word, unseen):
		return octal(word)
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// plain says whether all shells read a word as it is. zsh puts the path of a command for a word that begins with =.
func plain(word string) bool {
	return word != "" && word[0] != '=' && !strings.ContainsFunc(word, special)
}

// special says whether a shell may read a character as something else than itself.
func special(r rune) bool {
	alphanumeric := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	return !alphanumeric && !strings.ContainsRune("_./:=,@%+-", r)
}

// unseen says whether a character has no shape, or changes how others look: control characters, those that turn the
// direction of text, those that join, and the ends of lines of Unicode.
func unseen(r rune) bool {
	return r != ' ' && !unicode.IsPrint(r)
}

// octal returns a word by the numbers of its bytes: printf is the only thing that all shells have for that. The ends of
// lines with which a word ends are lost; no name and no image ends so.
func octal(word string) string {
	var b strings.Builder
	for i, c := range []byte(word) {
		if special(rune(c)) || c == '%' || c == '-' && i == 0 {
			fmt.Fprintf(&b, `\%03o`, c)
			continue
		}
		b.WriteByte(c)
	}
	return `"$(printf '` + b.String() + `')"`
}
