package strict

import (
	"bytes"
	"strings"
)

// badSeparator returns the problem of a line with which kubectl ends reading: it begins with --- and goes on with
// anything but a comment. YAML takes that for a document, or for the beginning of a text.
func badSeparator(file string, data []byte) *Problem {
	if !bytes.Contains(data, []byte("\n---")) {
		return nil
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		rest, separates := bytes.CutPrefix(line, []byte("---"))
		if rest = bytes.TrimSpace(rest); separates && len(rest) > 0 && rest[0] != '#' {
			return noSeparator(file, number, string(line))
		}
	}
	return nil
}

// onlyDashes says whether a line is meant to separate documents, and does not.
func onlyDashes(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 1 && line != "---" && strings.Trim(line, "-") == ""
}

// noSeparator is the problem of a line that separates no documents.
func noSeparator(file string, number int, line string) *Problem {
	return &Problem{File: file, Line: number, Column: 1,
		What: "`" + Shorten(strings.TrimSpace(line)) + "` does not separate documents",
		Want: "kubectl takes only `---` on a line of its own"}
}
