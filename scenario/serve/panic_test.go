package serve_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// panicking is a response whose header cannot be read the first time.
type panicking struct {
	*httptest.ResponseRecorder
	done bool
}

func (p *panicking) Header() http.Header {
	if !p.done {
		p.done = true
		panic("before anything changes")
	}
	return p.ResponseRecorder.Header()
}

// TestPanicInARequest: it is told with its stack, the client is answered 500, and the session goes on, unless the world was
// changing.
func TestPanicInARequest(t *testing.T) {
	type told struct {
		value any
		whole bool
	}
	var heard []told
	fails := false
	s := begin(t, func(c *serve.Config) {
		c.Panicked = func(value any, stack string, whole bool) {
			require.Contains(t, stack, "panic_test.go")
			heard = append(heard, told{value, whole})
		}
		c.Told = func([]timeline.Event) {
			if fails {
				panic("half way")
			}
		}
	})
	w := &panicking{ResponseRecorder: httptest.NewRecorder()}
	s.ServeHTTP(w, httptest.NewRequest("GET", "/version", nil))
	require.Equal(t, 500, w.Code)
	require.Contains(t, w.Body.String(), "this is a bug in sim: before anything changes")
	require.Equal(t, []told{{"before anything changes", true}}, heard)
	s.must("POST", sets, web)

	fails = true
	code, answer := s.ask("POST", sets, strings.ReplaceAll(web, "web", "db"))
	require.Equal(t, 500, code)
	require.Contains(t, answer["message"], "half way")
	require.Equal(t, told{"half way", false}, heard[1])
}

// TestClockHasAnEnd: a clock that would overflow is refused.
func TestClockHasAnEnd(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", "/sim/clock/advance?by=876000h", "")
	code, answer := s.ask("POST", "/sim/clock/advance?by=1s", "")
	require.Equal(t, 400, code)
	require.Equal(t, "the clock goes no further than a hundred years", answer["message"])
	for _, speed := range []string{"1e-300x", "-1x", "0x", "100001x", "nanx", "infx"} {
		code, _ := s.ask("POST", "/sim/clock/speed?to="+speed, "")
		require.Equal(t, 400, code, speed)
	}
	s.must("POST", "/sim/clock/speed?to=100000x", "")
	s.now = s.now.AddDate(100, 0, 0)
	s.must("POST", sets, web)
}
