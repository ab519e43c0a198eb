// Package shell makes the commands that sim prints for people to paste into a shell. It is the only package that
// does: values are always passed as arguments, never as part of a text, so that a POSIX shell reads each argument
// unchanged, whatever a stranger's file contains. A test of the architecture checks this.
package shell

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns a command: a program and its arguments.
func Line(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}

// Kubectl returns a command of kubectl for an object without a namespace, such as a node.
func Kubectl(arguments ...string) string { return "kubectl " + Line(arguments...) }

// In returns a command of kubectl in a namespace.
func In(namespace string, arguments ...string) string {
	return "kubectl -n " + Quote(namespace) + " " + Line(arguments...)
}

// Pipe returns the commands one after the other, each with the output of the one before as its input.
func Pipe(commands ...string) string { return strings.Join(commands, " | ") }

// Into returns a command that writes its output to a file.
func Into(command, file string) string { return command + " > " + Quote(file) }

// Noted returns a command with a comment for the reader. The comment is ours: nothing of a file may be in it.
func Noted(command, comment string) string { return command + "  # " + comment }

// JSON returns a value as JSON, for a patch or for a string in a filter of jq. Nothing in it is longer than need be.
func JSON(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(fmt.Sprintf("command: %T as JSON: %v", value, err))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// NoTimeout is the option that makes kubectl wait as long as it takes.
const NoTimeout = "--timeout=-1s"

// ReplaceOrphaning recreates the set that it reads from its input, and leaves the pods of the old one alone.
const ReplaceOrphaning = "kubectl replace --force --cascade=orphan -f -"

// DeletePods returns the command that deletes pods; with force, without asking their kubelets.
func DeletePods(namespace string, force bool, pods ...string) string {
	words := append([]string{"delete", "pod"}, pods...)
	if force {
		words = append(words, "--force", "--grace-period=0")
	}
	return In(namespace, words...)
}

// Patch returns the command that merges a patch, which is JSON, into an object of a namespace.
func Patch(namespace, kind, name, patch string) string {
	return In(namespace, "patch", kind, name, "--type", "merge", "-p", patch)
}

// Annotate returns the command that gives an object of a namespace an annotation, NAME=VALUE, or changes it.
func Annotate(namespace, kind, name, annotation string) string {
	return In(namespace, "annotate", "--overwrite", kind, name, annotation)
}

// FreeVolume returns the command that lets the next PVC with the same name bind a PersistentVolume.
func FreeVolume(name string) string {
	return Kubectl("patch", "pv", name, "--type", "merge", "-p", `{"spec":{"claimRef":{"uid":null,"resourceVersion":null}}}`)
}

// OutOfService returns the command that confirms with a taint that nodes are off.
func OutOfService(nodes ...string) string {
	return Kubectl(append(append([]string{"taint", "nodes"}, nodes...),
		"node.kubernetes.io/out-of-service=nodeshutdown:NoExecute")...)
}

// Flags returns flags as a command line has them, of pairs of a flag and its value. One whose value is zero was not
// given; a list has the flag before each entry, and what is true is the flag alone.
func Flags(pairs ...any) []string {
	var words []string
	for pair := range slices.Chunk(pairs, 2) {
		flag := pair[0].(string)
		switch list, is := pair[1].([]string); {
		case is:
			for _, entry := range list {
				words = append(words, flag, entry)
			}
		case reflect.ValueOf(pair[1]).IsZero():
		case pair[1] == true:
			words = append(words, flag)
		default:
			words = append(words, flag, fmt.Sprint(pair[1]))
		}
	}
	return words
}

// Gates returns gates in the order of their names.
func Gates(gates map[string]bool) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		words = append(words, fmt.Sprintf("%s=%t", name, gates[name]))
	}
	return strings.Join(words, ",")
}

// Quote returns a word for a POSIX shell: as it is if no shell reads it as something else, else in single quotes.
// In an option with a value, only the value is quoted. A word that could steer a terminal, or that contains
// invisible characters, is written in octal numbers.
func Quote(word string) string {
	option, value, has := strings.Cut(word, "=")
	switch {
	case plain(word):
		return word
	case has && strings.HasPrefix(option, "--") && plain(option):
		return option + "=" + Quote(value)
	case !utf8.ValidString(word) || strings.ContainsFunc(word, unseen):
		return octal(word)
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// plain reports whether all shells read a word as it is. zsh replaces a word that starts with = by the path of a
// command.
func plain(word string) bool {
	return word != "" && word[0] != '=' && !strings.ContainsFunc(word, special)
}

// special reports whether a shell may give a character a special meaning.
func special(r rune) bool {
	alphanumeric := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	return !alphanumeric && !strings.ContainsRune("_./:=,@%+-", r)
}

// unseen reports whether a character has no shape, or changes how others look: control characters, those that turn
// the direction of text, those that join, and the ends of lines of Unicode.
func unseen(r rune) bool {
	return r != ' ' && !unicode.IsPrint(r)
}

// octal returns a word as the numbers of its bytes: printf is the only way that all shells have for that. Trailing
// line ends are lost; no name and no image has them.
func octal(word string) string {
	var b strings.Builder
	for i, c := range []byte(word) {
		if special(rune(c)) || c == '%' || c == '-' && i == 0 {
			fmt.Fprintf(&b, `\%03o`, c)
			continue
		}
		b.WriteByte(c)
	}
	return `"$(printf '` + b.String() + `')"`
}
