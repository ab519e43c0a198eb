package symptom_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// ages are those of a pod at which it is looked at.
var ages = []time.Duration{4 * time.Second, time.Minute, time.Hour}

// TestFamilies: the archive of each family has what a cluster says of the only pod of a set and, below the dashes, what
// is said of the set when the pod is 4 s, a minute and an hour old, and what is offered then.
func TestFamilies(t *testing.T) {
	families, err := filepath.Glob("*.txtar")
	require.NoError(t, err)
	for _, family := range families {
		archive := goldenfile.Read(t, family)
		for i := range archive.Files {
			file := &archive.Files[i]
			input, _, found := strings.Cut(string(file.Data), "----\n")
			require.True(t, found, file.Name)
			file.Data = []byte(input + "----\n" + told(t, input))
		}
		goldenfile.Equal(t, family, txtar.Format(archive))
	}
}

// told is what is said of the set of the words.
func told(t *testing.T, input string) string {
	var said struct {
		By, Reason, Message string
		With                map[string]map[string]any
	}
	require.NoError(t, yaml.Unmarshal([]byte(input), &said))
	var text strings.Builder
	p := planted{by: said.By, reason: said.Reason, message: said.Message, with: said.With}
	for _, p.age = range ages {
		fmt.Fprintf(&text, "%s: %s\n", p.age, verdict(p.judged(t)))
	}
	d, lab := p.read(t)
	set := explain.Begin(d, lab, "").All(nil).Sets[0]
	for _, fact := range set.Facts {
		if said.Message == "" || !strings.Contains(fact, said.Message) {
			fmt.Fprintf(&text, "says: %s\n", fact)
		}
	}
	for _, way := range set.WaysOut[:min(len(set.WaysOut), 2)] {
		fmt.Fprintf(&text, "fix: %s, if %s\n", way.What, cmp.Or(way.Needs, "nothing"))
	}
	return text.String()
}

// verdict is what is said of a set, in a line.
func verdict(set *judge.Set) string {
	how := ""
	if set.Certain {
		how = ", certainly"
	}
	causes := make([]string, 0, len(set.Causes))
	for _, c := range set.Causes {
		causes = append(causes, c.Name+": "+c.Sentence)
	}
	return fmt.Sprintf("%s%s: %s", set.State, how, strings.Join(causes, "; "))
}
