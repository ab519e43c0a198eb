// Package strict decodes YAML strictly and with positions: a file is parsed to the nodes of yaml.v3 within limits, and
// the nodes are read by a Reader that collects every problem instead of stopping at the first.
//
// The usual way of using it:
//
//	docs, problems := strict.Parse(file, data, strict.DefaultLimits())
//	r := &strict.Reader{File: file, Limits: limits, Problems: problems}
//	m := r.Map(docs[0], "the scenario", "name", "steps")
//	name := m.String("name")
//	for _, step := range m.List("steps") { ... }
//	return r.Err()
//
// All getters of a Map may be called on a nil Map and for absent keys: they return the zero value then. A value that
// is there and wrong is a problem, and its getter returns the zero value too.
//
// Files may come from strangers. No input makes the package panic, run for long or take much memory: sizes, nesting
// and aliases are measured before anything is written out, and messages quote a bounded part of the file, on one line.
//
// Packages scenario, manifest, expect, dump, plan, upgrade, explore and save read their files with it. It knows
// YAML and nothing about Kubernetes, except the texts that people most often confuse with a scenario: the output of
// kubectl and Helm.
package strict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Reader reads the nodes of one file and collects their problems. In its methods, what is the name of the value in
// messages ("replicas"); n must not be nil, except in Map; and ok is false if there is a problem. A Reader never
// changes a node. It is for one goroutine.
type Reader struct {
	// File is the file's name in messages.
	File string
	// Limits are the limits of reading; 0 means the default.
	Limits Limits
	// Problems are the problems so far, at most mostProblems. It may have the problems of parsing from the start.
	Problems Problems
	// Doubled are the keys that a stream has doubled, by the node of the key that counts. When read it is a warning.
	Doubled  map[*yaml.Node]Problem
	Warnings Problems
	// Lenient means that the file describes running objects, perhaps on a newer version: an unknown field is not a
	// problem.
	Lenient bool
}

// Problem notes a problem at a node. After mostProblems it notes none, see Full.
func (r *Reader) Problem(n *yaml.Node, what, want string) {
	r.Problems.add(at(r.File, n, quoted(what), want))
}

// particles are the keys that a reader would take for a word of the sentence.
var particles = []string{"after", "asked", "at", "during", "for", "is", "lose", "message", "of", "since", "takes",
	"times", "to", "until", "when", "within", "write"}

// quoted quotes the key that a problem starts with, if it would be taken for a word.
func quoted(what string) string {
	key, rest, _ := strings.Cut(what, " ")
	if !slices.Contains(particles, key) {
		return what
	}
	return Quote(key) + " " + rest
}

// Err returns the problems found so far as an error, or nil.
func (r *Reader) Err() error { return r.Problems.Err() }

// String reads text. A value that YAML reads as something other than text must be quoted.
func (r *Reader) String(n *yaml.Node, what string) (string, bool) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		return n.Value, true
	}
	r.notText(n, what)
	return "", false
}

// notText words the problem of a value that is not text, with the most likely intention of its author.
func (r *Reader) notText(n *yaml.Node, what string) {
	switch {
	case isNull(n) && n.LineComment != "":
		r.Problem(n, what+" has no value, only a comment", "quote this: "+Quote(Shorten(n.LineComment)))
	case isNull(n) && n.Value == "":
		r.Problem(n, what+" has no value", "write it behind the colon, or indented below the key, or leave the key out")
	case n.Kind == yaml.MappingNode, n.Kind == yaml.SequenceNode:
		r.Problem(n, fmt.Sprintf("%s must be text, but YAML reads a %s", what, kindName(n)), textOf(n))
	case strings.HasPrefix(n.ShortTag(), "!!"):
		kind := map[string]string{"!!int": "a number", "!!float": "a number", "!!bool": "a boolean", "!!null": "null",
			"!!timestamp": "a date"}[n.ShortTag()]
		if kind == "" {
			kind = n.ShortTag()
		}
		r.Problem(n, fmt.Sprintf("%s must be text, but YAML reads %s as %s", what, Shorten(n.Value), kind),
			"quote this: "+Quote(Shorten(n.Value)))
	default:
		text := Shorten(strings.TrimSpace(n.Tag + " " + n.Value))
		r.Problem(n, fmt.Sprintf("%s must be text, but YAML reads %s as a tag", what, Shorten(n.Tag)),
			"quote this: "+Quote(text))
	}
}

// textOf suggests what to write in place of a list or a mapping if one text is wanted. A list with one text most
// likely has too many brackets, or a dash. A value that starts with a bracket or a brace may be meant as text.
func textOf(n *yaml.Node) string {
	item := n
	if n.Kind == yaml.SequenceNode && len(n.Content) == 1 {
		item = n.Content[0]
	}
	switch {
	case item.Kind == yaml.ScalarNode && item.ShortTag() == "!!str":
		return "write one text: " + Quote(Shorten(item.Value))
	case n.Style&yaml.FlowStyle != 0:
		return "write one text; if the " + kindName(n) + " is meant as text, quote it"
	}
	return "write one text"
}

// Range is the range of a number, both ends included. Flag is the flag that raises Max, "" if there is none.
type Range struct {
	Min, Max int64
	Flag     string
}

// Any32 is the range of the API's numbers.
var Any32 = Range{Min: math.MinInt32, Max: math.MaxInt32}

