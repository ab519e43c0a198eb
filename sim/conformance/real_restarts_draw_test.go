//go:build real && apiserver

package conformance_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// restartDraw draws containers with restart policies.
type restartDraw struct {
	t     *rapid.T
	wrong bool
}

func (d restartDraw) of(right []string, wrong ...string) string {
	if d.wrong {
		right = slices.Concat(right, right, wrong)
	}
	return rapid.SampledFrom(right).Draw(d.t, "")
}

// containers draws containers with the names a letter and a number.
func (d restartDraw) containers(letter string, most, least int) string {
	var list []string
	for i := range rapid.IntRange(least, most).Draw(d.t, "") {
		text := fmt.Sprintf(`{"name": "%s%d", "image": "a"`, letter, i)
		if policy := d.of([]string{"", "Always", "Never", "OnFailure"}, "Sometimes"); policy != "" {
			text += fmt.Sprintf(`, "restartPolicy": %q`, policy)
			if rules := d.rules(); rules != "" {
				text += `, "restartPolicyRules": [` + rules + "]"
			}
		} else if d.wrong && rapid.Bool().Draw(d.t, "") {
			text += `, "restartPolicyRules": [` + d.rules() + "]"
		}
		list = append(list, text+"}")
	}
	return strings.Join(list, ", ")
}

func (d restartDraw) rules() string {
	var list []string
	for range rapid.IntRange(0, 2).Draw(d.t, "") {
		codes := fmt.Sprintf(`, "exitCodes": {"operator": %q, "values": [%s]}`, d.of([]string{"In", "NotIn"}, "Is", ""),
			d.of([]string{"1", "0, 42"}, ""))
		list = append(list, fmt.Sprintf(`{"action": %q%s}`, d.of([]string{"Restart", "RestartAllContainers"}, "Stop", ""),
			d.of([]string{codes}, "")))
	}
	return strings.Join(list, ", ")
}
