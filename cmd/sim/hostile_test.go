package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
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
	"no container": `  replicas: 1
  selector: {matchLabels: {app: NAME}}
  template: {metadata: {labels: {app: NAME}}, spec: {}}
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
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
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
					code, _, err := call(t, command.Simulator, "", strings.Fields(line)...)
					require.NotEqual(t, cli.ExitDefect, code, "%s\n%s\n%s", line, what, err)
				}
			}
		}
	}
}

// TestEncodings: a file in another encoding than UTF-8 is a mistake with its place, whatever command reads it. Commands
// that read the state of a cluster, or manifests, take UTF-16 if its mark says so.
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
			code, out, err := call(t, command.Simulator, "", strings.Fields(line)...)
			if name == "utf16" && (strings.HasPrefix(line, "upgrade") || strings.HasPrefix(line, "plan ") &&
				!strings.Contains(line, "--recording")) {
				require.Equal(t, cli.ExitOK, code, "%s: %s: %s%s", line, name, out, err)
				continue
			}
			require.Equal(t, cli.ExitUsage, code, "%s: %s: %s%s", line, name, out, err)
			require.Contains(t, out+err, "bad.yaml:", line)
		}
	}
}

// TestWrongObjects: an object of another shape than the API's is a mistake with its place, in the words of the file and
// not of Go.
func TestWrongObjects(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("set.yaml", []byte(hostileSet("good", "web")), 0o644))
	timeline := "{\"t\":0,\"event\":\"run\",\"format\":1,\"seed\":0}\n{\"t\":0,\"event\":\"pod\",\"pod\":[]}\n"
	for _, c := range []struct{ line, text, says string }{
		{"explain x.yaml", "kind: StatefulSet\napiVersion: apps/v1\nmetadata: {name: web, annotations: no, uid: a}\n" +
			"spec: {selector: {matchLabels: {app: web}}}\n",
			"x.yaml:1:1: the StatefulSet web cannot be decoded: metadata.annotations is a string: it must be an object"},
		{"explain x.yaml", "kind: Event\napiVersion: v1\nmetadata: 3\ninvolvedObject: {kind: Pod}\n",
			"x.yaml:1:1: the Event cannot be decoded: metadata is a number: it must be an object"},
		{"plan --recording x.yaml set.yaml set.yaml", timeline, "x.yaml:2: pod: a list does not belong here"},
		{"check x.yaml set.yaml", timeline, "x.yaml:2: pod: a list does not belong here"},
	} {
		require.NoError(t, os.WriteFile("x.yaml", []byte(c.text), 0o644))
		code, out, err := call(t, command.Simulator, "", strings.Fields(c.line)...)
		require.Equal(t, cli.ExitUsage, code, out)
		require.Contains(t, err, c.says)
	}
}

// TestListWithoutItems: a list of no items is one without sets, for each command that reads objects.
func TestListWithoutItems(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("x.yaml", []byte("kind: List\napiVersion: v1\n"), 0o644))
	require.NoError(t, os.WriteFile("apply.yaml", []byte("steps: [{apply: {kind: List, apiVersion: v1}}]\n"), 0o644))
	require.NoError(t, os.WriteFile("file.yaml", []byte("steps: [{apply: x.yaml}]\n"), 0o644))
	for _, line := range []string{"explain x.yaml", "explore --runs 1 x.yaml", "plan x.yaml x.yaml", "init --write - x.yaml",
		"run apply.yaml", "run file.yaml", "upgrade --from 1.36 --to 1.37 x.yaml", "explore --runs 1 x.yaml x.yaml"} {
		code, _, err := call(t, command.Simulator, "", strings.Fields(line)...)
		require.NotEqual(t, cli.ExitDefect, code, "%s: %s", line, err)
	}
}

// TestSetsWithLittle: a set without metadata is refused, and a set of a timeline without a template is judged, and
// neither is a defect.
func TestSetsWithLittle(t *testing.T) {
	folder(t)
	little := strings.Replace(hostileSet("good", "web"), "metadata: {name: web}\n", "", 1)
	for name, text := range map[string]string{
		"none.yaml": little, "null.yaml": little + "metadata: null\n", "good.yaml": hostileSet("next", "web"),
		"timeline.jsonl": `{"t":0,"event":"run","format":1,"seed":0}
{"t":0,"event":"step","step":1,"verb":"create","sets":[{"name":"web","namespace":"default"}]}
{"t":1,"event":"pod","pod":"web-0","state":"Pending","statefulset":"web","namespace":"default"}
{"t":2,"event":"result","verdict":"settled"}
`, "expect.yaml": "expect: [{order: [web-0 Ready]}, {never: web-1 Ready}]\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	for _, line := range []string{"plan none.yaml good.yaml", "plan good.yaml none.yaml", "plan null.yaml good.yaml",
		"plan good.yaml null.yaml", "explain null.yaml", "init --write - null.yaml", "check timeline.jsonl expect.yaml"} {
		code, _, err := call(t, command.Simulator, "", strings.Fields(line)...)
		require.NotEqual(t, cli.ExitDefect, code, "%s: %s", line, err)
	}
}

// TestKeysAreText: a key that is no text, and a merge key of something else than mappings, are mistakes with their
// place, whatever reads the manifest or the dump. None of them loses what stands at the key.
func TestKeysAreText(t *testing.T) {
	folder(t)
	set := strings.Replace(hostileSet("good", "web"), "{name: web}", `{name: web, uid: a, creationTimestamp: "2026-01-01T00:00:00Z"}`, 1)
	list := "apiVersion: v1\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(strings.TrimPrefix(set, "---\n")), "\n", "\n  ") + "\nkind: List\n"
	require.NoError(t, os.WriteFile("good.yaml", []byte(set), 0o644))
	for _, c := range []struct{ in, field, wrong, says string }{
		{set, "spec:", "? [spec]\n:", "x.yaml:5:3: a key is a list: keys are text; quote this"},
		{set, "  replicas: 1", "  ? {a: b}\n  : 1", "x.yaml:6:5: a key is a mapping: keys are text; quote this"},
		{set, "  replicas: 1", "  ? &x [replicas]\n  : *x", "x.yaml:6:5: a key is a list: keys are text; quote this"},
		{set, "  replicas: 1", "  <<: 3", "x.yaml:6:7: the merge key << is given a single value"},
		{set, "  replicas: 1", "  <<: [3]", "x.yaml:6:8: the merge key << is given a single value"},
		{set, "  replicas: 1", "  replicas: &a [*a]", "x.yaml:6:13: an alias refers to a value that contains it"},
		{set, "  replicas: 1", "  replicas: *none", "x.yaml:6:13: there is no anchor &none"},
		{list, "    replicas: 1", "    ? [replicas]\n    : 1", "x.yaml:7:7: a key is a list: keys are text; quote this"},
		{list, "    replicas: 1", "    <<: [3]", "x.yaml:7:10: the merge key << is given a single value"},
		{list, "kind: List", "kind: List\n? [a]\n: 1", "a key is a list: keys are text; quote this"},
	} {
		text := strings.Replace(c.in, c.field, c.wrong, 1)
		require.NotEqual(t, c.in, text)
		scenario := "steps:\n- apply: |\n    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"
		for name, text := range map[string]string{"x.yaml": text, "start.yaml": "start: x.yaml\n", "step.yaml": "steps: [{apply: x.yaml}]\n",
			"block.yaml": scenario} {
			require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		}
		for _, line := range []string{"plan x.yaml good.yaml", "plan good.yaml x.yaml", "explain x.yaml", "explore --runs 1 x.yaml",
			"explore --runs 1 good.yaml x.yaml", "init --write - x.yaml", "upgrade --from 1.36 --to 1.37 x.yaml", "run start.yaml",
			"run step.yaml", "expand step.yaml", "run block.yaml"} {
			code, out, err := call(t, command.Simulator, "", strings.Fields(line)...)
			require.Equal(t, cli.ExitUsage, code, "%s: %s", line, out)
			says := c.says
			if _, rest, placed := strings.Cut(says, "yaml:"); placed && strings.Contains(line, "block") {
				_, says, _ = strings.Cut(rest, ": ")
			}
			require.Contains(t, out+err, says, line)
		}
	}
}

// TestNamesLikeNumbers: a set whose name YAML would read as something else than text is one like any other, in whatever
// text a command writes about it; and so is a pod whose owner has a name that no set has.
func TestNamesLikeNumbers(t *testing.T) {
	folder(t)
	for _, name := range []string{"123", "1e3", "0x1f", "null", "true", "on", "2026-01-01"} {
		set := strings.ReplaceAll(strings.ReplaceAll(hostileSet("good", "NAME"), "NAME", `"`+name+`"`), "app: web", "app: a")
		next := strings.Replace(set, "x:1", "x:2", 1)
		pod := `---