// String says the range in words.
func (r Range) String() string {
	text := fmt.Sprintf("write a whole number from %d to %d", r.Min, r.Max)
	if r.Max >= math.MaxInt32 {
		text = fmt.Sprintf("write a whole number of at least %d", r.Min)
		if r.Min <= math.MinInt32 {
			text = "write a whole number"
		}
	}
	if r.Flag != "" {
		text += ", or raise the limit with " + r.Flag
	}
	return text
}

// Int reads a whole number.
func (r *Reader) Int(n *yaml.Node, what string, within Range) (int64, bool) {
	var v int64
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || n.Decode(&v) != nil {
		text := Describe(n)
		if _, err := strconv.ParseInt(n.Value, 10, 64); err == nil && n.ShortTag() == "!!str" {
			text += ", which is text"
		}
		r.Problem(n, what+" is "+text, within.String())
		return 0, false
	}
	if v < within.Min || v > within.Max {
		r.Outside(n, what, v, within)
		return 0, false
	}
	return v, true
}

// Outside notes the problem of a whole number, however it is written, that is not within a range.
func (r *Reader) Outside(n *yaml.Node, what string, v int64, within Range) {
	want := within.String()
	if v > within.Max && within.Flag == "" && within.Max >= math.MaxInt32 {
		want = fmt.Sprintf("write at most %d", within.Max)
	}
	r.Problem(n, fmt.Sprintf("%s is %s", what, n.Value), want)
}

// Uint reads a whole number of 64 bits that is not negative.
func (r *Reader) Uint(n *yaml.Node, what string) (uint64, bool) {
	var v uint64
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || n.Decode(&v) != nil {
		r.Problem(n, what+" is "+Describe(n), fmt.Sprintf("write a whole number from 0 to %d", uint64(math.MaxUint64)))
		return 0, false
	}
	return v, true
}

// Bool reads true or false.
func (r *Reader) Bool(n *yaml.Node, what string) (value, ok bool) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		r.Problem(n, what+" is "+Describe(n), "write true or false")
		return false, false
	}
	return strings.EqualFold(n.Value, "true"), true
}

// Duration reads a duration in the syntax of Go, from 0 to Limits.Duration. A 0 needs no unit.
func (r *Reader) Duration(n *yaml.Node, what string) (time.Duration, bool) {
	const want = "write a duration like 90s, 1500ms or 1h30m"
	limit := r.Limits.OrDefault().Duration
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" && n.Value != "0" {
		hint := want
		if n.ShortTag() == "!!int" || n.ShortTag() == "!!float" {
			hint = "a duration needs a unit: for example " + n.Value + "s"
		}
		r.Problem(n, what+" is "+Describe(n), hint)
		return 0, false
	}
	d, err := time.ParseDuration(n.Value)
	switch {
	case err != nil && tooLong(n.Value):
		r.Problem(n, what+" is "+n.Value, fmt.Sprintf("write at most %s", limit))
	case err != nil:
		r.Problem(n, what+" is "+Describe(n), cmp.Or(inHours(n.Value), want))
	case d < 0:
		r.Problem(n, what+" is "+n.Value, "a duration is not negative")
	case d > limit:
		r.Problem(n, what+" is "+n.Value, fmt.Sprintf("write at most %s, or raise the limit with --max-duration", limit))
	default:
		return d, true
	}
	return 0, false
}

// inHours says how to write a number of days; "" for any other text.
func inHours(text string) string {
	days, is := strings.CutSuffix(text, "d")
	n, err := strconv.Atoi(days)
	if !is || err != nil || n <= 0 || n > 10_000 {
		return ""
	}
	return fmt.Sprintf("write %dh: the longest unit is the hour", 24*n)
}

// tooLong reports whether a text that is not a duration would be one if it were smaller: a Duration ends after 292
// years.
func tooLong(text string) bool {
	small := strings.Map(func(c rune) rune {
		if '0' < c && c <= '9' {
			return '0'
		}
		return c
	}, text)
	_, err := time.ParseDuration(small)
	return err == nil
}

// OneOf reads one of the given words.
func (r *Reader) OneOf(n *yaml.Node, what string, allowed ...string) (string, bool) {
	if n.Kind == yaml.ScalarNode && slices.Contains(allowed, n.Value) && n.ShortTag() == "!!str" {
		return n.Value, true
	}
	r.Problem(n, what+" is "+Describe(n), DidYouMean(n.Value, allowed))
	return "", false
}

// List returns the items of a list, which belong to the tree. Null, and what is not there, are a list without items.
func (r *Reader) List(n *yaml.Node, what string) []*yaml.Node {
	switch {
	case n == nil:
	case n.Kind == yaml.SequenceNode:
		return n.Content
	case !isNull(n):
		r.Problem(n, fmt.Sprintf("%s is %s", what, Describe(n)), "write a list, one item after each dash")
	}
	return nil
}

// Describe names a value for a message: "five" in quotes, a number as it is written, a mapping, a list.
func Describe(n *yaml.Node) string {
	switch {
	case n.Kind != yaml.ScalarNode:
		return "a " + kindName(n)
	case isNull(n):
		return "not given"
	case n.ShortTag() == "!!str":
		return strconv.Quote(Shorten(n.Value))
	}
	return Shorten(n.Value)
}

// Shorten cuts a text that is too long to be quoted in a message.
func Shorten(text string) string { return cut(text, 60) }

// cut cuts a text after so many bytes, but not within a character.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && text[most]&0xc0 == 0x80 {
		most--
	}
	return text[:most] + "…"
}
