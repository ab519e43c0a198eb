package explain_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
)

var namespaceFlag = regexp.MustCompile(` -n \S+`)

// plain is a command without its namespace and without what may be written in several ways.
func plain(command string) string {
	words := strings.NewReplacer("statefulset/", "sts/", "statefulset ", "sts/", "sts web", "sts/web", " --overwrite", "",
		" --wait=false", "", "--type merge", "--type=merge", "--force --grace-period=0", "--grace-period=0 --force")
	return words.Replace(namespaceFlag.ReplaceAllString(command, ""))
}

func plainly(commands []string) []string {
	var list []string
	for _, command := range commands {
		list = append(list, plain(command))
	}
	return list
}

// TestDumpsLeadOut: of each real stuck set a way out is printed that heals, and where the same commands were tried on
// the real control plane they healed, or did not, and left as many pods serving.
func TestDumpsLeadOut(t *testing.T) {
	same := 0
	for _, file := range truths(t) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var of truth
		require.NoError(t, json.Unmarshal(data, &of))
		name := strings.TrimSuffix(filepath.Base(file), ".truth.json")
		s := world(t, strings.Replace(file, ".truth.json", ".dump.yaml", 1), &of)
		dumped := explain.Begin(s.Start, &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{})}, "").All(nil)
		for _, set := range dumped.Sets {
			want := of.Sets[set.Name]
			if want == nil {
				want = of.Sets[set.Namespace+"/"+set.Name]
			}
			if want.End == "stuck" {
				require.NotEmpty(t, set.WaysOut, name)
				require.True(t, set.WaysOut[0].Heals, name)
			}
			require.True(t, safestFirst(set.WaysOut), "%s: %+v", name, set.WaysOut)
			for _, way := range set.WaysOut {
				require.True(t, way.Danger != "" || !dangerous(way.Commands), "%s: %v", name, way.Commands)
				for _, cure := range want.Cures {
					if unshown[name] != "" || !slices.Equal(plainly(cure.Commands), plainly(way.Commands)) {
						continue
					}
					same++
					require.Equal(t, cure.Heals, way.Heals, "%s: %v", name, way.Commands)
					if cure.Heals {
						require.Equal(t, cure.FewestServing, way.Fewest, "%s: %v", name, way.Commands)
					}
				}
			}
		}
	}
	require.Greater(t, same, 25, "the commands that both know")
}
