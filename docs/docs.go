// Package docs holds the documentation, for programs that show it.
package docs

import "embed"

// Files are the pages.
//
//go:embed *.md
var Files embed.FS
