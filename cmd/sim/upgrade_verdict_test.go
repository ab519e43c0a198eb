package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestPatchesAreAdvice: the headline of an upgrade says what the exit code says. Patches that are worse than the newest
// one are named, with what happens there, and change neither; a difference on the way changes both.
func TestPatchesAreAdvice(t *testing.T) {
	const set = "kind: StatefulSet\napiVersion: apps/v1\nmetadata: {name: web}\nspec: {replicas: 2, serviceName: web, " +
		"updateStrategy: {rollingUpdate: {partition: 0}}, selector: {matchLabels: {app: web}}, " +
		"template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"app:v1\"}]}}}\n"
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("web.yaml", []byte(set), 0o600))
	code, out, err := call(t, command.Simulator, "", "upgrade", "--from", "1.33", "--to", "1.37", "web.yaml")
	headline := strings.Split(out, "\n")[1]
	require.Equal(t, cli.ExitOK, code, out+err)
	require.Equal(t, "0 of 1 set behaves differently on 1.37 than on 1.33", headline)
	said := strings.Join(strings.Fields(out), " ")
	require.Contains(t, said, "avoid 1.34.0 to 1.34.1, take 1.34.2 or later: 1 set is worse off there than with the newest "+
		"patch (default/web). What happens there: the upgrade of the control plane itself (upgrade): the set settles after")
	code, out, _ = call(t, command.Simulator, "", "upgrade", "--from", "1.33", "--to", "1.34.0", "web.yaml")
	headline = strings.Split(out, "\n")[1]
	require.Equal(t, cli.ExitFailed, code, out)
	require.Equal(t, "1 of 1 set behaves differently on 1.34.0 than on 1.33, for the worse", headline)
}
