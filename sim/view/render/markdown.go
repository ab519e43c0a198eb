package render

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// Markdown keeps text from being read as Markdown or HTML, and from becoming a mention of a person (@2) or a
// reference to an issue (#12) on a forge. It is for items, headings and sentences: nothing in it ends the line. The
// result is Markdown and must not be escaped again.
func Markdown(text string) string {
	line := inline(Visible(text))
	line = block().ReplaceAllString(line, `$1\$2$3`)
	return ordered().ReplaceAllString(line, `$1\$2`)
}

// Paragraphs is Markdown for text of several lines, which stay.
func Paragraphs(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Markdown(line)
	}
	return strings.Join(lines, "\n")
}

// marks escapes the characters that mean something anywhere in a line.
var marks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "|", `\|`, "[", `\[`, "]", `\]`, "~", `\~`,
	"$", `\$`, "&", "&amp;", "<", "&lt;", ">", "&gt;")

var (
	// block matches text that makes a line start with a heading, a list or a rule, or that underlines the line
	// before.
	block   = lazy.Regexp(`^(\s*)([-+#=])([-#=]*(?:\s|$))`)
	ordered = lazy.Regexp(`^(\s*\d+)([.)](?:\s|$))`)
	// A forge resolves references in rendered Markdown, where an escaped @ is an @ again (see cmark-gfm issue 181).
	// A zero-width space keeps the two apart.
	mention   = lazy.Regexp(`(^|\W)@(\w)`)
	reference = lazy.Regexp(`#(\d)|\b(GH)-(\d)`)
)

// inline escapes what means something anywhere in a line, mentions and references included.
func inline(line string) string {
	line = marks.Replace(line)
	line = reference().ReplaceAllStringFunc(line, func(found string) string {
		end := len(found) - 1
		return found[:end] + "&#8203;" + found[end:]
	})
	return mention().ReplaceAllString(line, "${1}@&#8203;${2}")
}

// Code renders text as code within a line, such as a name or a command. It holds no mentions and is never markup. The
// fence is longer than any run of backticks in the text.
func Code(text string) string {
	text = Visible(text)
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// Block renders lines as a block of code in a language (console, diff, sh), with a line end at its end.
func Block(language, text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = Visible(lines[i])
	}
	text = strings.Join(lines, "\n")
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	return fence + language + "\n" + text + "\n" + fence + "\n"
}

// longestRun returns the length of the longest run of a character.
func longestRun(text string, of byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		run++
		if text[i] != of {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// Shape says in a few words what matters about a set for a rollout: "Parallel, 3 replicas, partition 1". Default
// values are left out, except policy and replicas.
func Shape(s *model.StatefulSet) string {
	spec := &s.Spec
	words := []string{spec.PodManagement.String(), Count(int(spec.Replicas), "replica")}
	block := spec.Strategy.RollingUpdate
	switch {
	case spec.Strategy.Type != model.RollingUpdateStrategy:
		words = append(words, spec.Strategy.Type.String())
	case block == nil:
		words = append(words, "updateStrategy {type: RollingUpdate} without rollingUpdate")
	case block.Partition > 0:
		words = append(words, fmt.Sprintf("partition %d", block.Partition))
	}
	if block != nil && block.MaxUnavailable != nil {
		words = append(words, "maxUnavailable "+block.MaxUnavailable.String())
	}
	if spec.MinReadySeconds > 0 {
		words = append(words, fmt.Sprintf("minReadySeconds %d", spec.MinReadySeconds))
	}
	if s.Start() > 0 {
		words = append(words, fmt.Sprintf("ordinals from %d", s.Start()))
	}
	if n := len(spec.ClaimTemplates); n > 0 {
		words = append(words, Count(n, "claim template"))
	}
	if spec.Retention != nil && spec.Retention.DeleteWhenScaled {
		words = append(words, "whenScaled Delete")
	}
	return strings.Join(words, ", ")
}
