package serve_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestSavedOfStrangers: of the sessions of an attacker nearly all become scenarios that play to the same timeline, which
// Scenario itself compares. For the others the error names the line of what no step does.
func TestSavedOfStrangers(t *testing.T) {
	sessions := 800
	if testing.Short() {
		sessions = 80
	}
	saved, why := 0, map[string]int{}
	for seed := range uint64(sessions) {
		_, err := serve.Scenario(sessionOf(t, seed+1), "session.jsonl", strict.DefaultLimits(), "test")
		if err == nil {
			saved++
			continue
		}
		kind := regexp.MustCompile(`[0-9]+`).ReplaceAllString(fmt.Sprintf("%.150s", err), "N")
		if why[kind]++; why[kind] == 1 {
			t.Logf("seed %d: %.600s", seed+1, err)
		}
	}
	for kind, n := range why {
		t.Logf("%d: %s", n, kind)
	}
	require.GreaterOrEqual(t, saved, sessions*780/800)
}

// sessionOf returns the session of an attacker with a seed, who begins with a set: one that changes nothing is no scenario.
func sessionOf(t *testing.T, seed uint64) *recording.Session {
	b, err := recording.Read(nil, scenario.Options{Kubernetes: "1.37"}, "test")
	require.NoError(t, err)
	s := begin(t, func(c *serve.Config) { c.World = b.Config.World })
	a := &attacker{Rand: rand.New(rand.NewPCG(seed, 48)), s: s, alone: true}
	s.must("POST", sets, web)
	for range 20 + a.IntN(60) {
		a.attack()
	}
	s.End()
	return &recording.Session{Header: recording.Header{Format: 1, Kubernetes: "1.37", Epoch: b.Config.Epoch}, Requests: s.recorded}
}
