package manifest

import (
	"bytes"

	"github.com/statefulsim/statefulsim/sim/output/lazy"
)

// kindKey finds the key kind of an object, in block style, where it begins a line, and in a flow, JSON say.
var kindKey = lazy.Regexp(`(?m)^(---[ \t]+|\x{feff})?["']?kind["']?[ \t]*:|[{,]\s*["']?kind["']?\s*:`)

// Looks says whether a text looks like manifests. It does not parse, so a manifest with mistakes is found too.
func Looks(data []byte) bool {
	return kindKey().Match(data) && bytes.Contains(data, []byte("apiVersion"))
}
