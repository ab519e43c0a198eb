package serve_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLargeApply: what is applied at the limit is merged in a time that grows with it, and not with its square.
func TestLargeApply(t *testing.T) {
	env := func(n int) string {
		return strings.Replace(web, `"image":"app:v1"`, `"image":"app:v1","env":[`+strings.Join(numbered(`{"name":"e%d"}`, n), ",")+`]`, 1)
	}
	s := begin(t, nil)
	const form = "application/apply-patch+yaml"
	apply := func(n int) time.Duration {
		began := time.Now()
		code, answer := s.ask("PATCH", sets+"/web?fieldManager=me&force=true", env(n), "Content-Type", form)
		require.Less(t, code, 300, "%.300v", answer)
		return time.Since(began)
	}
	apply(3_000)
	small := min(apply(3_001), apply(3_002))
	apply(24_000)
	large := min(apply(24_001), apply(24_002))
	require.Less(t, large, 25*small, "eight times the values cost about eight times as much: %s and %s", small, large)
	t.Log(small, large)
}

// TestApplyIsMergedAhead: an object that was changed while a configuration was merged is merged again, and the time of
// the managers is that of the write.
func TestApplyIsMergedAhead(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", configs, `{"metadata":{"name":"a"}}`)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			s.ask("PATCH", fmt.Sprintf("%s/a?fieldManager=m%d", configs, i), fmt.Sprintf(
				`{"apiVersion":"v1","kind":"ConfigMap","data":{"k%d":"v"}}`, i), "Content-Type", "application/apply-patch+yaml")
		})
	}
	all.Wait()
	a := s.must("GET", configs+"/a", "")
	require.Len(t, at(t, a, "data"), 20)
	for _, manager := range at(t, a, "metadata.managedFields").([]any) {
		require.Equal(t, at(t, a, "metadata.creationTimestamp"), at(t, manager, "time"))
	}
}
