package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

// hostileSets are manifests of one set by how it is: there, changed, with mistakes of several kinds, or not there.
var hostileSets = map[string]string{
	"none": "",
	"good": `  replicas: 1
  selector: {matchLabels: {app: NAME}}
  template: {metadata: {labels: {app: NAME}}, spec: {containers: [{name: c, image: "x:1"}]}}
`,
	"next": `  replicas: 2
  selector: {matchLabels: {app: NAME}}
  template: {metadata: {labels: {app: NAME}}, spec: {containers: [{name: c, image: "x:2"}]}}
`,
	"no selector": `  template: {metadata: {labels: {app: NAME}}, spec: {containers: [{name: c, image: "x:1"}]}}
`,
	"text for a mapping": `  selector: {matchLabels: "oops"}
  template: {metadata: {labels: {app: NAME}}, spec: {containers: [{name: c, image: "x:1"}]}}
`,
	"text for a number": `  replicas: three
  selector: {matchLabels: {app: NAME}}
  template: {metadata: {labels: {app: NAME}}, spec: {containers: [{name: c, image: "x:1"}]}}
`,
	"refused": `  replicas: -1
  selector: {matchLabels: {app: other}}
  template: {metadata: {labels: {app: NAME}}, spec: {containers: []}}
`,
	"nothing": "",
}

// hostileSet returns the manifest of a set of a kind.
func hostileSet(kind, name string) string {
	if kind == "none" {
		return ""
	}
	text := "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: NAME}\n"
	if kind != "nothing" {
		text += "spec:\n" + hostileSets[kind]
	}
	return strings.ReplaceAll(text, "NAME", name)
}

// TestSetsOfAllKinds: whatever two sets of one namespace are before and after, no command meets a defect.
func TestSetsOfAllKinds(t *testing.T) {
	folder(t)
	for was := range hostileSets {
		for next := range hostileSets {
			for other := range hostileSets {
				old := hostileSet("good", "a") + hostileSet(was, "b")
				changed := hostileSet(next, "b") + hostileSet(other, "c")
				require.NoError(t, os.WriteFile("old.yaml", []byte(old), 0o644))
				require.NoError(t, os.WriteFile("new.yaml", []byte(changed), 0o644))
				what := fmt.Sprintf("b: %s, then %s; a goes, and c comes: %s", was, next, other)
				lines := []string{"plan --runs 1 old.yaml new.yaml"}
				if other == "good" {
					lines = append(lines, "plan --runs 1 new.yaml old.yaml", "explore --runs 1 old.yaml new.yaml",
						"upgrade --from 1.36 --to 1.37 old.yaml", "upgrade --from 1.36 --to 1.37 new.yaml", "init --write - new.yaml",
						"explain new.yaml")
				}
				for _, line := range lines {
					code, _, err := call(t, simulator, "", strings.Fields(line)...)
					require.NotEqual(t, exitDefect, code, "%s\n%s\n%s", line, what, err)
				}
			}
		}
	}
}

// TestEncodings: a file in another encoding than UTF-8 is a mistake with its place, whatever command reads it.
func TestEncodings(t *testing.T) {
	folder(t)
	manifest := hostileSet("good", "web") + "# caf"
	var wide []byte
	for _, unit := range utf16.Encode([]rune(manifest)) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	require.NoError(t, os.WriteFile("good.yaml", []byte(manifest), 0o644))
	for name, data := range map[string][]byte{
		"latin1": []byte(manifest + "\xe9\n"), "utf16": append([]byte{0xff, 0xfe}, wide...), "utf16 without a mark": wide,
		"cut rune": []byte(manifest + "\xe2\x82"), "nul": []byte(manifest + "\x00"), "surrogate": []byte(manifest + "\xed\xa0\x80"),
		"binary": {0x7f, 'E', 'L', 'F', 0, 1, 0xff},
	} {
		require.NoError(t, os.WriteFile("bad.yaml", data, 0o644))
		for _, line := range []string{
			"run bad.yaml", "test bad.yaml", "check bad.yaml good.yaml", "compare bad.yaml good.yaml", "expand bad.yaml",
			"explain bad.yaml", "explore bad.yaml", "explore good.yaml bad.yaml", "explore bad.yaml good.yaml", "sweep bad.yaml",
			"plan bad.yaml good.yaml", "plan good.yaml bad.yaml", "plan --recording bad.yaml good.yaml good.yaml",
			"upgrade --from 1.36 --to 1.37 bad.yaml", "init --write - bad.yaml", "merge bad.yaml",
		} {
			code, out, err := call(t, simulator, "", strings.Fields(line)...)
			require.Equal(t, exitUsage, code, "%s: %s: %s%s", line, name, out, err)
			require.Contains(t, out+err, "bad.yaml:", line)
		}
	}
}
