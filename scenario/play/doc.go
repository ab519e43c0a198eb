// Package play is a laboratory. It plays scripts of what people do to a cluster, and of what happens to it, each in a
// world of its own. A deed has its command beside its effect, so what is printed is what was played.
package play
