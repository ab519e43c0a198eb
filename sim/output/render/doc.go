// Package render is the one place where text is drawn: for terminals (Page), for pull requests (Markdown, Code, Grid)
// and for programs (JSON). All commands wrap, cut, count, name times, shorten lists and quote in the same way,
// because they all do it here. It knows nothing of timelines, and of StatefulSets only their shape.
//
// What comes from outside (names, images, messages, descriptions) never steers the reader's terminal and is never
// read as markup: Page, Markdown, Code and Grid make control characters visible themselves. The same input gives the
// same bytes everywhere: nothing depends on the locale or the environment.
package render
