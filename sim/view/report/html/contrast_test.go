package html

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContrast holds every colour that text is written in, or on, to the contrast that the Web Content Accessibility
// Guidelines ask of small text, in the light and in the dark.
func TestContrast(t *testing.T) {
	css, err := os.ReadFile("assets/page.css")
	require.NoError(t, err)
	themes := 0
	for _, block := range regexp.MustCompile(`:root[^{]*\{([^}]*)\}`).FindAllStringSubmatch(string(css), -1) {
		colour := map[string]string{}
		for _, c := range regexp.MustCompile(`--(\w+): (#\w{6})`).FindAllStringSubmatch(block[1], -1) {
			colour[c[1]] = c[2]
		}
		if len(colour) == 0 {
			continue
		}
		themes++
		for _, text := range []string{"ink", "muted", "accent", "bad", "good", "warn", "t1"} {
			for _, ground := range []string{"bg", "panel"} {
				require.GreaterOrEqual(t, contrast(t, colour[text], colour[ground]), 4.5, "%s on %s", text, ground)
			}
		}
		for _, bar := range []string{"t1", "t2", "t3", "t4", "t5", "t6"} {
			require.GreaterOrEqual(t, contrast(t, colour["on"], colour[bar]), 4.5, "text on the bar %s", bar)
		}
	}
	require.Equal(t, 2, themes, "light and dark")
	// Forced colours put a ground of their own behind the text of a button: one that is pressed names both.
	require.Regexp(t, `forced-colors: active\) \{\s*button\[aria-pressed=true\] \{ forced-color-adjust: none; `+
		`background: Highlight; color: HighlightText; \}`, string(css))
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	light, dark := luminance(t, a), luminance(t, b)
	if light < dark {
		light, dark = dark, light
	}
	return (light + 0.05) / (dark + 0.05)
}

// luminance is the relative luminance of #rrggbb.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	require.Len(t, colour, 7)
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		require.NoError(t, err)
		channel := float64(n) / 255
		if channel <= 0.03928 {
			channel /= 12.92
		} else {
			channel = math.Pow((channel+0.055)/1.055, 2.4)
		}
		sum += weight * channel
	}
	return sum
}
