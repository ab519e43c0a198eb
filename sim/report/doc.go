// Package report renders timelines for people and for machines: a story, a table, JSON, what kubectl would have shown,
// and the report of a test run. It decides nothing: whether a run is good was judged before, and what happened stands
// in the timeline. The same input gives the same bytes.
package report
