package reasons_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// TestReasonsPage writes the tables of the reasons and the rules in docs/timeline.md: what a code means is what its
// comment in package model says, and what ends a wait is what a run says of it.
func TestReasonsPage(t *testing.T) {
	const page, heading = "../../../docs/timeline.md", "\n## Reasons and rules\n"
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	before, _, found := strings.Cut(string(data), heading)
	require.True(t, found, "the page has no section for the reasons")

	meanings := comments(t, "../../../model/why.go")
	var text strings.Builder
	text.WriteString("\nThe key `reason` of an expectation has one of these codes, " +
		"and so has the field `reason` of most events.\n" +
		"The last column is empty if the reason is that of an action, and not of a wait.\n" +
		"\n| reason | meaning | what ends it |\n|:--|:--|:--|\n")
	for _, code := range model.Codes {
		object := "the pod"
		if code == model.ClaimTerminating || code == model.StaleClaim {
			object = "NAME"
		}
		why := model.Why{Code: code, Object: object, Have: 2, Want: 2}
		ends, isWait := strings.CutPrefix(reasons.Release(why, reasons.World{}), "ends ")
		if !isWait {
			ends = ""
		}
		require.Contains(t, meanings, string(code))
		fmt.Fprintf(&text, "| `%s` | %s | %s |\n", code, meanings[string(code)], ends)
	}
	text.WriteString("\nThe field `rule` names the rule of Kubernetes that decides.\n\n| rule | meaning |\n|:--|:--|\n")
	for _, rule := range rules {
		require.Contains(t, meanings, string(rule))
		fmt.Fprintf(&text, "| `%s` | %s |\n", rule, meanings[string(rule)])
	}
	goldenfile.Equal(t, page, before+heading+text.String())
}

var rules = []model.Rule{
	model.RuleOrderedReplicas, model.RuleOrderedScaleDown, model.RuleFirstUnavailable, model.RuleRollingUpdate,
	model.RuleMaxUnavailable, model.RuleBrokenFirst, model.RulePartition, model.RuleOnDelete, model.RuleRecreate,
	model.RuleParallel, model.RuleHistoryLimit, model.RuleDisruptionBudget, model.RuleOneName,
	model.RuleForegroundDeletion, model.RuleClaimOfPod,
}

// comments returns what the comments of a file say of its constants that are texts, by their values. A comment begins
// with the name of its constant.
func comments(t *testing.T, file string) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	require.NoError(t, err)
	meanings := map[string]string{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, is := n.(*ast.ValueSpec)
		if !is || len(spec.Values) != 1 {
			return true
		}
		meaning, said := strings.CutPrefix(spec.Doc.Text(), spec.Names[0].Name+": ")
		if value, is := spec.Values[0].(*ast.BasicLit); is && said {
			text, err := strconv.Unquote(value.Value)
			require.NoError(t, err)
			meanings[text] = strings.TrimSuffix(strings.Join(strings.Fields(meaning), " "), ".")
		}
		return true
	})
	return meanings
}
