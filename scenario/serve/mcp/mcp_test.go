package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	protocol "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// manifest is a set with an image.
const manifest = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 3
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: "app:%s"}]}
`

// scenario has an expectation that holds.
const scenario = `name: rolls
steps:
- create: {name: web, replicas: 3, image: "app:v1"}
- setImage: {statefulset: web, image: "app:v2"}
expect:
- completes: {within: 1h, since: setImage}
`

// connected returns the session of a client with roots, as the SDK has it.
func connected(t *testing.T, o *Serve, roots ...string) *protocol.ClientSession {
	t.Helper()
	s := &server{o, make(chan struct{}, mostCalls)}
	here, there := protocol.NewInMemoryTransports()
	_, err := s.protocol().Connect(t.Context(), there, nil)
	require.NoError(t, err)
	client := protocol.NewClient(&protocol.Implementation{Name: "test", Version: "1"}, nil)
	for _, root := range roots {
		//lint:ignore SA1019 roots are deprecated since the protocol of 2026-07-28, and most clients have them
		client.AddRoots(&protocol.Root{URI: (&url.URL{Scheme: "file", Path: root}).String()})
	}
	session, err := client.Connect(t.Context(), here, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// asked calls a tool and returns its document, which is nil if the call failed, and its text.
func asked(t *testing.T, session *protocol.ClientSession, tool string, with map[string]any) (map[string]any, string) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &protocol.CallToolParams{Name: tool, Arguments: with})
	require.NoError(t, err)
	whole, err := json.Marshal(result)
	require.NoError(t, err)
	require.LessOrEqual(t, len(whole), 64_000, "%s %v", tool, with)
	text := ""
	for _, content := range result.Content {
		text += content.(*protocol.TextContent).Text
	}
	if result.IsError {
		return nil, text
	}
	return result.StructuredContent.(map[string]any), text
}

// Each tool returns the public JSON of its command.
func TestTools(t *testing.T) {
	session := connected(t, &Serve{Console: &command.Console{Ctx: context.Background()}})
	listed, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
		require.True(t, tool.Annotations.ReadOnlyHint, tool.Name)
	}
	require.ElementsMatch(t, []string{"explain", "plan", "run", "test", "upgrade", "advise", "versions", "atlas"}, names)

	v1, v2 := fmt.Sprintf(manifest, "v1"), fmt.Sprintf(manifest, "v2")
	for tool, c := range map[string]struct {
		with map[string]any
		has  []string
	}{
		"explain":  {map[string]any{"dump": scenario}, []string{"formatVersion"}},
		"plan":     {map[string]any{"old": v1, "new": v2}, []string{"formatVersion", "sets", "kubernetes"}},
		"advise":   {map[string]any{"old": v1}, []string{"formatVersion"}},
		"upgrade":  {map[string]any{"manifests": []string{v1}, "from": "1.36", "to": "1.37"}, []string{"formatVersion"}},
		"run":      {map[string]any{"scenario": scenario}, []string{"formatVersion", "events", "expectations", "result"}},
		"test":     {map[string]any{"scenarios": []string{scenario}}, []string{"formatVersion", "passed", "tests"}},
		"versions": {map[string]any{}, []string{"formatVersion"}},
		"atlas":    {map[string]any{}, []string{"formatVersion"}},
	} {
		document, text := asked(t, session, tool, c.with)
		require.NotNil(t, document, "%s: %s", tool, text)
		for _, field := range c.has {
			require.Contains(t, document, field, tool)
		}
	}
}

// What is wrong with an input is said as on the command line.
func TestWrongInput(t *testing.T) {
	session := connected(t, &Serve{Console: &command.Console{Ctx: context.Background()}})
	for _, c := range []struct {
		tool string
		with map[string]any
		says string
	}{
		{"run", map[string]any{"scenario": "name: x\nstepz: []\n"}, "text-1.yaml:2:1: unknown key \"stepz\""},
		{"plan", map[string]any{"old": "a.yaml", "new": "b.yaml"}, "no folder may be read: hand over the text"},
		{"plan", map[string]any{"new": manifest}, "there is nothing to read"},
		{"explain", map[string]any{"live": true}, "start the server with sim mcp --live"},
		{"advise", map[string]any{"old": fmt.Sprintf(manifest, "v1"), "within": "soon"}, `within "soon": write a duration`},
		{"versions", map[string]any{"part": "/nothing"}, `the answer has no "nothing" there`},
		{"run", map[string]any{}, `missing properties: ["scenario"]`},
		{"run", map[string]any{"scenario": 3}, "has type"},
	} {
		document, text := asked(t, session, c.tool, c.with)
		require.Nil(t, document, "%s %v", c.tool, c.with)
		require.Contains(t, text, c.says)
	}
}

// A path is read below the client's roots only, links included.
func TestPaths(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	write := func(folder, name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	write(folder, "v1.yaml", fmt.Sprintf(manifest, "v1"))
	write(folder, "v2.yaml", fmt.Sprintf(manifest, "v2"))
	write(folder, "rolls.yaml", "name: rolls\nsteps:\n- apply: v1.yaml\n")
	write(folder, "leads-out.yaml", "name: out\nsteps:\n- apply: "+filepath.Join(other, "secret.yaml")+"\n")
	write(other, "secret.yaml", fmt.Sprintf(manifest, "secret"))
	require.NoError(t, os.Symlink(filepath.Join(other, "secret.yaml"), filepath.Join(folder, "link.yaml")))
	session := connected(t, &Serve{Console: &command.Console{Ctx: context.Background()}}, folder)

	document, text := asked(t, session, "plan", map[string]any{"old": "v1.yaml", "new": filepath.Join(folder, "v2.yaml")})
	require.NotNil(t, document, text)
	document, text = asked(t, session, "run", map[string]any{"scenario": "rolls.yaml"})
	require.NotNil(t, document, text)
	for name, says := range map[string]string{
		"missing.yaml":                      "there is no such file below the roots",
		"../" + filepath.Base(other):        "it is not below one of the roots",
		filepath.Join(other, "secret.yaml"): "it is not below one of the roots",
		"link.yaml":                         "path escapes from parent",
		"leads-out.yaml":                    "outside of the scenario's folder",
	} {
		document, text = asked(t, session, "run", map[string]any{"scenario": name})
		require.Nil(t, document, name)
		require.Contains(t, text, says, name)
		require.NotContains(t, text, "app:secret")
	}
}

// No answer is longer than 64 kB: what is left out is listed, and comes when it is asked for, until all is there.
func TestLongAnswers(t *testing.T) {
	session := connected(t, &Serve{Console: &command.Console{Ctx: context.Background()}})
	long := strings.Replace(scenario, "replicas: 3", "replicas: 40", 1)
	document, text := asked(t, session, "run", map[string]any{"scenario": long})
	require.NotNil(t, document, text)
	require.Equal(t, "rolls", document["name"])
	require.Equal(t, "settled", document["result"].(map[string]any)["verdict"])
	require.Len(t, document["omitted"], 1)
	left := document["omitted"].([]any)[0].(map[string]any)
	require.Equal(t, "/events", left["part"])

	events := document["events"].([]any)
	for len(events) < int(left["of"].(float64)) {
		next, text := asked(t, session, "run", map[string]any{"scenario": long, "part": "/events", "from": len(events)})
		require.NotNil(t, next, text)
		more := next["value"].([]any)
		require.NotEmpty(t, more)
		events = append(events, more...)
	}
	require.Len(t, events, int(left["of"].(float64)))
}

// The documentation and the lessons are resources.
func TestResources(t *testing.T) {
	session := connected(t, &Serve{Console: &command.Console{Ctx: context.Background()}})
	listed, err := session.ListResources(t.Context(), nil)
	require.NoError(t, err)
	titles := map[string]string{}
	for _, r := range listed.Resources {
		titles[r.URI] = r.Title
		page, err := session.ReadResource(t.Context(), &protocol.ReadResourceParams{URI: r.URI})
		require.NoError(t, err, r.URI)
		require.LessOrEqual(t, len(page.Contents[0].Text), 64_000, r.URI)
	}
	require.Equal(t, "JSON for programs", titles["sim://docs/json.md"])
	require.Contains(t, titles, "sim://lessons/01-promises.md")
}

// A tool names the fields that it returns.
func TestFields(t *testing.T) {
	for section, some := range map[string][]string{
		"A plan: sim plan -o json":            {"sets", "kubernetes"},
		"An explanation: sim explain -o json": {"sets", "verdict"},
		"A run: sim run -o json":              {"events", "expectations", "result"},
		"Tests: sim test -o json":             {"passed", "verdict"},
	} {
		fields := fieldsOf(section)
		for _, name := range some {
			require.Contains(t, fields, name, "%s: %v", section, fields)
		}
	}
	require.Empty(t, fieldsOf(""))
}
