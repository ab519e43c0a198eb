// Package report renders timelines for people and for machines: a story, a table, JSON, what kubectl would have shown,
// and the report of a test run. It decides nothing: whether a run is good was judged before, and what happened is in
// the timeline. The same input gives the same bytes.
//
// A report reads a Run, which it never changes; the timeline may be cut off anywhere, also in the middle of an instant.
// Names and messages come from users and clusters, and may hold anything: what is printed goes through render.Visible,
// render.Markdown or an escape of its own format, and nothing else makes it safe.
//
// The command line calls it with what the packages below scenario have played and judged. It knows no scenario and no
// world, so that a timeline from a file is reported like any other.
package report
