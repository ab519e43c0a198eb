package plan

import (
	"encoding/json"
	"io"
)

// FormatVersion is the version of a plan as JSON.
const FormatVersion = 1

// JSON writes the plan as one document.
func JSON(w io.Writer, plan *Plan) error {
	sets := plan.Sets
	if sets == nil {
		sets = []*Set{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		FormatVersion int      `json:"formatVersion"`
		Kubernetes    []string `json:"kubernetes"`
		Held          bool     `json:"held"`
		Settles       bool     `json:"settles"`
		Interrupted   bool     `json:"interrupted,omitempty"`
		Sets          []*Set   `json:"sets"`
		Unchanged     []string `json:"unchanged,omitempty"`
		Missing       []string `json:"missing,omitempty"`
		Ignored       []string `json:"ignored,omitempty"`
		Notes         []string `json:"notes,omitempty"`
		NotModelled   string   `json:"notModelled"`
	}{
		FormatVersion, plan.Versions, plan.Held(), plan.Settles(), plan.Interrupted, sets,
		plan.Unchanged, plan.Missing, plan.Ignored, plan.Notes, notModelled,
	})
}
