package save

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// First is what a first scenario is made of: a cluster, the manifests that are applied to it, and the StatefulSets that
// are restarted then. Without Start and Apply it is a small example.
type First struct {
	// Kubernetes is the version that is played; "" leaves it to the dump.
	Kubernetes string
	// Probed says that the manifests say when pods are Ready, so the scenario asks their probes.
	Probed bool
	// Start are the dumps that the run begins with: paths from the scenario's folder.
	Start []string
	// Apply are the manifests, in the order in which they are applied, together.
	Apply []Manifest
	// Change are the manifests that are applied when all is at rest after Apply.
	Change []Manifest
	// Restart are the StatefulSets that are restarted, one after the other.
	Restart []model.Key
	// places are where the StatefulSets stand, in the order in which they were read.
	places []place
}

// Manifest is a manifest of a first scenario: a path from the scenario's folder or, out of its reach, its text.
type Manifest struct{ Path, Text string }

// Scenario returns the text of the scenario, without expectations. It is written to be read and changed.
func (f *First) Scenario() []byte {
	var b strings.Builder
	line := func(text, comment string) { fmt.Fprintf(&b, "%-23s # %s\n", text, comment) }
	b.WriteString("# A scenario, written by sim init. Change it as you like.\n")
	if f.Kubernetes != "" {
		line("kubernetes: "+strconv.Quote(f.Kubernetes), "sim versions lists them")
	}
	if len(f.Start) > 0 {
		line("start: "+paths(f.Start), "the state of the cluster at the beginning")
	} else {
		line("kubelet:", "how long a pod takes")
		line("  start: 1s", "bound to a node -> Running")
		if f.Probed {
			line("  probes: true", "Ready as the probes of the manifest say")
			line("  healthy: 2s", "Running -> the application answers its probes")
		} else {
			line("  ready: 2s", "Running -> Ready")
		}
		line("  stop: 2s", "deletion -> gone")
	}
	line("steps:", "each acts when all is at rest; at: 90s or after: 5s beside it says otherwise")
	f.steps(&b)
	b.WriteString("# What the run did, as tests: each item of a list is one instant. A change of the manifest " +
		"that changes what\n# happens to the pods fails here. After one that is wanted, sim test --update records the " +
		"run again.\n")
	return []byte(b.String())
}

// steps writes the steps: the manifests are applied, and then something changes.
func (f *First) steps(b *strings.Builder) {
	if len(f.Start)+len(f.Apply) == 0 {
		b.WriteString("  - create: {name: web, replicas: 3, image: \"app:v1\"}     # or apply: web.yaml, a manifest\n" +
			"  - setImage: {statefulset: web, image: \"app:v2\"}\n")
		return
	}
	apply(b, f.Apply)
	apply(b, f.Change)
	for i, set := range f.Restart {
		// Expectations name the step, so that it may become another change.
		name := "  - "
		if len(f.Restart) == 1 {
			name += "name: change\n    "
		}
		fmt.Fprintf(b, "%srestart: {statefulset: %s}", name, scalar(set.Name))
		if i == 0 {
			fmt.Fprintf(b, "   # or another change, like setImage: {statefulset: %s, image: \"app:v2\"}", scalar(set.Name))
		}
		b.WriteString("\n")
		if set.Namespace != "" && set.Namespace != "default" {
			fmt.Fprintf(b, "    namespace: %s\n", scalar(set.Namespace))
		}
	}
}

// apply writes a step that applies manifests, nothing if there are none.
func apply(b *strings.Builder, manifests []Manifest) {
	if slices.ContainsFunc(manifests, func(m Manifest) bool { return m.Text != "" }) {
		b.WriteString("  # This is a copy: the test does not see what changes in the manifest later.\n")
	}
	if len(manifests) == 1 {
		fmt.Fprintf(b, "  - apply: %s\n", manifests[0].value("      "))
	} else if len(manifests) > 1 {
		b.WriteString("  - apply:\n")
		for _, m := range manifests {
			fmt.Fprintf(b, "      - %s\n", m.value("        "))
		}
	}
}

// paths returns one path, or a flow list of several.
func paths(list []string) string {
	var words []string
	for _, path := range list {
		words = append(words, scalar(filepath.ToSlash(path)))
	}
	if len(words) == 1 {
		return words[0]
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// value returns the manifest as a value: its path, or its text as a block whose lines have the indent. A text always
// ends with a line break, which is what makes it a text.
func (m Manifest) value(indent string) string {
	if m.Text == "" {
		return scalar(filepath.ToSlash(m.Path))
	}
	text := strings.ReplaceAll(strings.TrimPrefix(m.Text, "\ufeff"), "\r\n", "\n")
	text = strings.TrimLeft(strings.TrimRight(text, " \t\n"), "\n")
	header := "|"
	if strings.HasPrefix(text, " ") {
		// The indent of a block is that of its first line, unless the header says how deep it is below the key.
		header += strconv.Itoa(2)
	}
	return header + "\n" + indent + strings.ReplaceAll(text, "\n", "\n"+indent)
}
