package strict_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// large returns an object of a kind with a spec of so many fields.
func large(version, kind string, fields int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: %s\nkind: %s\nmetadata:\n  name: big\nspec:\n  fields:\n", version, kind)
	for i := range fields {
		fmt.Fprintf(&b, "    f%d:\n      description: |-\n        This: is\n\n        long\n", i)
	}
	return b.String()
}

// values counts the nodes of a tree.
func values(n *yaml.Node) int {
	sum := 1
	for _, child := range n.Content {
		sum += values(child)
	}
	return sum
}

// TestSkim: of a large object that nobody reads only its identity is parsed, and what follows it is where it was.
func TestSkim(t *testing.T) {
	const set = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: web\n"
	crd := large("apiextensions.k8s.io/v1", "CustomResourceDefinition", 2000)
	changed := strings.Replace(crd, "f7:", "other:", 1)
	item := "- " + strings.ReplaceAll(strings.TrimSuffix(crd, "\n"), "\n", "\n  ") + "\n"
	for name, text := range map[string]string{
		"documents": "# first\n---\n" + crd + "---\n" + set,
		"a list":    "apiVersion: v1\nitems:\n" + item + "- " + strings.ReplaceAll(set, "\n", "\n  ") + "\nkind: List\n",
	} {
		t.Run(name, func(t *testing.T) {
			stream := strict.ParseStream("f", []byte(text), strict.Limits{})
			require.NoError(t, stream.Problems.Err())
			objects := stream.Docs
			if strings.Contains(name, "list") {
				require.Len(t, objects, 1)
				objects = objects[0].Content[3].Content
			}
			require.Len(t, objects, 2)
			require.Less(t, values(objects[0]), 12)
			require.Equal(t, "big", objects[0].Content[5].Content[1].Value)
			at := bytes.Index([]byte(text), []byte("StatefulSet"))
			kind := objects[1].Content[3]
			require.Equal(t, 1+strings.Count(text[:at], "\n"), kind.Line)
			require.Equal(t, at-strings.LastIndex(text[:at], "\n"), kind.Column)

			other := strict.ParseStream("f", []byte(strings.Replace(text, "f7", "g7", 1)), strict.Limits{})
			require.NotEqual(t, fmt.Sprint(strict.Value(stream.Docs[0])), fmt.Sprint(strict.Value(other.Docs[0])))
		})
	}
	require.NotEqual(t, crd, changed)
}

// TestSkimKeeps: an object that counts stays whole, and so does one that is not written as kubectl writes it.
func TestSkimKeeps(t *testing.T) {
	crd := large("apiextensions.k8s.io/v1", "CustomResourceDefinition", 2000)
	config := large("v1", "ConfigMap", 2000)
	policy := large("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", 2000)
	scaler := large("keda.sh/v1alpha1", "ScaledObject", 2000)
	custom := large("example.com/v1", "Web", 2000)
	joined := crd + "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\n"
	for name, text := range map[string]string{
		"a ConfigMap": config, "a policy": policy, "an autoscaler": scaler + "  scaleTargetRef: {name: web}\n",
		"an alias":       strings.Replace(crd, "name: big", "name: &name big", 1),
		"--- is missing": joined, "indented": "  " + strings.ReplaceAll(crd, "\n", "\n  "),
	} {
		stream := strict.ParseStream("f", []byte(text), strict.Limits{})
		require.NoError(t, stream.Problems.Err(), name)
		require.Greater(t, values(stream.Docs[0]), 2000, name)
		require.Equal(t, name == "--- is missing", len(stream.Joined) == 1, name)
	}
	stream := strict.ParseStream("f", []byte(custom), strict.Limits{})
	require.Less(t, values(stream.Docs[0]), 12)
}
