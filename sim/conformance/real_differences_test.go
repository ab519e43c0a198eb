//go:build real

package conformance_test

import (
	"encoding/json"
	"os"
	"testing"
	"testing/synctest"

	"github.com/statefulsim/statefulsim/sim/conformance"
)

// TestPlayed plays the cases of the file $CONFORMANCE_CASES, one a line, with the real code, and writes what it did to
// $CONFORMANCE_PLAYED, a text of JSON for each line. The world around it is that of the version that a case names, so
// that two versions of the real code can be compared in one world. .ci/tasks/differences does that.
func TestPlayed(t *testing.T) {
	cases, played := os.Getenv("CONFORMANCE_CASES"), os.Getenv("CONFORMANCE_PLAYED")
	if cases == "" {
		t.Skip("for .ci/tasks/differences")
	}
	out, err := os.Create(played)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p := player{version: tested(t)}
	synctest.Test(t, func(t *testing.T) {
		real := New(p.version)
		known, err := conformance.ParseCases(read(t, cases))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range known {
			events, err := p.play(real, c)
			text := ""
			if err != nil {
				text = "error: " + err.Error()
			} else {
				text = conformance.Record(events)
			}
			if err := json.NewEncoder(out).Encode(text); err != nil {
				t.Fatal(err)
			}
		}
	})
}
