package diff

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestApart: of two values of which one is long only the part that differs is shown, and a little of what stands
// around.
func TestApart(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct{ was, is, shows, instead string }{
		{x(80), x(79), x(80), x(79)},
		{x(80) + "a", x(80) + "b", "…" + x(16) + "a", "…" + x(16) + "b"},
		{"a" + x(81), "b" + x(81), "a" + x(16) + "…", "b" + x(16) + "…"},
		{x(16) + "a" + x(70), x(16) + "b" + x(70), x(16) + "a" + x(16) + "…", x(16) + "b" + x(16) + "…"},
		{x(17) + "a" + x(70), x(17) + "b" + x(70), "…" + x(16) + "a" + x(16) + "…", "…" + x(16) + "b" + x(16) + "…"},
		{x(70) + "a" + x(16), x(70) + "b" + x(16), "…" + x(16) + "a" + x(16), "…" + x(16) + "b" + x(16)},
		{x(70) + "a" + x(17), x(70) + "b" + x(17), "…" + x(16) + "a" + x(16) + "…", "…" + x(16) + "b" + x(16) + "…"},
		{x(90), x(100), "…" + x(16), "…" + x(26)},
		{x(90), x(90) + strings.Repeat("y", 100), "…" + x(16), "…" + x(16) + strings.Repeat("y", 64) + "…"},
		{x(90) + strings.Repeat("y", 64), x(90), "…" + x(16) + strings.Repeat("y", 64), "…" + x(16)},
	} {
		shows, instead := apart(c.was, c.is)
		require.Equal(t, []string{c.shows, c.instead}, []string{shows, instead}, "%s, %s", c.was, c.is)
	}
}

// TestGlance: a value is shown as a file has it, and not as a page of HTML would.
func TestGlance(t *testing.T) {
	require.Equal(t, `"app:<no value>&"`, Glance("app:<no value>&"))
}

// TestRetagged: an image that gets another tag is told by its name.
func TestRetagged(t *testing.T) {
	for _, c := range [][3]string{
		{"docker.io/bitnami/redis:7.4.0", "docker.io/bitnami/redis:7.4.1", "redis 7.4.0 → 7.4.1"},
		{"app:v1", "app:v2", "app v1 → v2"}, {"app:v1", "other:v2", ""}, {"localhost:5000/app", "localhost:5000/app:v2", ""},
		{"app:v1@sha256:0", "app:v1@sha256:1", ""},
	} {
		require.Equal(t, c[2], Retagged(Change{Path: "spec.template.spec.containers[app].image", Old: c[0], New: c[1]}))
	}
	require.Empty(t, Retagged(Change{Path: "spec.x", Old: "a:1", New: "a:2"}))
}
