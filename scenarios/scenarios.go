// Package scenarios is the library of scenarios: what StatefulSets do, by theme, each file with a description to learn
// from, expectations that hold it to what Kubernetes does, and its timeline beside it. README.md is its index.
package scenarios

import "embed"

// FS holds the library. THEME/NAME.yaml is a scenario whose name is THEME/NAME, THEME/NAME.txt is its timeline as
// `sim run` tells it on 80 columns. One run of a theme has a picture, THEME/NAME.svg, which the index shows. The
// folders below a theme hold the manifests that its scenarios apply, at paths that begin in the theme. The theme learn
// is a course: there THEME/NAME.md is the page of a lesson.
//
//go:embed */*
var FS embed.FS

// Course holds what the theme learn has in FS. The command needs no more of the library, and carries no more.
//
//go:embed learn/*.md learn/*.yaml
var Course embed.FS
