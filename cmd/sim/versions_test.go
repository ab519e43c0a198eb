package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/change/upgrade"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

const versionsPreface = `# Versions of Kubernetes

` + "```sh\nsim versions 1.34 1.37\n```" + `

This page lists how Kubernetes versions treat StatefulSets differently, and which versions ` + "`sim`" + ` knows.

* ` + "`sim versions 1.34 1.37`" + ` prints what changed between two versions.
* ` + "`sim run --kubernetes 1.34,1.37 FILE`" + ` shows where a scenario runs differently on them.
* ` + "`sim upgrade --from 1.34 --to 1.37 FILE`" + ` names the StatefulSets of a cluster that behave differently.

In ranges, "1.28.11+" is patch 1.28.11 and all later patches of 1.28. "from 1.30.2" is that patch and every later
version. "to 1.33" includes all patches of 1.33.
This page is generated: ` + "`go test ./cmd/sim -run VersionsPage -update`" + ` writes it.

`

// versionsPatches says which patch releases were compared.
const versionsPatches = `
## Patch releases

Between two versions of the list above patch releases behave alike. Where both can be had as Go modules, their code was
compared: that of the controller, of revisions, of budgets, of defaults, and of what the API server checks. For the pairs
marked *, the control code of both was also played on 1,800 random cases or more (.ci/tasks/differences), in which it did
the same, and that of each patch agrees with sim on random single syncs, whole runs and budgets.

| patches                                                | what differs                                                                                                                            |
|:-------------------------------------------------------|:----------------------------------------------------------------------------------------------------------------------------------------|
| 1.37.1 and 1.37.2 \*; 1.34.2, 1.34.3 and 1.34.4 (the first and the last \*); 1.33.6 and 1.33.13 \* | nothing                                                                                                            |
| 1.36.1 and 1.36.3 \*                                   | nothing that can be seen                                                                                                                |
| 1.37.0 and 1.37.1 \*                                   | ` + "`restore-spec`" + `                                                                                                                          |
| 1.34.0 and 1.34.2                                      | ` + "`semantic-revisions`, `hash-label`" + `                                                                                                      |
| 1.32.2 and 1.32.13                                     | pods with a sleep of 0 seconds as a hook, and static pods with resource claims, which no StatefulSet has                                |
| 1.31.0 and 1.31.14; 1.30.4 and 1.30.14                 | with a negative revisionHistoryLimit the controller manager crashed up to 1.31.0 and 1.30.4; here all revisions are kept in each version |
`

// TestVersionsPage holds the page of the documentation to the values that the command.Simulator goes by.
func TestVersionsPage(t *testing.T) {
	var page bytes.Buffer
	page.WriteString(versionsPreface)
	require.NoError(t, report.VersionsMarkdown(&page, upgrade.VersionTable()))
	page.WriteString(versionsPatches)
	goldenfile.Equal(t, "../../docs/versions.md", page.Bytes())
}

// TestVersionTable: every difference and every gate is in the table, with the versions that have it.
func TestVersionTable(t *testing.T) {
	table := upgrade.VersionTable()
	require.Len(t, table.Differences, len(statefulset.Differences))
	for _, d := range table.Differences {
		require.True(t, strings.HasSuffix(d.Sentence, "."), d.Name)
		if d.Name != "recreate" {
			require.NotEmpty(t, d.Where, d.Name)
		}
	}
	require.Len(t, table.Gates, len(statefulset.AllGates()))
}

// TestVersionChangesBothWays: what one direction tells as come, the other tells as gone.
func TestVersionChangesBothWays(t *testing.T) {
	versions := statefulset.Versions()
	for i := 1; i < len(versions); i++ {
		up, err := upgrade.VersionChanges(versions[i-1], versions[i])
		require.NoError(t, err)
		down, err := upgrade.VersionChanges(versions[i], versions[i-1])
		require.NoError(t, err)
		require.Len(t, down.Differences, len(up.Differences))
		for j := range up.Differences {
			require.Equal(t, up.Differences[j].Name, down.Differences[j].Name)
			require.NotEqual(t, up.Differences[j].On, down.Differences[j].On)
		}
		require.Len(t, down.Gates, len(up.Gates))
		require.Len(t, down.API, len(up.API))
		all := len(up.Differences) + len(up.Gates) + len(up.API)
		require.True(t, all > 0 || versions[i] == "1.30.0", "%s is as %s, and needs no profile", versions[i], versions[i-1])
	}
	_, err := upgrade.VersionChanges("1.36", "1.99")
	require.ErrorContains(t, err, `no Kubernetes version "1.99"`)
	_, err = upgrade.VersionChanges("2.0", "1.36")
	require.ErrorContains(t, err, `no Kubernetes version "2.0"`)
}

// TestHotLoopUnderVersions plays the hot loop's scenario on several versions, as `sim run --kubernetes` does, and holds
// that the difference that causes it is named.
func TestHotLoopUnderVersions(t *testing.T) {
	code, out, err := call(t, command.Simulator, "", "run", "-o", "json", "--kubernetes", "1.34,1.35.0,1.36,1.37",
		"../../scenarios/versions/hot-loop-unready-pod.yaml")
	require.Equal(t, cli.ExitFailed, code, err)
	var doc struct {
		Groups   [][]string
		Versions []struct {
			Kubernetes, Verdict string
			OK                  bool
		}
		Partings []struct {
			Between [2]string
			T       float64
			Causes  []struct{ Name, In string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	require.Equal(t, [][]string{{"1.34", "1.36"}, {"1.35.0"}, {"1.37"}}, doc.Groups)
	require.Equal(t, "livelock", doc.Versions[3].Verdict)
	require.True(t, doc.Versions[3].OK)
	require.Equal(t, [2]string{"1.34", "1.37"}, doc.Partings[1].Between)
	var causes []string
	for _, c := range doc.Partings[1].Causes {
		causes = append(causes, c.Name)
	}
	require.Equal(t, []string{"max-unavailable", "broken-first"}, causes)
}
