#!/usr/bin/env bash
# JSON patches in Kubernetes take negative indices, and -1 is not the same place for "add" as for the others.
#
# Package: gopkg.in/evanphx/json-patch.v4 v4.13.0, which the API server and kubectl apply JSON patches with; Go 1.26.
#
# RFC 6901 has neither negative indices nor leading zeros; "-" is the place behind the last element.
#
# The guess: an index like -1, +1 or 01 is refused. Or, if negative indices are taken, -1 is the last element for all.
# What happens:
#   1. "replace", "remove" and "test" of /-1 are about the last element.
#   2. "add" of /-1 adds behind the last element, not before it. So a list of three has four negative places for "add",
#      and three for the others: /-4 is its beginning.
#   3. /01 and /+1 are the second element.
# A patch that is to put a container before the last one, as a sidecar, puts it behind it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > go.mod <<'MOD'
module finding

go 1.26

require gopkg.in/evanphx/json-patch.v4 v4.13.0
MOD

cat > main.go <<'GO'
package main

import (
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

func main() {
	for _, operation := range []string{
		`{"op":"test","path":"/-1","value":"c"}`,
		`{"op":"replace","path":"/-1","value":"X"}`,
		`{"op":"remove","path":"/-1"}`,
		`{"op":"add","path":"/-1","value":"X"}`,
		`{"op":"add","path":"/-2","value":"X"}`,
		`{"op":"add","path":"/-4","value":"X"}`,
		`{"op":"replace","path":"/-4","value":"X"}`,
		`{"op":"replace","path":"/01","value":"X"}`,
		`{"op":"replace","path":"/+1","value":"X"}`,
	} {
		patch, err := jsonpatch.DecodePatch([]byte("[" + operation + "]"))
		if err != nil {
			panic(err)
		}
		got, err := patch.Apply([]byte(`["a","b","c"]`))
		if err != nil {
			got = []byte("refused")
		}
		fmt.Println(operation, "->", string(got))
	}
}
GO

cat > expected <<'OUT'
{"op":"test","path":"/-1","value":"c"} -> ["a","b","c"]
{"op":"replace","path":"/-1","value":"X"} -> ["a","b","X"]
{"op":"remove","path":"/-1"} -> ["a","b"]
{"op":"add","path":"/-1","value":"X"} -> ["a","b","c","X"]
{"op":"add","path":"/-2","value":"X"} -> ["a","b","X","c"]
{"op":"add","path":"/-4","value":"X"} -> ["X","a","b","c"]
{"op":"replace","path":"/-4","value":"X"} -> refused
{"op":"replace","path":"/01","value":"X"} -> ["a","X","c"]
{"op":"replace","path":"/+1","value":"X"} -> ["a","X","c"]
OUT

go mod tidy
go run . > got
diff expected got
echo "as seen on 29 November 2026"
