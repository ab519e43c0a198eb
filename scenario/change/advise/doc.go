// Package advise looks for the settings with which a StatefulSet rolls best: how fast, with how many pods serving, and
// at what price if the new version is bad.
//
// An answer is a row of values, each made once:
//
//	pair.Input → stored.Set → subject → setting → trial → front → Advice
//
// A subject is a set with its change and its times. A setting is what a person can choose. A trial is what was played
// of a setting: the rollout with drawn times, and each way in which a new version can be bad. The front has the
// settings that no other one beats. Nothing here decides what a controller does: all of it is played.
package advise
