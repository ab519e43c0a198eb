package whatif

// Each calls work for 0 to n-1, in any order, and several at once if it likes. What is found does not depend on it: the
// work is cut by index, and each part of it writes to a place of its own. Nil does one after the other.
type Each func(n int, work func(i int))

// Do does the work.
func (e Each) Do(n int, work func(i int)) {
	if e != nil {
		e(n, work)
		return
	}
	for i := range n {
		work(i)
	}
}
