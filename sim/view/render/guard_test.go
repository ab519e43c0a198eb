package render_test

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestGuard: whatever is written, in whatever pieces, nothing steers the terminal or the log of a workflow.
func TestGuard(t *testing.T) {
	for text, want := range map[string]string{
		"web-0 → Ready\n\tat 3s":         "web-0 → Ready\n\tat 3s",
		"a\x1b[2Jb\x07\rc\x7f":           `a\u001b[2Jb\u0007\u000dc\u007f`,
		"\u0085\u202e\u2066\u2028\u2029": `\u0085\u202e\u2066\u2028\u2029`,
		"::error::x\n  ::stop\na ::b":    "\\u003a:error::x\n  \\u003a:stop\na ::b",
		"see ##[error]x, ## [y], #":      `see \u0023#[error]x, ## [y], #`,
		"\xff":                           "\ufffd",
		"\x1b[31mred":                    `\u001b[31mred`,
	} {
		for size := 1; size <= len(text); size++ {
			var b strings.Builder
			g := render.NewGuard(&b)
			for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
				_, err := io.WriteString(g, rest[:min(size, len(rest))])
				require.NoError(t, err)
			}
			g.Flush()
			require.Equal(t, want, b.String(), "%q in pieces of %d", text, size)
		}
	}
	var b strings.Builder
	g := render.NewGuard(&b)
	g.Colours(true)
	_, _ = io.WriteString(g, "\x1b[31mred\x1b[0m\x1b[5m")
	require.NoError(t, g.Commands(func(w io.Writer) error { _, err := io.WriteString(w, "::error::ours\n"); return err }))
	require.Equal(t, "\x1b[31mred\x1b[0m\\u001b[5m::error::ours\n", b.String())
}

// TestGuardLetsTextPass: what people can see passes as it is.
func TestGuardLetsTextPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z0-9 .\-äß→滚👩\n]*`).Draw(t, "text")
		var b strings.Builder
		g := render.NewGuard(&b)
		_, _ = io.WriteString(g, text)
		g.Flush()
		if b.String() != text || !utf8.ValidString(b.String()) {
			t.Fatalf("%q became %q", text, b.String())
		}
	})
}
