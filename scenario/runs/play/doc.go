// Package play is a laboratory. It plays scripts of what people do to a cluster, and of what happens to it, each in a
// world of its own. A deed has its command beside its effect, so what is printed is what was played.
//
// Plans, upgrades, explanations and repairs compare runs; they write scripts, and this package plays them. A run is a
// function of the laboratory and the script: nothing is kept between two runs except a common beginning (Lab.Begun),
// which does not change any timeline.
package play
