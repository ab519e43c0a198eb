package explain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestFilesOfAPage: the title of a page names the files of the dump, without their folders.
func TestFilesOfAPage(t *testing.T) {
	o := &Command{Call: command.Call{Args: []string{"a/b.yaml", "-"}}}
	require.Equal(t, []string{"b.yaml", "standard input"}, o.dumped())
}
