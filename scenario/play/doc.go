// Package play is a laboratory: scripts of what people do to a cluster and what happens to it, played in worlds of
// their own. A deed has its command and its effect side by side, so that what is shown is what was played.
package play
