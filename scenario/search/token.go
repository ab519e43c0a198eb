package search

import (
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"strings"
)

// tokenVersion is the beginning of each token. It changes whenever runs make other choices.
const tokenVersion = "sx1"

// MaxToken is the length of the longest token.
const MaxToken = 40

// alphabet is base32 without padding: a token survives being read aloud, and a mail.
var alphabet = base32.StdEncoding.WithPadding(base32.NoPadding)

// Token returns a run on one line: its deviations, and eight hexadecimal digits of what was explored. It is "" if the
// run has more deviations than fit into MaxToken characters.
func Token(subject string, tape []Deviation) string {
	var packed []byte
	last := 0
	for _, d := range tape {
		packed = binary.AppendUvarint(packed, uint64(d.At-last))
		packed = binary.AppendUvarint(packed, uint64(d.Answer))
		last = d.At
	}
	token := fmt.Sprintf("%s.%.8s.%s", tokenVersion, subject, alphabet.EncodeToString(packed))
	if len(token) > MaxToken {
		return ""
	}
	return token
}

// Tape reads a token. It refuses one of another subject, or of another version of the search.
func Tape(subject, token string) ([]Deviation, error) {
	parts := strings.Split(strings.TrimSpace(token), ".")
	if len(parts) != 3 || !strings.HasPrefix(parts[0], "sx") {
		return nil, fmt.Errorf("%q is not a token: a token looks like %s.3f9c2a10.GMBA", token, tokenVersion)
	}
	if parts[0] != tokenVersion {
		return nil, fmt.Errorf("the token is of another version of the search: it begins with %s, but this "+
			"one plays %s", parts[0], tokenVersion)
	}
	if want := fmt.Sprintf("%.8s", subject); parts[1] != want {
		return nil, fmt.Errorf("the token was made for another file, version or block explore: it has the "+
			"digest %s, and these have %s", parts[1], want)
	}
	packed, err := alphabet.DecodeString(strings.ToUpper(parts[2]))
	if err != nil {
		return nil, fmt.Errorf("the token is damaged: behind its last dot it has something else than A to Z and 2 to 7")
	}
	return unpack(packed)
}

// unpack reads the deviations of a token: pairs of numbers, each the distance from the last place and an answer. It
// refuses what Token cannot have written, so that damage is noticed.
func unpack(packed []byte) ([]Deviation, error) {
	var tape []Deviation
	last := 0
	for len(packed) > 0 {
		gap, n := binary.Uvarint(packed)
		if n <= 0 {
			return nil, fmt.Errorf("the token is damaged: it ends in the middle of a number")
		}
		answer, m := binary.Uvarint(packed[n:]) // 0 where the token ends before it.
		const most = 1 << 30
		if gap > most || answer > most || answer == 0 || len(tape) > 0 && gap == 0 {
			return nil, fmt.Errorf("the token is damaged: %d is not a deviation", len(tape)+1)
		}
		last += int(gap)
		tape = append(tape, Deviation{last, int(answer)})
		packed = packed[n+m:]
	}
	return tape, nil
}
