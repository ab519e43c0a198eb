package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
)

// typist is somebody at a terminal in which a command runs.
type typist struct {
	*testing.T
	// terminal is its keyboard and its screen. What it shows is read before the command ends, or the command would wait.
	terminal *os.File
	// shown is what the terminal has shown and was not waited for yet.
	shown string
}

// control asks the terminal for something, or tells it.
func (p *typist) control(request uintptr, about unsafe.Pointer) {
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, p.terminal.Fd(), request, uintptr(about))
	require.Zero(p, errno)
}

// atTerminal runs a command in a pseudo terminal of 80 columns.
func atTerminal(t *testing.T, args ...string) (*typist, *exec.Cmd) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	p := &typist{T: t, terminal: terminal}
	var number, locked uint32
	p.control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	p.control(syscall.TIOCSPTLCK, unsafe.Pointer(&locked))
	p.control(syscall.TIOCSWINSZ, unsafe.Pointer(&[4]uint16{24, 80}))
	inside, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	cmd := exec.Command("sim", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inside, inside, inside
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	cmd.Env = append(os.Environ(), "TERM=xterm")
	require.NoError(t, cmd.Start())
	require.NoError(t, inside.Close())
	alarm := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		alarm.Stop()
		_ = terminal.Close()
	})
	return p, cmd
}

// sees waits until the terminal shows a text.
func (p *typist) sees(text string) {
	p.Helper()
	bytes := make([]byte, 4096)
	for !strings.Contains(p.shown, text) {
		n, err := p.terminal.Read(bytes)
		require.NoError(p, err, "%q, waiting for %q", p.shown, text)
		p.shown += string(bytes[:n])
	}
	_, p.shown, _ = strings.Cut(p.shown, text)
}

// seesTheEnd returns what the terminal shows until the command has ended.
func (p *typist) seesTheEnd() string {
	rest, _ := io.ReadAll(p.terminal)
	return p.shown + string(rest)
}

func (p *typist) types(keys string) {
	_, err := io.WriteString(p.terminal, keys)
	require.NoError(p, err)
}

// modes says whether the terminal hands over lines, and shows what is typed.
func (p *typist) modes() uint32 {
	var modes syscall.Termios
	p.control(syscall.TCGETS, unsafe.Pointer(&modes))
	return modes.Lflag & (syscall.ICANON | syscall.ECHO)
}

// TestKeysOfATerminal goes through a lesson at a terminal, by single keys, and leaves it in all ways. Each gives the
// terminal back as it was.
func TestKeysOfATerminal(t *testing.T) {
	for _, c := range []struct {
		name, last string
		code       int
		sees       string
	}{
		{"q", "q", cli.ExitOK, ""},
		{"Ctrl-D", "\x04", cli.ExitOK, ""},
		{"Ctrl-C", "\x03", cli.ExitInterrupted, "sim: interrupted"},
		{"all the rest", "r\n\n", cli.ExitOK, "Your answer was b; right is c."},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, cmd := atTerminal(t, "learn", "2")
			p.sees("without one: Enter")
			p.types("b\n")
			p.sees("b\r\n")
			p.sees("STEP 1")
			p.sees("q: quit")
			require.Zero(t, p.modes())
			p.types(" ")
			p.sees("q: quit")
			p.types("p")
			p.sees("-- back")
			p.sees("STEP 1")
			p.sees("q: quit")
			p.types(c.last)
			require.Contains(t, p.seesTheEnd(), c.sees)
			_ = cmd.Wait()
			require.Equal(t, c.code, cmd.ProcessState.ExitCode())
			require.EqualValues(t, syscall.ICANON|syscall.ECHO, p.modes())
		})
	}
}
