package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestBoardIsWipedWhereItStands: a terminal that shows the pods beside an output for a program is the one that is
// wiped.
func TestBoardIsWipedWhereItStands(t *testing.T) {
	script, err := txtar.ParseFile("testdata/script/follow.txtar")
	require.NoError(t, err)
	at := slices.IndexFunc(script.Files, func(f txtar.File) bool { return f.Name == "fine.jsonl" })
	file := filepath.Join(t.TempDir(), "fine.jsonl")
	require.NoError(t, os.WriteFile(file, script.Files[at].Data, 0o600))
	var out, beside bytes.Buffer
	s := &command.Console{Out: &out, Err: &beside, ErrTerminal: true, Asked: 30, Ctx: t.Context()}
	require.Equal(t, cli.ExitOK, Main([]string{"follow", "web", "--replay", file, "-o", "json"}, s, command.Simulator), beside.String())
	require.True(t, json.Valid(out.Bytes()), "%q", out.String())
	require.Contains(t, beside.String(), "\x1b[1A\x1b[J")
	for line := range strings.Lines(beside.String()) {
		if strings.HasPrefix(line, "  web-0") {
			require.LessOrEqual(t, len([]rune(line)), 30, "%q wraps, and one line of it would stay", line)
		}
	}
}
