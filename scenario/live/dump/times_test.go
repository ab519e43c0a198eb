package dump

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

// TestAges: how long something has lasted is printed as kubectl prints ages, and changes its unit where theirs do.
func TestAges(t *testing.T) {
	for age, want := range map[time.Duration]string{
		0: "", time.Second - 1: "", time.Second: " for 1s", 2*time.Minute - time.Second: " for 119s", 2 * time.Minute: " for 2m",
		2*time.Hour - time.Minute: " for 119m", 2 * time.Hour: " for 2h", 48*time.Hour - time.Hour: " for 47h", 48 * time.Hour: " for 2d",
	} {
		require.Equal(t, want, Since(-model.Time(age)), age)
		is, long := Lasting(-model.Time(age), true)
		require.Equal(t, []any{want, want == ""}, []any{long, is == "is"}, age)
	}
}
