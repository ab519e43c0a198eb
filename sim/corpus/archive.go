package corpus

import (
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
