package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// Compare says how two controllers differ in what they did in a sync, or "" if they do not. Calls are compared in
// their order, those of one fork of the first outcome, and the claims of one pod, as sets.
func Compare(ours, theirs *Outcome) string {
	var differences []string
	a, b := inOrder(ours.Calls, ours.Calls), inOrder(theirs.Calls, ours.Calls)
	if !slices.Equal(a, b) {
		differences = append(differences, sideBySide("calls", a, b))
	}
	if a, b := events(ours.Events), events(theirs.Events); !slices.Equal(a, b) {
		differences = append(differences, sideBySide("events", a, b))
	}
	if (ours.Err != nil) != (theirs.Err != nil) {
		differences = append(differences, fmt.Sprintf("errors:\n  ours:   %v\n  theirs: %v", ours.Err, theirs.Err))
	}
	if ours.Requeue != theirs.Requeue {
		differences = append(differences, fmt.Sprintf("requeue:\n  ours:   %s\n  theirs: %s", ours.Requeue, theirs.Requeue))
	}
	return strings.Join(differences, "\n")
}

func sideBySide(what string, ours, theirs []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", what)
	for i := range max(len(ours), len(theirs)) {
		left, right := at(ours, i), at(theirs, i)
		if left == right {
			fmt.Fprintf(&b, "\n  both:   %s", left)
			continue
		}
		fmt.Fprintf(&b, "\n  ours:   %s\n  theirs: %s", left, right)
	}
	return b.String()
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

// inOrder returns the texts of lines. Where the same places of the model hold calls without an order, those are
// sorted.
func inOrder(lines, like []Line) []string {
	texts := make([]string, len(lines))
	for i := range lines {
		texts[i] = lines[i].Text
	}
	for first := 0; first < len(like); {
		last := first + 1
		for last < len(like) && unordered(like[first], like[last]) {
			last++
		}
		slices.Sort(texts[min(first, len(texts)):min(last, len(texts))])
		first = last
	}
	return texts
}

func unordered(a, b Line) bool {
	const claim = "create claim "
	return a.Fork == b.Fork && (a.Fork > 0 || strings.HasPrefix(a.Text, claim) && strings.HasPrefix(b.Text, claim))
}

// events returns the texts of events without their order. What an error joined from several says of them has none
// either, and is left out.
func events(lines []Line) []string {
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i], _, _ = strings.Cut(line.Text, "failed error: [")
	}
	slices.Sort(texts)
	return texts
}

// FirstDifference says in which line two records part, or "" if they do not.
func FirstDifference(ours, theirs string) string {
	a, b := strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	for i := range max(len(a), len(b)) {
		if left, right := at(a, i), at(b, i); left != right {
			return fmt.Sprintf("line %d\n  ours:   %s\n  theirs: %s", i+1, left, right)
		}
	}
	return ""
}
