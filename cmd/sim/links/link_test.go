package links

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTooLargeForALink: what a link cannot hold has none.
func TestTooLargeForALink(t *testing.T) {
	noise := make([]byte, longestLink)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	large := Opening{Mode: "explain", Files: map[string]string{"dump.yaml": base64.StdEncoding.EncodeToString(noise)}}
	require.Empty(t, Playground{Address: "../"}.Link(large))
}
