package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// junitRule is what the schema of Jenkins' xUnit plugin, junit-10.xsd, says of an element: attributes that it must have
// and may have, and the elements in it.
type junitRule struct{ must, may, holds []string }

var junitRules = map[string]junitRule{
	"": {holds: []string{"testsuites", "testsuite"}},
	"testsuites": {
		may: []string{"name", "time", "tests", "failures", "errors"}, holds: []string{"testsuite"},
	},
	"testsuite": {
		must:  []string{"name", "tests", "failures", "errors"},
		may:   []string{"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url", "version"},
		holds: []string{"testsuite", "properties", "testcase", "system-out", "system-err"},
	},
	"properties": {holds: []string{"property"}},
	"property":   {must: []string{"name", "value"}},
	"testcase": {
		must: []string{"name"}, may: []string{"time", "classname", "group"},
		holds: []string{"skipped", "error", "failure", "rerunFailure", "rerunError", "flakyFailure", "flakyError", "system-out",
			"system-err"},
	},
	"failure": {may: []string{"type", "message"}},
	"error":   {may: []string{"type", "message"}},
	// A text without attributes.
	"system-out": {},
}

// TestJUnitSchema holds the report to that schema, which refuses what other readers let pass.
func TestJUnitSchema(t *testing.T) {
	seen := map[string]bool{}
	above := []string{""}
	for d := xml.NewDecoder(bytes.NewReader(goldenOf(t, "tests.junit.xml"))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch of := token.(type) {
		case xml.StartElement:
			name := of.Name.Local
			require.Contains(t, junitRules[above[len(above)-1]].holds, name)
			requireAttributes(t, of)
			seen[name] = true
			above = append(above, name)
		case xml.EndElement:
			above = above[:len(above)-1]
		}
	}
	require.Len(t, seen, len(junitRules)-1, "the sample has every element")
}

func requireAttributes(t *testing.T, of xml.StartElement) {
	rule := junitRules[of.Name.Local]
	var names []string
	for _, attr := range of.Attr {
		names = append(names, attr.Name.Local)
		if attr.Name.Local == "time" {
			require.Regexp(t, `^[0-9]*(\.[0-9]{0,3})?$`, attr.Value)
		}
	}
	for _, name := range names {
		require.True(t, slices.Contains(rule.must, name) || slices.Contains(rule.may, name),
			"%s has no attribute %s", of.Name.Local, name)
	}
	require.Subset(t, names, rule.must, of.Name.Local)
}
