package serve_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
)

// TestNodeSelector: an empty cluster has three nodes, and a pod that selects one of them comes there.
func TestNodeSelector(t *testing.T) {
	b, err := serve.Read(nil, scenario.Options{}, "test")
	require.NoError(t, err)
	b.Config.Now = func() time.Time { return b.Config.Epoch }
	s := &session{t: t, Server: serve.New(b.Config)}
	s.Start()
	s.must("POST", sets, strings.Replace(web, `"containers"`,
		`"nodeSelector":{"kubernetes.io/hostname":"node-3"},"containers"`, 1))
	s.settle()
	for _, pod := range s.must("GET", pods, "")["items"].([]any) {
		require.Equal(t, "node-3", at(t, pod, "spec.nodeName"))
	}
}
