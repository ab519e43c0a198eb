package scenario_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestLoadFromAPipe: a scenario may come out of a pipe that has a path, as with sim run <(command).
func TestLoadFromAPipe(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("paths of open files are those of Linux")
	}
	out, in, err := os.Pipe()
	require.NoError(t, err)
	defer out.Close()
	_, err = in.WriteString("steps: [create: {name: web, replicas: 2, image: \"app:v1\"}]\n")
	require.NoError(t, err)
	require.NoError(t, in.Close())
	s, err := scenario.Load(fmt.Sprintf("/dev/fd/%d", out.Fd()), scenario.Options{})
	require.NoError(t, err)
	require.Len(t, s.Steps, 1)
}
