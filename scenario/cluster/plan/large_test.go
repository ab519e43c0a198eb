package plan

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestLarge: a ConfigMap with very many keys, which pods may read, costs little more than its text is parsed in.
func TestLarge(t *testing.T) {
	var config strings.Builder
	config.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: big\ndata:\n")
	for i := range 40_000 {
		fmt.Fprintf(&config, "  key%d: \"%d\"\n", i, i)
	}
	before := time.Now()
	strict.ParseStream("f", []byte(config.String()), strict.Limits{})
	parsed := time.Since(before)

	before = time.Now()
	s := one(t, config.String()+"---\n"+web("3", "web:1"), config.String()+"  more: x\n---\n"+web("3", "web:2"), &Options{})
	require.NotNil(t, s)
	require.Less(t, time.Since(before), 40*parsed+time.Second)
}
