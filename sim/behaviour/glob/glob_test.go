package glob_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"web-0", "web-0", true},
		{"web-0", "web-01", false},
		{"web-*", "web-", true},
		{"*", "", true},
		{"?", "", false},
		{"web-[0-2]", "web-2", true},
		{"web-[0-2]", "web-3", false},
		{"web-[02]@2 *", "web-2@2 Ready", true},
		{"*broken*", "registry/app:broken-1", true},
		{"a*b*c", "axxbyybc", true},
		{"a*b*c", "axxbyyb", false},
		{"ü?", "üß", true},
		{"[", "[", false},
		{"a", "", false},
		{"", "a", false},
		{"*a", "ba", true},
		{"*a", "b", false},
		{"*ß", "üß", true},
		{"web-[ab", "web-a", false},
		{"[a-c]x", "bx", true},
		{"[a-]", "-", true},
		{"[a-]", "b", false},
		{"[-a]", "-", true},
		{"[a-a]", "a", true},
		{"[üß]", "ß", true},
		{"[ä-ü]", "ö", true},
		{"[a-cx]", "x", true},
		{"[a-cx]", "d", false},
		{"[a-c]", "-", false},
		{"[ä-ü]", "-", false},
		{"[a]b", "[a]b", false},
		{"a?b", "a?b", true},
	} {
		require.Equal(t, c.want, glob.Match(c.pattern, c.text), "%q matches %q", c.pattern, c.text)
	}
}

func TestCheck(t *testing.T) {
	for _, good := range []string{"", "web", "web-[0-2]*", "[a][b]", "[1-1]", "[a-]", "]"} {
		require.NoError(t, glob.Check(good), good)
	}
	for _, bad := range []string{"[", "web-[", "[]", "[2-0]", "a[b", "[a][", "[a-", "[a]b[c"} {
		require.ErrorIs(t, glob.Check(bad), glob.ErrPattern, bad)
	}
}

// TestAgainstRegexp compares the matcher with the regular expression that means the same.
func TestAgainstRegexp(t *testing.T) {
	same := strings.NewReplacer("*", ".*", "?", ".")
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`([ab*?]|\[ab\]|\[a-c\]){0,8}`).Draw(t, "pattern")
		text := rapid.StringMatching(`[abcd]{0,8}`).Draw(t, "text")
		require.NoError(t, glob.Check(pattern))
		want := regexp.MustCompile("^(?s:" + same.Replace(pattern) + ")$").MatchString(text)
		require.Equal(t, want, glob.Match(pattern, text))
	})
}
