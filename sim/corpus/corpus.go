// Package corpus has what the tests of this module and those of the module sim/conformance, which have Kubernetes'
// own code, play alike: recorded cases with what is known of them, a grid of sets, and mistakes in pod templates. Only
// tests import it.
package corpus

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// Known is a scenario with what happens in it: its text, and the truth, as Truth prints it.
type Known struct {
	Name            string
	Scenario, Truth []byte
}

// ParseArchive reads the scenarios and their truths out of a txtar archive, in which each NAME.truth follows its
// NAME.yaml. An archive in which one of the two is missing, or is there twice, is refused: a lost case must not go
// unnoticed.
func ParseArchive(data []byte) ([]Known, error) {
	archive := txtar.Parse(data)
	if len(archive.Files)%2 != 0 {
		return nil, fmt.Errorf("the archive has %d files: each NAME.yaml has one NAME.truth after it", len(archive.Files))
	}
	var cases []Known
	seen := map[string]bool{}
	for pair := range slices.Chunk(archive.Files, 2) {
		name, isYAML := strings.CutSuffix(pair[0].Name, ".yaml")
		if !isYAML || pair[1].Name != name+".truth" {
			return nil, fmt.Errorf("%s comes before %s: each NAME.yaml has one NAME.truth after it", pair[0].Name, pair[1].Name)
		}
		if seen[name] {
			return nil, fmt.Errorf("%s is there twice", name)
		}
		seen[name] = true
		cases = append(cases, Known{name, pair[0].Data, pair[1].Data})
	}
	return cases, nil
}

// FormatArchive returns the archive of some cases, in their order, for ParseArchive. The comment says what they are.
func FormatArchive(comment string, cases []Known) []byte {
	archive := &txtar.Archive{Comment: []byte(comment)}
	for _, c := range cases {
		archive.Files = append(archive.Files, txtar.File{Name: c.Name + ".yaml", Data: c.Scenario},
			txtar.File{Name: c.Name + ".truth", Data: c.Truth})
	}
	return txtar.Format(archive)
}

// The grid: policies, strategies, minReadySeconds, ordinals and claims.
var (
	policies   = []string{"OrderedReady", "Parallel"}
	strategies = []string{
		"", "{type: RollingUpdate}", "{rollingUpdate: {partition: 0}}", "{rollingUpdate: {partition: 1}}",
		"{rollingUpdate: {maxUnavailable: 2}}", `{rollingUpdate: {maxUnavailable: "50%"}}`, "{type: OnDelete}",
	}
)

// claimTemplate is the one of the sets that have claims.
const claimTemplate = "{metadata: {name: data}, " +
	"spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}"

// Grid returns sets of every combination of podManagementPolicy, updateStrategy, minReadySeconds, spec.ordinals and
// claims: each as scenario whose steps create it and change its image.
func Grid() []string {
	var grid []string
	for _, policy := range policies {
		for _, strategy := range strategies {
			for _, minReady := range []int{0, 5} {
				for _, start := range []int{0, 2} {
					for _, claims := range []bool{false, true} {
						grid = append(grid, "steps:\n  - create: "+gridSet(policy, strategy, minReady, start, claims)+
							"\n  - setImage: {image: \"app:v2\"}\n")
					}
				}
			}
		}
	}
	return grid
}

func gridSet(policy, strategy string, minReady, start int, claims bool) string {
	fields := []string{`name: web, replicas: 3, image: "app:v1"`, "podManagementPolicy: " + policy}
	if strategy != "" {
		fields = append(fields, "updateStrategy: "+strategy)
	}
	if minReady > 0 {
		fields = append(fields, fmt.Sprintf("minReadySeconds: %d", minReady))
	}
	if start > 0 {
		fields = append(fields, fmt.Sprintf("ordinals: {start: %d}", start))
	}
	if claims {
		fields = append(fields, "persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}",
			"volumeClaimTemplates: ["+claimTemplate+"]")
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

//go:embed mistakes.jsonl
var mistakes []byte

// Mistakes are what people get wrong in the spec of a pod template, one a line of mistakes.jsonl.
var Mistakes = parse(mistakes)

func parse(lines []byte) (list []Mistake) {
	for line := range bytes.Lines(lines) {
		var of map[string]json.RawMessage
		must(0, json.Unmarshal(line, &of))
		list = append(list, Mistake{string(of["container"]), string(of["volumes"]), string(of["spec"])})
	}
	return list
}

// Mistake is one mistake: a JSON merge patch of a container that is right, of the volumes, or of the rest of the spec.
type Mistake struct{ Container, Volumes, Spec string }

// PodSpec returns the spec of a pod template with the mistakes in it, those in the spec as a whole last.
func PodSpec(mistakes ...Mistake) json.RawMessage {
	container := map[string]any{"name": "app", "image": "app:v1"}
	volumes := []any{map[string]any{"name": "v", "emptyDir": map[string]any{}}}
	spec := map[string]any{}
	for _, m := range mistakes {
		if m.Container != "" {
			must(0, json.Unmarshal([]byte(m.Container), &container))
		}
		if m.Volumes != "" {
			var more []any
			must(0, json.Unmarshal([]byte(m.Volumes), &more))
			volumes = append(volumes, more...)
		}
	}
	spec["containers"], spec["volumes"] = []any{container}, volumes
	for _, m := range mistakes {
		if m.Spec != "" {
			must(0, json.Unmarshal([]byte(m.Spec), &spec))
		}
	}
	return must(json.Marshal(spec))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
