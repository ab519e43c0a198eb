package serve_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOptions: a write with a misspelt option is refused before anything is done, in the words of a real API server
// (1.37.2).
func TestOptions(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, web)
	const merge = "application/merge-patch+json"
	for _, c := range []struct{ method, path, form, says string }{
		{"POST", sets + "?dryRun=Some", "application/json",
			`CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"`},
		{"PUT", sets + "/web?fieldValidation=Loud", "application/json",
			`UpdateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loud": supported values: "", "Ignore", "Strict", "Warn"`},
		{"PATCH", sets + "/web?force=true", merge,
			`PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch`},
		{"PATCH", sets + "/web?fieldManager=" + strings.Repeat("a", 129), merge,
			`PatchOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes`},
	} {
		code, answer := s.ask(c.method, c.path, web, "Content-Type", c.form)
		require.Equal(t, http.StatusUnprocessableEntity, code, "%s %s: %v", c.method, c.path, answer)
		require.Equal(t, c.says, answer["message"])
	}
	require.Equal(t, 3.0, at(t, s.must("GET", sets+"/web", ""), "spec.replicas"))
}

// TestAsked: a parameter is set by every value but 0 and false, as apimachinery reads it. A watch that has no time ends
// at once, and a list is no stream.
func TestAsked(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, web)
	for value, watches := range map[string]bool{"True": true, "0": false, "False": false} {
		_, answer := s.ask("GET", sets+"?watch="+value+"&timeoutSeconds=1", "")
		require.Equal(t, watches, answer["type"] != nil, "watch=%s: %v", value, answer)
	}
}

// TestSeconds: however many seconds a request gives, an instant and they are a later instant. A real API server keeps
// them as an int64, and its timestamp is one of the past from 292 years on.
func TestSeconds(t *testing.T) {
	for _, seconds := range []string{"10000000000", "9223372036854775807", "4611686018427387904"} {
		s := begin(t, nil)
		s.must("POST", sets, strings.Replace(web, `"containers"`, `"terminationGracePeriodSeconds":`+seconds+
			`,"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",
			"tolerationSeconds":`+seconds+`}],"containers"`, 1))
		s.settle()
		s.must("DELETE", pods+"/web-0", "")
		s.must("DELETE", pods+"/web-1?gracePeriodSeconds="+seconds, "")
		for _, name := range []string{"/web-0", "/web-1"} {
			pod := s.must("GET", pods+name, "")
			ends, err := time.Parse(time.RFC3339, at(t, pod, "metadata.deletionTimestamp").(string))
			require.NoError(t, err)
			require.True(t, ends.After(s.now.AddDate(100, 0, 0)), "%s: %s", name, ends)
			require.EqualValues(t, 4611686018, at(t, pod, "metadata.deletionGracePeriodSeconds"), "146 years count as for ever")
		}
		s.must("DELETE", pods+"/web-2?gracePeriodSeconds=-5", "")
		require.EqualValues(t, 1, at(t, s.must("GET", pods+"/web-2", ""), "metadata.deletionGracePeriodSeconds"))
		s.must("POST", "/sim/clock/advance?by=1h", "")
	}
}
