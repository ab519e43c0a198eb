package strict

import (
	"fmt"
	"slices"
	"strings"
)

// Nearest returns the candidate that a mistyped word most likely means, or "" if none is near: up to a third of its
// length, plus one, may be wrong. Case does not count; of equally near ones, the one with the longest common prefix
// wins, and then the first.
func Nearest(word string, candidates []string) string {
	best, bestDistance := "", len(word)/3+2
	if len(word) > 100 {
		return ""
	}
	word = strings.ToLower(word)
	for _, candidate := range candidates {
		lower := strings.ToLower(candidate)
		d := distance(word, lower)
		alike := best != "" && d == bestDistance && begins(word, lower) > begins(word, strings.ToLower(best))
		if d < bestDistance || alike {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// begins returns the length in bytes of the common prefix of two words.
func begins(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// otherNames are words that people know from kubectl and from other tools, each with the key that means the same here.
var otherNames = map[string]string{
	"rollback": "undo", "rollout": "restart", "wait": "after", "sleep": "after", "assert": "check", "kill": "delete",
}

// meant returns the key that an unknown one most likely means, or "".
func meant(key string, known []string) string {
	if other := otherNames[key]; slices.Contains(known, other) {
		return other
	}
	return Nearest(key, known)
}

// distance returns the number of bytes to insert, delete, replace or swap with their neighbour to turn a into b.
// O(len(a) × len(b)); both are bounded by Nearest's callers.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// DidYouMean returns the part of a message that offers the nearest candidate and lists all of them.
func DidYouMean(word string, candidates []string) string {
	list := "one of " + List(candidates)
	if near := Nearest(word, candidates); near != "" {
		return "did you mean " + near + "? It must be " + list
	}
	return "it must be " + list
}

// List renders candidates for a message: all of them, unless there are very many.
func List(candidates []string) string {
	const most = 80
	if len(candidates) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(candidates[:most], ", "), len(candidates)-most)
	}
	return strings.Join(candidates, ", ")
}