apiVersion: v1
kind: Pod
metadata: {name: NAME-0, uid: p, creationTimestamp: "2026-01-01T00:00:00Z", labels: {app: "NAME"},
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: "OWNER", uid: a, controller: true}]}
spec: {containers: [{name: c, image: "x:1"}]}
status: {phase: Running}
`
		dump := strings.Replace(set, `{name: "`+name+`"}`, `{name: "`+name+`", uid: a, creationTimestamp: "2026-01-01T00:00:00Z"}`, 1)
		dump += strings.ReplaceAll(pod, "NAME", name)
		for file, text := range map[string]string{"set.yaml": set, "next.yaml": next, "dump.yaml": strings.ReplaceAll(dump, "OWNER", name),
			"odd.yaml": strings.ReplaceAll(dump, "OWNER", "]]>"), "steps.yaml": "steps: [{apply: set.yaml}, {apply: next.yaml}]\n"} {
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		}
		for _, line := range []string{"run steps.yaml", "run --save-as-test=- steps.yaml", "explore --runs 20 set.yaml next.yaml",
			"explore --runs 20 dump.yaml next.yaml", "plan --runs 5 dump.yaml next.yaml", "init --write - dump.yaml",
			"init --write - set.yaml next.yaml", "explain dump.yaml", "upgrade --from 1.36 --to 1.37 set.yaml", "compare steps.yaml steps.yaml",
			"explain steps.yaml", "explore --runs 20 odd.yaml next.yaml", "plan odd.yaml next.yaml", "init --write - odd.yaml"} {
			code, out, err := call(t, command.Simulator, "", strings.Fields(line)...)
			require.NotEqual(t, cli.ExitDefect, code, "%s %s: %s", line, name, err)
			if !strings.Contains(line, "odd") {
				require.NotEqual(t, cli.ExitUsage, code, "%s %s: %s%s", line, name, out, err)
			}
		}
	}
}
