package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// hostile are lines that no client should send. Those of a tool have its name and its arguments.
func hostile() []string {
	list := []string{
		"", "{", "}", "null", "true", "3", `"text"`, "[]", "[[]]", "{}", `{"jsonrpc":"1.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":1}`, `{"jsonrpc":"2.0","method":3,"id":1}`,
		`{"jsonrpc":"2.0","id":1,"method":""}`, `{"jsonrpc":"2.0","id":1,"method":"nothing"}`, "\x00\xff\xfe",
		`{"jsonrpc":"2.0","id":99,"result":{}}`, `{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		strings.Repeat("[", 100_000), `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20) + `"}`,
		strings.Repeat(" ", 1<<20), `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"sim://docs/../go.mod"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///proc/self/environ"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"serve","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`,
	}
	texts := []string{"", " ", "-", ".", "..", "/", "/proc/self/environ", "../../go.mod", "a: &a [*a, *a]\n", "{", "{}", "[]\n",
		"%YAML 9.9\n---\n", strings.Repeat("a: ", 5000) + "\n", strings.Repeat("- ", 5000) + "\n", "\x00\n", "a: b\n" + strings.Repeat("---\n", 20_000),
		fmt.Sprintf(manifest, "v1"), strings.Replace(fmt.Sprintf(manifest, "v1"), "replicas: 3", "replicas: 2147483647", 1),
		strings.Replace(scenario, "replicas: 3", "replicas: -1", 1), strings.Replace(scenario, "1h", "9999999999h", 1),
	}
	for _, text := range texts {
		for tool, field := range map[string]string{"explain": "dump", "plan": "new", "advise": "old", "run": "scenario", "nothing": "x"} {
			arguments, _ := json.Marshal(map[string]any{field: text, "part": text, "kubernetes": text})
			list = append(list, call1(tool, string(arguments)))
			arguments, _ = json.Marshal(map[string]any{field: text, "old": text, "from": -1})
			list = append(list, call1(tool, string(arguments)))
		}
		arguments, _ := json.Marshal(map[string]any{"scenarios": []string{text, text}, "run": text})
		list = append(list, call1("test", string(arguments)))
		arguments, _ = json.Marshal(map[string]any{"manifests": []string{text}, "from": text, "to": text})
		list = append(list, call1("upgrade", string(arguments)))
		arguments, _ = json.Marshal(map[string]any{"trap": text, "part": "/" + text, "from": 1 << 40})
		list = append(list, call1("atlas", string(arguments)))
	}
	return append(list, call1("run", `{"scenario":3}`), call1("run", `[]`), call1("run", `{"scenario":"a: b","more":1}`))
}

func call1(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// Whatever comes in, the server answers the next good request, and holds no more than before.
func TestHostileRequests(t *testing.T) {
	in, write := io.Pipe()
	read, out := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	o := &Serve{Console: &command.Console{In: in, Out: out, Ctx: ctx}, Memory: 2 << 30}
	go func() { ended <- o.Answer() }()
	answers := make(chan string, 1000)
	go func() {
		for scan := bufio.NewReader(read); ; {
			line, err := scan.ReadString('\n')
			if err != nil {
				return
			}
			answers <- line
		}
	}()
	send := func(line string) {
		_, err := io.WriteString(write, line+"\n")
		require.NoError(t, err)
	}
	answered := func(id string) string {
		for line := range answers {
			var message struct{ ID json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(line), &message), line)
			require.LessOrEqual(t, len(line), 66_000)
			require.NotContains(t, line, "PATH=")
			if string(message.ID) == id {
				return line
			}
		}
		return ""
	}
	send(`{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	require.Contains(t, answered(`"first"`), "sim")
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)

	all := hostile()
	require.Greater(t, len(all), 250)
	before := runtime.NumGoroutine()
	for i, line := range all {
		send(line)
		id := fmt.Sprintf("%q", fmt.Sprint("good-", i))
		send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		require.NotContains(t, answered(id), "error", "%.200s", line)
	}
	send(strings.Replace(call1("run", `{"scenario":`+fmt.Sprintf("%q", scenario)+`}`), `"id":1`, `"id":"last"`, 1))
	require.Contains(t, answered(`"last"`), `\"verdict\":\"settled\"`)
	require.Less(t, runtime.NumGoroutine(), before+20)

	stop()
	require.NoError(t, write.Close())
	<-ended
}
