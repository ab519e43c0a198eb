package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/command/compare"
)

// TestCompareJobs compares variants and versions one at a time and several at once: every format has the same bytes.
func TestCompareJobs(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "steps:\n  - create: {name: web, replicas: 3, image: app:v1}\n  - setImage: {image: app:v2}\n"
	require.NoError(t, os.WriteFile("s.yaml", []byte(text), 0o644))
	for _, args := range [][]string{
		{"compare", "--with", "spec.podManagementPolicy=Parallel", "--with", "spec.replicas=5", "s.yaml"},
		{"compare", "--kubernetes", "1.34,1.35,1.36,1.37", "s.yaml"},
	} {
		for _, format := range compare.CompareFormats {
			var outs []string
			for _, jobs := range []string{"1", "4"} {
				code, out, stderr := call(t, command.Simulator, "", append(args, "-o", format, "-j", jobs)...)
				require.Zero(t, code, stderr)
				outs = append(outs, out)
			}
			require.Equal(t, outs[0], outs[1], "%v -o %s", args, format)
		}
	}
	code, _, stderr := call(t, command.Simulator, "", "compare", "-j", "0", "--with", "spec.replicas=5", "s.yaml")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "-j must be at least 1")
}

// TestCompareIsQuickToTell: on a terminal nothing is shown of work that takes less than a second.
func TestCompareIsQuickToTell(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("web.yaml", []byte("steps: [{create: {name: web, replicas: 2, image: a}}]\n"), 0o644))
	var out, err bytes.Buffer
	s := &command.Console{In: strings.NewReader(""), Out: &out, Err: &err, ErrTerminal: true, Ctx: t.Context()}
	require.Zero(t, Main([]string{"compare", "--kubernetes", "1.36,1.37", "web.yaml"}, s, command.Simulator), err.String())
	require.Empty(t, err.String())
}
