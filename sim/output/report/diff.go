package report

// difference is a line of two lists that were compared: - only expected, + only got, blank in both.
type difference struct {
	mark byte
	text string
}

// maxCompared bounds the table of a comparison, whose memory is the product of both lengths. Longer lists are only
// compared at their common beginning and end.
const maxCompared = 2_000

// compare merges two lists with as few differences as possible (a longest common subsequence). Both lists are in the
// result in their order; where both differ, the expected lines come first. It costs the product of the lengths of what
// is between the common beginning and the common end.
func compare(expected, got []string) []difference {
	var out []difference
	for len(expected) > 0 && len(got) > 0 && expected[0] == got[0] {
		out = append(out, difference{' ', expected[0]})
		expected, got = expected[1:], got[1:]
	}
	tail := 0
	for tail < len(expected) && tail < len(got) && expected[len(expected)-1-tail] == got[len(got)-1-tail] {
		tail++
	}
	common := expected[len(expected)-tail:]
	out = append(out, middle(expected[:len(expected)-tail], got[:len(got)-tail])...)
	for _, text := range common {
		out = append(out, difference{' ', text})
	}
	return out
}

// middle compares what is between the common beginning and the common end. If it is too long, all expected lines are
// followed by all others.
func middle(expected, got []string) []difference {
	var out []difference
	if len(expected) <= maxCompared && len(got) <= maxCompared {
		lengths := subsequences(expected, got)
		for len(expected) > 0 && len(got) > 0 {
			switch i, j := len(lengths)-1-len(expected), len(lengths[0])-1-len(got); {
			case expected[0] == got[0]:
				out = append(out, difference{' ', expected[0]})
				expected, got = expected[1:], got[1:]
			case lengths[i+1][j] >= lengths[i][j+1]:
				out = append(out, difference{'-', expected[0]})
				expected = expected[1:]
			default:
				out = append(out, difference{'+', got[0]})
				got = got[1:]
			}
		}
	}
	for _, text := range expected {
		out = append(out, difference{'-', text})
	}
	for _, text := range got {
		out = append(out, difference{'+', text})
	}
	return out
}

// subsequences returns the lengths of the longest common subsequences of all pairs of tails: [i][j] is that of a[i:]
// and b[j:]. The last row and the last column are 0.
func subsequences(a, b []string) [][]int {
	lengths := make([][]int, len(a)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				lengths[i][j] = lengths[i+1][j+1] + 1
			} else {
				lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			}
		}
	}
	return lengths
}
