package symptom

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// asking are the packages that ask the tables. None of them has words of a kubelet, a scheduler, a CSI driver or an
// admission plug-in: whoever adds one has to find only the table.
var asking = []string{"../dump", "../judge", "../heal", "../explain", "../follow", "../../change/plan", "../../change/upgrade"}

// ours are words of components that may stand outside the tables, each with the reason. All of them are needed.
var ours = map[string]string{
	"is being deleted":     "plain English; the API server says it of namespaces",
	"does not exist":       "plain English; registries and drivers say it of images and volumes",
	"is not a":             "plain English, in problems of what was read",
	"the default":          "plain English, of storage classes and schedulers",
	"did not complete":     "plain English, of runs",
	"does not have":        "plain English, of what an object lacks",
	"init container":       "a term of Kubernetes, in every message about such containers",
	" is invalid: ":        "the simulated API server begins its refusals with it, as the real one does",
	"ersistentVolumeClaim": "a kind of the API",
	"ReadWriteOncePod":     "an access mode of the API, which specs have",
	"node.kubernetes.io/":  "the beginning of keys of the API, which nodes have",
	"most likely: ":        "it begins guesses of our own",
	"CrashLoopBackOff":     "a played pod shows it, and it is written there, not read",
	"ImagePullBackOff":     "a played pod shows it, and it is written there, not read",
}

// TestWordsAreInTheTables: no text of the packages that ask is a reason of a row, or has words of the catalogue.
func TestWordsAreInTheTables(t *testing.T) {
	reasons, parts := map[string]bool{}, map[string]bool{}
	for _, d := range documented {
		for i := range d.family {
			for _, reason := range d.family[i].Reasons {
				reasons[reason] = true
			}
		}
	}
	data, err := os.ReadFile("testdata/catalogue.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		format, err := strconv.Unquote(fields[3])
		require.NoError(t, err)
		if strings.HasSuffix(fields[0], "reasons") {
			reasons[format] = true
		}
		for _, part := range verb.Split(format, -1) {
			if part = strings.Trim(part, " :.,()'\"[]{}"); strings.Count(part, " ") >= 2 {
				parts[part] = true
			}
		}
	}
	var found []string
	needed := map[string]bool{}
	for _, dir := range asking {
		require.NoError(t, filepath.WalkDir(dir, func(file string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			for _, text := range textsOf(t, file) {
				why := ""
				if reasons[strings.Trim(text, ": ")] {
					why = "a reason"
				}
				for _, d := range documented {
					for i := range d.family {
						if r := &d.family[i]; r.Words != nil && r.Words().String() != "" && r.Words().MatchString(text) {
							why = "row " + r.Name
						}
					}
				}
				for part := range parts {
					if strings.Contains(text, part) || len(text) > 11 && strings.Contains(text, " ") && strings.Contains(part, strings.TrimSpace(text)) {
						why = part
					}
				}
				known := false
				for word := range ours {
					if why != "" && strings.Contains(text, word) {
						known, needed[word] = true, true
					}
				}
				if why != "" && !known {
					found = append(found, file+": "+strconv.Quote(text)+" has the words of a component: "+why)
				}
			}
			return nil
		}))
	}
	slices.Sort(found)
	require.Empty(t, slices.Compact(found), "such words belong into a table of this package")
	for word, reason := range ours {
		require.True(t, needed[word], "%q need not be allowed any more (%s)", word, reason)
	}
}

var verb = regexp.MustCompile(`%[-+#0-9.\[\]]*[a-zA-Z]`)

// textsOf returns the texts of a file, but for its imports and tags.
func textsOf(t *testing.T, file string) (texts []string) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field:
			return false
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				texts = append(texts, text)
			}
		}
		return true
	})
	return texts
}
