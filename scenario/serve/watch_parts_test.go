package serve_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// parts is an answer that keeps what is written at once, and ends the watch once it has seen all.
type parts struct {
	*httptest.ResponseRecorder
	sizes []int
	left  int
	end   func()
}

// Write keeps a part.
func (p *parts) Write(data []byte) (int, error) {
	if p.left -= strings.Count(string(data), `"type":"ADDED"`); p.left <= 0 {
		p.end()
	}
	p.sizes = append(p.sizes, len(data))
	return p.ResponseRecorder.Write(data)
}

// TestWatchInParts: however much a watch has to be sent, it is made ready in parts, so that one that reads nothing holds
// little. What it is sent is whole, at its beginning and when much has changed.
func TestWatchInParts(t *testing.T) {
	for _, query := range []string{"", "&resourceVersion=VERSION"} {
		s := begin(t, nil)
		version := fmt.Sprint(at(t, s.must("GET", configs, ""), "metadata.resourceVersion"))
		const n, size = 20, 100_000
		for i := range n {
			s.must("POST", configs, fmt.Sprintf(`{"metadata":{"name":"big-%02d"},"data":{"a":"%s"}}`, i, strings.Repeat("x", size)))
		}
		ctx, end := context.WithCancel(t.Context())
		w := &parts{ResponseRecorder: httptest.NewRecorder(), left: n, end: end}
		path := configs + "?watch=1&fieldSelector=metadata.name!%3Dkube-root-ca.crt" + strings.ReplaceAll(query, "VERSION", version)
		s.ServeHTTP(w, httptest.NewRequest("GET", path, nil).WithContext(ctx))
		for i := range n {
			require.Equal(t, 1, strings.Count(w.Body.String(), fmt.Sprintf(`"name":"big-%02d"`, i)))
		}
		for _, one := range w.sizes {
			require.Less(t, one, 4*size)
		}
	}
}
