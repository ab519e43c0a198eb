package shell

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// run runs a script in a container that has a file and a volume, after others.
func run(t *testing.T, scripts ...string) (*Shell, Result) {
	t.Helper()
	sh := &Shell{Hostname: "web-0", Env: []string{"POD=web-0", "EMPTY="}, Files: &Files{
		Own: Tree{"/localhost.crt": {Data: "crt\n"}, "/tmp": {Dir: true}}, Mounts: map[string]Tree{"/data": {}},
	}}
	var r Result
	for _, script := range scripts {
		r = sh.Exec([]string{"/bin/sh", "-c", script}, "sent\n")
	}
	return sh, r
}

// TestShell shows what the shell of a simulated container can do, with what upstream's tests run in theirs.
func TestShell(t *testing.T) {
	for _, test := range []struct{ script, out, err string }{
		{"mv -v /localhost.crt /tmp/ || true; ls /tmp", "renamed '/localhost.crt' -> '/tmp/localhost.crt'\nlocalhost.crt\n", ""},
		{"mv -v /tmp/localhost.crt / || true", "", "mv: can't open '/tmp/localhost.crt': No such file or directory\n"},
		{"echo $(hostname) | dd of=/data/hostname conv=fsync; cat /data/hostname", "web-0\n", "6 bytes copied\n"},
		{"ln -s /data/hostname /data/link; echo x > /data/link; cat /data/hostname /data/link", "x\nx\n", ""},
		{`if [ "$(cat /data/none)" = "$(hostname)" ]; then exit 0; else echo no; fi`, "no\n",
			"cat: can't open '/data/none': No such file or directory\n"},
		{"dd if=/dev/zero of=/data/go bs=1 count=1 conv=fsync && test -f /data/go && echo there", "there\n", "1 bytes copied\n"},
		{"printf $(hostname)", "web-0", ""},
		{"touch /data/a && ls -idlh /data && find /data", "drwxr-xr-x 1 root root 0 /data\n/data\n/data/a\n", ""},
		{"A='b  c'; echo $A \"$A\" '$A' \\$A ${A}d", "b c b  c $A $A b cd\n", ""},
		{"false || echo or; true && echo and; ! true || echo not; echo $?", "or\nand\nnot\n0\n", ""},
		{"printenv POD; printenv NONE; echo $?", "web-0\n1\n", ""},
		{"echo a >/tmp/f; echo b >>/tmp/f; cat </tmp/f; cat", "a\nb\nsent\n", ""},
		{"echo lost 2>&1 >/dev/null; echo kept >&2 2>/dev/null; (exit 3); echo $?", "3\n", "kept\n"},
		{"set -e; { echo one; echo two; } | cat # and a comment", "one\ntwo\n", ""},
		{"mkdir -p /srv/a/b; cp /localhost.crt /srv/a/b/c; rm -rf /srv/a; ls /", "data\nlocalhost.crt\nsrv\ntmp\n", ""},
		{"PATH=/none:/tmp; echo 'echo pong; exit 3' >/tmp/ping; ping; echo $?; /tmp/ping; sh /tmp/ping", "pong\n3\npong\npong\n", ""},
		{"echo 'cat /data/in' >/data/look; echo 'loop' >/tmp/loop; echo x >/data/in; /data/look; PATH=/tmp; loop; echo lost", "x\n", ""},
		{"echo `hostname`; [ 3 -gt 2 ]; echo $?; [ -n \"$EMPTY\" ]; echo $?; [ ! -d /tmp ]; echo $?", "web-0\n0\n1\n1\n", ""},
	} {
		t.Run(test.script, func(t *testing.T) {
			_, r := run(t, test.script)
			assert.Equal(t, test.out, r.Out)
			assert.Equal(t, test.err, r.Err)
		})
	}
}

// TestShellRefuses shows what is refused, and that everything ends.
func TestShellRefuses(t *testing.T) {
	for _, test := range []struct {
		script, says string
		code         int
	}{
		{"while true; do :; done", "syntax error", 2},
		{"echo 'open", "syntax error", 2},
		{"if true; then", "syntax error", 2},
		{strings.Repeat("(", 1000), "syntax error", 2},
		{"redis-cli ping", "redis-cli: not found", 127},
		{"echo 'echo pong' > /ping; ping", "ping: not found", 127},
		{"echo 'echo pong' > /ping; PATH=:/none::; ping", "ping: not found", 127},
		{"echo x > /none/x", "No such file or directory", 1},
		{"cat /etc/passwd", "No such file or directory", 1},
		{"echo 'sh /s' > /s; sh /s", "", 137},
		{"exit 300", "", 44},
	} {
		_, r := run(t, test.script)
		assert.Contains(t, r.Err, test.says, test.script)
		assert.Equal(t, test.code, r.Code, test.script)
	}
}

// TestMissed shows what the shell tells a probe: which files were not there, and which programs.
func TestMissed(t *testing.T) {
	sh, _ := run(t, "test -f /data/go; cat /tmp/healthy; pg_isready")
	assert.Equal(t, []string{"/data/go", "/tmp/healthy"}, sh.Missed)
	assert.Equal(t, []string{"pg_isready"}, sh.Unknown)
}

func FuzzShell(f *testing.F) {
	for _, script := range []string{"echo $(hostname) | dd of=/data/x", "if [ 1 ]; then (a); fi", "`", "\"$", "a>&", "ln -s / /b; find /b"} {
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script string) { run(t, script, script) })
}
