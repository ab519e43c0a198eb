package report

import (
	"encoding/json"
	"io"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// testJSON is a Test for programs. docs/json.md has the fields.
type testJSON struct {
	File       string      `json:"file"`
	Name       string      `json:"name,omitempty"`
	Kubernetes string      `json:"kubernetes,omitempty"`
	Seed       uint64      `json:"seed"`
	Passed     bool        `json:"passed"`
	Verdict    string      `json:"verdict,omitempty"`
	End        jsonSeconds `json:"end"`
	// Held, Failed and Skipped count the expectations.
	Held    int `json:"held"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
	// Problem, Complaint, Failures and Repeat describe a failed test.
	Problem   string            `json:"problem,omitempty"`
	Complaint string            `json:"complaint,omitempty"`
	Failures  []expectationJSON `json:"failures,omitempty"`
	Repeat    string            `json:"repeat,omitempty"`
	Warnings  []string          `json:"warnings,omitempty"`
}

// document returns the test as programs read it.
func (t *Test) document() *testJSON {
	as := &testJSON{
		File: t.File, Name: t.Name, Kubernetes: model.VersionTitle(t.Kubernetes, t.PreRelease), Seed: t.Seed,
		Passed: t.Passed, Verdict: string(t.Verdict), End: jsonSeconds(t.End), Problem: t.Problem, Warnings: t.Warnings,
		Held: t.Expectations[Held], Failed: t.Expectations[Failed], Skipped: t.Expectations[Skipped],
	}
	if t.Run != nil {
		as.Complaint, as.Repeat = t.Run.Complaint, t.Run.Repeat
		for _, e := range expectationsJSON(t.Run.Expectations) {
			if e.Verdict == Failed.String() {
				as.Failures = append(as.Failures, e)
			}
		}
	}
	return as
}

// TestJSON writes a test as a line of JSON.
func TestJSON(w io.Writer, t *Test) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(t.document())
}

// TestsJSON writes a test run as one document. Skipped is the number of scenarios that were not asked for.
func TestsJSON(w io.Writer, tests []Test, skipped int) error {
	all := struct {
		Passed  int         `json:"passed"`
		Failed  int         `json:"failed"`
		Skipped int         `json:"skipped"`
		Tests   []*testJSON `json:"tests"`
	}{Skipped: skipped, Tests: []*testJSON{}}
	for i := range tests {
		all.Tests = append(all.Tests, tests[i].document())
		if tests[i].Passed {
			all.Passed++
		}
	}
	all.Failed = len(tests) - all.Passed
	return render.JSON(w, all)
}
