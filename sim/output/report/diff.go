package report

// Aligned is a line of two lists that were compared: Mark is - for only expected, + for only got, blank for both.
type Aligned struct {
	Mark byte
	Text string
}

// maxCompared bounds the table of a comparison, whose memory is the product of both lengths. Longer lists are only
// compared at their common beginning and end.
const maxCompared = 2_000

// Align merges two lists with as few differences as possible (a longest common subsequence). Both lists are in the
// result in their order; where both differ, the expected lines come first. It costs the product of the lengths of what
// is between the common beginning and the common end. If that is too long, all expected lines are followed by all
// others.
func Align(expected, got []string) []Aligned {
	begin, end := 0, 0
	for begin < min(len(expected), len(got)) && expected[begin] == got[begin] {
		begin++
	}
	for end < min(len(expected), len(got))-begin && expected[len(expected)-1-end] == got[len(got)-1-end] {
		end++
	}
	out := marked(nil, ' ', expected[:begin]...)
	a, b := expected[begin:len(expected)-end], got[begin:len(got)-end]
	if max(len(a), len(b)) <= maxCompared {
		lengths, i, j := subsequences(a, b), 0, 0
		for i < len(a) && j < len(b) {
			switch {
			case a[i] == b[j]:
				out = marked(out, ' ', a[i])
				i, j = i+1, j+1
			case lengths[i+1][j] >= lengths[i][j+1]:
				out = marked(out, '-', a[i])
				i++
			default:
				out = marked(out, '+', b[j])
				j++
			}
		}
		a, b = a[i:], b[j:]
	}
	return marked(marked(marked(out, '-', a...), '+', b...), ' ', expected[len(expected)-end:]...)
}

// marked adds lines with a mark.
func marked(to []Aligned, mark byte, lines ...string) []Aligned {
	for _, text := range lines {
		to = append(to, Aligned{mark, text})
	}
	return to
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
