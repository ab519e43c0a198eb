package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Golden is a state and what Kubernetes' own control code does in it, recorded so that the main module can hold the
// simulator against it without that code.
type Golden struct {
	// Difference is the one that can be seen here: with it flipped the profile does something else. It is "" for a
	// state in which the simulator was once wrong.
	Difference string
	// Shows is the name of the feature that it is recorded for, or "".
	Shows  string
	State  *State
	Calls  []string
	Events []string
	Failed bool
	// Requeue is the delay of the sync that it asks for, or never.
	Requeue string
}

// NewGolden records what the real code did.
func NewGolden(difference, shows string, state *State, real *Outcome) *Golden {
	return &Golden{
		difference, shows, state, textsOf(real.Calls), textsOf(real.Events), real.Err != nil, real.Requeue,
	}
}

func textsOf(lines []Line) []string {
	texts := make([]string, len(lines))
	for i := range lines {
		texts[i] = lines[i].Text
	}
	return texts
}

// ReadGoldens reads a file of goldens, one a line.
func ReadGoldens(data []byte) ([]*Golden, error) {
	var goldens []*Golden
	for n, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		g := &Golden{}
		if err := json.Unmarshal(line, g); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		goldens = append(goldens, g)
	}
	return goldens, nil
}

// String renders the golden as a line, without what is zero, empty or null.
func (g *Golden) String() string {
	return string(must(json.Marshal(pruned(must(jsonOf(g)))))) + "\n"
}

func jsonOf(value any) (object any, err error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err = decoder.Decode(&object)
	return object, err
}

// pruned leaves out the fields of objects that say nothing: when they are read they are so again. Maps are kept as
// they are.
func pruned(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			field := v[key]
			if isMap := key == "Gates" || key == "Labels" || key == "Annotations"; isMap && field != nil {
				continue
			}
			if field = pruned(field); field == nil || field == false || field == "" || field == json.Number("0") {
				delete(v, key)
				continue
			}
			v[key] = field
		}
	case []any:
		if len(v) == 0 {
			return nil
		}
		for i := range v {
			v[i] = pruned(v[i])
		}
	}
	return value
}

// Check says how a profile's controller differs from what was recorded, or "" if it does not.
func (g *Golden) Check(p statefulset.Profile) string {
	real := &Outcome{Calls: linesOf(g.Calls), Events: linesOf(g.Events), Requeue: g.Requeue}
	if g.Failed {
		real.Err = &model.APIError{Message: "the real code failed"}
	}
	return Compare(g.State.Sync(statefulset.New(p)), real)
}

func linesOf(texts []string) []Line {
	lines := make([]Line, len(texts))
	for i := range texts {
		lines[i].Text = texts[i]
	}
	return lines
}
