package scenarios_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// notInTheLibrary are fields that no scenario of the library leads to, and the version of sim, which only the command gives.
var notInTheLibrary = []string{"status.collisionCount", "sim"}

// TestTimelineFields holds the table of docs/timeline.md to the timelines of the library: each event has only fields that
// the table has for its kind, of the type that it has there, and each field is on some timeline.
func TestTimelineFields(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	data, err := os.ReadFile("../docs/timeline.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(data), "## Fields")
	table, _, _ = strings.Cut(table, "## Reasons and rules")
	types, kinds := map[string]string{}, map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([a-z ]+) \\| ([^|]+) \\|").FindAllStringSubmatch(table, -1) {
		types[row[1]], kinds[row[1]] = row[2], row[3]
	}
	seen := map[string]bool{}
	for _, e := range all(t) {
		for i := range e.outcome.Timeline {
			event := &e.outcome.Timeline[i]
			var line map[string]any
			require.NoError(t, json.Unmarshal(timeline.AppendJSON(nil, event), &line))
			eachField("", line, types, func(path, is string) {
				seen[path] = true
				require.Contains(t, types, path, "%s: docs/timeline.md does not have the field", e.name)
				require.Contains(t, strings.Split(types[path], " or "), is, "%s: the type of %s", e.name, path)
				require.True(t, kinds[path] == "all" || strings.Contains(kinds[path], "`"+event.Kind.String()+"`"),
					"%s: docs/timeline.md has no %s for %s", e.name, path, event.Kind)
			})
		}
	}
	for path := range types {
		require.True(t, seen[path] || slices.Contains(notInTheLibrary, path), "no timeline has the field %s", path)
	}
}

// eachField calls visit with each field of an object, as far as the table goes, and the type that it has.
func eachField(prefix string, object map[string]any, known map[string]string, visit func(path, is string)) {
	for name, value := range object {
		path := prefix + name
		inner := []any{value}
		switch value := value.(type) {
		case bool:
			visit(path, "boolean")
		case float64:
			visit(path, "number")
		case string:
			visit(path, "string")
		case []any:
			visit(path, "list")
			inner, path = value, path+"[]"
		default:
			visit(path, "object")
		}
		for _, value := range inner {
			if o, ok := value.(map[string]any); ok && goesOn(path+".", known) {
				eachField(path+".", o, known, visit)
			}
		}
	}
}

// goesOn says whether the table has fields below one. Below others is what only Kubernetes knows.
func goesOn(prefix string, known map[string]string) bool {
	for path := range known {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
