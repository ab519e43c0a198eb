// Package strict decodes YAML strictly and with positions: a file is parsed to the nodes of yaml.v3 within limits, and
// the nodes are read by a Reader that collects every problem instead of stopping at the first.
//
// The usual way of using it:
//
//	docs, problems := strict.Parse(file, data, strict.DefaultLimits())
//	r := &strict.Reader{File: file, Limits: limits, Problems: problems}
//	m := r.Map(docs[0], "the scenario", "name", "steps")
//	name := m.String("name")
//	for _, step := range m.List("steps") { ... }
//	return r.Err()
//
// All getters of a Map may be called on a nil Map and for absent keys: they return the zero value then. A value that
// is there and wrong is a problem, and its getter returns the zero value too.
//
// Files may come from strangers. No input makes the package panic, run for long or take much memory: sizes, nesting
// and aliases are measured before anything is written out, and messages quote a bounded part of the file, on one line.
//
// Packages scenario, manifest, expect, dump, plan, upgrade, explore and save read their files with it. It knows YAML
// and nothing of Kubernetes, but for what people most often confuse with a scenario: what kubectl and Helm print.
package strict
