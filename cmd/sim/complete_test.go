package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestCompletions: a shell completes every flag that takes a format, a version or a colour with what it may be.
func TestCompletions(t *testing.T) {
	may := map[string]string{"kubernetes": "1.37", "from": "1.36", "to": "1.37", "output": "text", "color": "never"}
	root := newRootCmd(&streams{ctx: t.Context()}, new(fakeEngine).engine())
	completed := map[string]int{}
	for _, cmd := range root.Commands() {
		flags := func(f *pflag.Flag) {
			want, known := may[f.Name]
			if !known || cmd.Hidden || cmd.Name() == "completion" {
				return
			}
			_, out, _ := call(t, new(fakeEngine).engine(), "", "__complete", cmd.Name(), "--"+f.Name, "")
			require.Contains(t, strings.Fields(out), want, "%s --%s", cmd.Name(), f.Name)
			completed[f.Name]++
		}
		cmd.LocalFlags().VisitAll(flags)
		cmd.InheritedFlags().VisitAll(flags)
	}
	for flag := range may {
		require.NotZero(t, completed[flag], flag)
	}
}

// TestHelpHasEveryFlag: the flags of a command and those of all commands, but the limits, which have a page of their own.
func TestHelpHasEveryFlag(t *testing.T) {
	root := newRootCmd(&streams{ctx: t.Context()}, new(fakeEngine).engine())
	for _, cmd := range root.Commands() {
		if cmd.Hidden || !cmd.Runnable() || slices.Contains([]string{"help", "completion"}, cmd.Name()) {
			continue
		}
		_, out, _ := call(t, new(fakeEngine).engine(), "", "help", cmd.Name())
		has := func(f *pflag.Flag) {
			if !f.Hidden {
				require.Contains(t, out, "--"+f.Name, cmd.Name())
			}
		}
		cmd.LocalFlags().VisitAll(has)
		cmd.InheritedFlags().VisitAll(has)
	}
}

// TestLinksToScenarios: a folder's links to files are played, as the files of a mounted ConfigMap are; those to folders
// and to nothing are not.
func TestLinksToScenarios(t *testing.T) {
	folder(t, "below/..data/a.yaml", "elsewhere/b.yaml")
	link := func(to, name string) { require.NoError(t, os.Symlink(to, filepath.Join("below", name))) }
	link(filepath.Join("..data", "a.yaml"), "a.yaml")
	link(filepath.Join("..", "elsewhere"), "folder.yaml")
	link("nothing", "nothing.yaml")
	found, err := findScenarios([]string{"below"})
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join("below", "a.yaml")}, found)
}

// TestProgress: long work is shown on a terminal, once a second, and nowhere else: its time, how many are done, or how far a
// search is. It leaves nothing behind.
func TestProgress(t *testing.T) {
	search := &exploreOptions{forTime: 5 * time.Minute}
	for want, show := range map[string]func(*progress){
		"":           func(p *progress) { p.show(nil) },
		", 7 of 300": func(p *progress) { p.count(7, 300) },
		" of 5m00s, 2 runs, 1,819,906 states": func(p *progress) {
			p.show(func() string { return search.far(2, 1_819_906) })
		},
	} {
		for _, terminal := range []bool{true, false} {
			var shown bytes.Buffer
			p := newProgress(&streams{err: &shown, errTerminal: terminal}, "playing")
			show(p)
			p.clear()
			require.Empty(t, shown.String(), "not before a second has passed")
			p.begun = time.Now().Add(-133_500 * time.Millisecond)
			for range 300 {
				show(p)
			}
			p.clear()
			if terminal {
				require.Equal(t, "\r\x1b[Kplaying: 2m13s"+want+" (Ctrl-C ends it)\r\x1b[K", shown.String())
			} else {
				require.Empty(t, shown.String())
			}
		}
	}
}
