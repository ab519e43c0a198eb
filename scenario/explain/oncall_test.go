package explain_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/explain"
)

// TestOnCall explains the dumps in testdata/oncall. Their first lines are comments: `# says:` and `# never:` are texts
// that the explanation has, or must not have.
func TestOnCall(t *testing.T) {
	files, _ := filepath.Glob("testdata/oncall/*.yaml")
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			d, err := dump.Read([]dump.Source{{Name: file, Data: data}}, dump.Options{})
			require.NoError(t, err)
			s, err := scenario.Parse("s.yaml", []byte("kubernetes: \"1.36\"\nsteps:\n"+three), nil, scenario.Options{})
			require.NoError(t, err)
			var printed strings.Builder
			explain.LiveText(explain.ExplainLive(d, labOf(s, d)), func(_ int, line string) { printed.WriteString(line + "\n") })
			expected := 0
			for line := range strings.Lines(string(data)) {
				if text, is := strings.CutPrefix(line, "# says: "); is {
					require.Contains(t, printed.String(), strings.TrimSpace(text))
				} else if text, is := strings.CutPrefix(line, "# never: "); is {
					require.NotContains(t, printed.String(), strings.TrimSpace(text))
				} else if !strings.HasPrefix(line, "#") {
					break
				}
				expected++
			}
			require.Positive(t, expected)
		})
	}
}
