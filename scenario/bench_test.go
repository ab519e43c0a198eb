package scenario_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// judged are conditions that each row is judged by, one more than the row before: what a condition costs is the
// difference. A condition over the pods is to cost no more than the run that it judges.
var judged = []struct{ name, condition string }{
	{"none", ""},
	{"status", "status.updatedReplicas <= spec.replicas"},
	{"all", "pods.all(p, p.ordinal >= 0)"},
	{"filter", "pods.filter(p, p.ready).size() <= spec.replicas"},
	{"loops", "pods.all(p, p.terminating || pods.exists(q, q.ordinal == p.ordinal))"},
}

// BenchmarkConditions plays rollouts and judges them by `always` conditions: a part of `make bench`.
func BenchmarkConditions(b *testing.B) {
	for _, j := range judged {
		for _, replicas := range []int{100, 1_000} {
			if j.name == "loops" && replicas > 100 {
				continue
			}
			b.Run(fmt.Sprintf("%s/replicas=%d", j.name, replicas), func(b *testing.B) {
				text := fmt.Sprintf("kubelet: {start: 1s, ready: 2s, stop: 2s}\nsteps:\n"+
					"  - create: {name: web, replicas: %d, image: app:v1}\n  - setImage: {image: app:v2}\n", replicas)
				if j.condition != "" {
					text += fmt.Sprintf("expect:\n  - always: %q\n", j.condition)
				}
				s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
				require.NoError(b, err)
				b.ReportAllocs()
				events := 0
				for b.Loop() {
					outcome := s.Run(scenario.RunOptions{})
					events = len(outcome.Timeline)
					for i := range outcome.Verdicts {
						require.Equal(b, expect.Held, outcome.Verdicts[i].Outcome, outcome.Verdicts[i].Detail)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
			})
		}
	}
}

// BenchmarkTimeline writes the timeline of a rollout as JSON lines, and reads it.
func BenchmarkTimeline(b *testing.B) {
	s, err := scenario.Parse("s.yaml", []byte("kubelet: {start: 1s, ready: 2s, stop: 2s}\nsteps:\n"+
		"  - create: {name: web, replicas: 1000, image: app:v1}\n  - setImage: {image: app:v2}\n"), nil, scenario.Options{})
	require.NoError(b, err)
	events := s.Run(scenario.RunOptions{}).Timeline
	var text []byte
	for i := range events {
		text = append(timeline.AppendJSON(text, &events[i]), '\n')
	}
	each := func(name string, call func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				call()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
		})
	}
	each("write", func() {
		line := make([]byte, 0, 1024)
		for i := range events {
			line = timeline.AppendJSON(line[:0], &events[i])
		}
	})
	each("read", func() {
		read, err := timeline.Read(bytes.NewReader(text))
		require.NoError(b, err)
		require.Len(b, read, len(events))
	})
}
