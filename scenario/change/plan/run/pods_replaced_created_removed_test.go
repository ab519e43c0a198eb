package run

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTogether: the most pods that are down at once; a pod that comes back as another one goes is not.
func TestTogether(t *testing.T) {
	move := func(does string, down, gone, back Seconds) Move {
		return Move{Does: does, Down: down, Gone: gone, Back: back}
	}
	for name, c := range map[string]struct {
		moves Moves
		want  int
	}{
		"none":                         {nil, 0},
		"one after the other":          {Moves{move(Replaced, 0, 1, 5), move(Replaced, 5, 6, 9)}, 1},
		"one before the other is back": {Moves{move(Replaced, 0, 1, 5), move(Replaced, 4, 6, 9)}, 2},
		"at once":                      {Moves{move(Replaced, 3, 1, 5), move(Replaced, 3, 6, 9), move(Replaced, 3, 4, 9)}, 3},
		"one that never comes back":    {Moves{move(Replaced, 0, 1, Never), move(Replaced, 9, 10, 11)}, 2},
		"removed, and gone by then":    {Moves{move(Removed, 0, 5, Never), move(Removed, 5, 6, Never)}, 1},
		"removed, and not gone yet":    {Moves{move(Removed, 0, 6, Never), move(Removed, 5, 9, Never)}, 2},
	} {
		require.Equal(t, c.want, c.moves.Together(), name)
	}
}
