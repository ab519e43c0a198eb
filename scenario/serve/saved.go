package serve

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Scenario returns a scenario that plays what a session did: each change of a client is a step at the same instant.
// name is the name of the session's file. Its timeline equals the timeline of the session byte for byte, except for
// the first and the last line, which have the name and the digest of what was played. If the session ended before
// it had settled, the scenario continues. The error is strict.Problems with the line of a request that no step can
// express, or the first event that differs. Objects that the simulated cluster does not act on, such as a
// ConfigMap, need no step.
func Scenario(s *recording.Session, name string, limits strict.Limits, sim string) ([]byte, error) {
	if s.Controllers != "" {
		return nil, strict.Problems{{File: name, Line: 1, Column: 1,
			What: "not all controllers act in this session (--controllers " + s.Controllers + "), and in each scenario they do",
			Want: "replay the session with sim serve --replay"}}
	}
	begin, err := s.Begin(name, limits, sim)
	if err != nil {
		return nil, err
	}
	c := Config{Config: begin.Config}
	c.Epoch, c.Speed, c.Steps, c.Now = s.Epoch, clock.Paused, true, func() time.Time { return s.Epoch }
	server := New(c)
	for _, m := range begin.Manifests {
		if err := server.Load(m.JSON); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Where, err)
		}
	}
	if err := server.Replay(name, s.Requests); err != nil {
		return nil, err
	}
	events := server.End()
	text, err := textOf(s, name, server.cluster.Did, len(c.World.Cluster.Nodes))
	if err != nil {
		return nil, err
	}
	return text, compare(s, name, text, limits, events)
}

// textOf returns the text of the scenario. nodes is how many nodes the session began with.
func textOf(s *recording.Session, name string, all []bridge.Did, nodes int) ([]byte, error) {
	root, err := beginning(s, nodes)
	if err != nil {
		return nil, err
	}
	var steps []map[string]any
	var problems strict.Problems
	for _, d := range all {
		if d.Step == nil {
			problems = append(problems, strict.Problem{File: name, Line: max(1, d.Line), Column: 1,
				What: fmt.Sprintf("no step of a scenario does what this request does: %s", d.Does),
				Want: "replay the session with sim serve --replay"})
			continue
		}
		step := d.Step
		step["at"] = d.At.String()
		if d.Refused != "" {
			step["refused"] = d.Refused
		}
		steps = append(steps, step)
	}
	switch {
	case len(problems) > 0:
		return nil, problems
	case len(steps) == 0 && root["start"] == nil:
		return nil, strict.Problems{{File: name, Line: 1, Column: 1, What: "the session changes nothing that is simulated",
			Want: "record one that does"}}
	}
	root["steps"] = steps
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err = e.Encode(root)
	return b.Bytes(), err
}

// beginning returns the scenario without its steps: what the session began with. The nodes of a cluster that began
// empty are written out, because clients see them: anything that keeps a pod off them counts.
func beginning(s *recording.Session, nodes int) (map[string]any, error) {
	root, sources := map[string]any{}, s.Sources()
	if len(sources) == 1 && scenario.IsScenario(sources[0].Data) {
		if err := yaml.Unmarshal(sources[0].Data, &root); err != nil {
			return nil, err
		}
		delete(root, "expect")
		delete(root, "description")
	} else if slices.ContainsFunc(sources, func(f recording.Source) bool { return scenario.IsDump(f.Data) }) {
		var files []string
		for _, source := range sources {
			files = append(files, filepath.Base(source.Name))
		}
		root["start"] = files
	} else {
		root["nodes"] = nodes
	}
	if s.Kubernetes != "" {
		root["kubernetes"] = s.Kubernetes
	}
	if len(s.Gates) > 0 {
		root["featureGates"] = s.Gates
	}
	if s.Seed != nil {
		root["seed"] = *s.Seed
	}
	return root, nil
}

// compare plays the scenario, and says where it differs from the session.
func compare(s *recording.Session, name string, text []byte, limits strict.Limits, want []timeline.Event) error {
	archive := &txtar.Archive{}
	for _, file := range s.Files {
		archive.Files = append(archive.Files, txtar.File{Name: filepath.Base(file.Name), Data: []byte(file.Text)})
	}
	files, err := txtar.FS(archive)
	if err != nil {
		return s.Wrong(name, fmt.Errorf("the names of its files are no names of files: %w", err))
	}
	played, err := scenario.Parse(name, text, files, scenario.Options{Limits: limits})
	if err != nil {
		return fmt.Errorf("the scenario of the session cannot be played: %w", err)
	}
	got := played.Run(scenario.RunOptions{}).Timeline
	want = want[1 : len(want)-1]
	for i := range want {
		// The first event names what was played.
		session, other := string(timeline.AppendJSON(nil, &want[i])), "nothing"
		if i+1 < len(got)-1 {
			other = string(timeline.AppendJSON(nil, &got[i+1]))
		}
		if session != other {
			return strict.Problems{{File: name, Line: 1, Column: 1,
				What: fmt.Sprintf("no scenario plays this session: where it has %s, a scenario has %s", session, other),
				Want: "replay it with sim serve --replay"}}
		}
	}
	return nil
}
