package course

import (
	"fmt"
	"strings"
)

// List returns the lessons as Markdown.
func List() string {
	var text strings.Builder
	text.WriteString("# A course on StatefulSets\n\nEach lesson asks a question, plays a scenario, and explains the " +
		"result. Answer before you continue: you will remember what surprised you.\n\n")
	for _, lesson := range Lessons() {
		fmt.Fprintf(&text, "- %s\n", lesson.Title())
	}
	text.WriteString("\nBegin with `sim learn 1`.\n")
	return text.String()
}
