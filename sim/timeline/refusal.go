package timeline

import "strings"

// RefusedWith says whether the step was refused in words that contain a text: those of the refusal, or of its cause.
// Upper and lower case count as the same.
func (s *Step) RefusedWith(text string) bool {
	text = strings.ToLower(text)
	return s.Refusal != "" && (strings.Contains(strings.ToLower(s.Refusal), text) ||
		strings.Contains(strings.ToLower(s.Cause), text))
}

// RefusedAsExpected says whether the step was refused as the scenario expects.
func (s *Step) RefusedAsExpected() bool {
	return s.ExpectedRefusal != "" && s.RefusedWith(s.ExpectedRefusal)
}
