package html

import (
	"encoding/base64"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/view/report"
)

// TestThumbnail holds that a thumbnail has the look of what serves, and of what is on its way, and stays small whatever
// the run is.
func TestThumbnail(t *testing.T) {
	svg := func(run *report.Run) string {
		packed, found := strings.CutPrefix(Thumbnail(run), "data:image/svg+xml;base64,")
		require.True(t, found)
		text, err := base64.StdEncoding.DecodeString(packed)
		require.NoError(t, err)
		require.NoError(t, xml.Unmarshal(text, new(struct{ XMLName xml.Name })))
		return string(text)
	}
	small := svg(rolled(3, 1))
	require.Contains(t, small, `<path fill="`+templateColour(1)+`" d="M`)
	require.Contains(t, small, `<path fill="`+templateColour(2)+`" opacity=".35" d="M`)
	full, pale := `<path fill="`+templateColour(1)+`" d="M`, `<path fill="`+templateColour(1)+`" opacity=".35" d="M`
	require.Less(t, strings.Index(small, string(full)), strings.Index(small, string(pale)), "what is on its way comes after what serves")
	require.NotContains(t, small, badColour)
	require.Regexp(t, `d="(M\d+ [\d.]+h\d+v[\d.]+h-\d+z)+"`, small)
	require.NotContains(t, svg(hostile()), "script")
	require.Empty(t, Thumbnail(&report.Run{Name: "nothing"}))
	require.Empty(t, ThumbnailSVG(&report.Run{Name: "nothing"}))
	crowd := svg(rolled(400, 3))
	require.Contains(t, crowd, ` 42.0h34v1.7h-34z`, "22 lanes of 2 pixels")
	require.NotContains(t, crowd, ` 44.0h`)
	require.Less(t, len(crowd), 6<<10)
}
