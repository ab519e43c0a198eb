package forms

import (
	"bytes"
	"fmt"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

var (
	quotedObject = lazy.Regexp(`(?m)^>[> ]*(- )?(apiVersion: |kind: |\{|\[)`)
	fence        = lazy.Regexp("(?m)^ {0,3}(```|~~~)")
	objectKey    = lazy.Regexp(`(?m)^\s*(- )?["']?(kind|apiVersion)["']?:`)
	// prompt is what a shell prints before a command, and the command.
	prompt = lazy.Regexp(`^([^"'{}#]*)[$%#>❯]\s*(sudo )?(kubectl|kubectl\.exe|oc|k)\s+\S`)
	// logs are what kubectl cluster-info dump prints around the logs of a container.
	logsStart = []byte("==== START logs for container ")
	logsEnd   = []byte("==== END logs for container ")
	warned    = lazy.Regexp(`^([WI]\d{4} \d\d:|Warning: \S)`)
	forbidden = []byte("Error from server (Forbidden): ")
)

// quoted takes the signs of a quotation from a text that was pasted from a mail or a chat, and what is not quoted.
func (t *text) quoted() {
	if !quotedObject().Match(t.data[:min(len(t.data), 64<<10)]) {
		return
	}
	t.edit(func(number int, line []byte) []byte {
		sign := len(line) - len(bytes.TrimLeft(line, "> "))
		switch {
		case len(line) > 0 && line[0] == '>':
			return append(bytes.Repeat([]byte(" "), sign), line[sign:]...)
		case len(bytes.TrimSpace(line)) > 0:
			t.leaveOut(number, string(line))
		}
		return nil
	})
}

// fenced takes the blocks of code out of a text in Markdown. Each is a document of its own.
func (t *text) fenced() {
	first := fence().FindIndex(t.data)
	if first == nil {
		return
	}
	if object := objectKey().FindIndex(t.data); object != nil && object[0] < first[0] {
		return // The fences are in a text of an object.
	}
	inside, between := false, t.between(t.data[first[0]:])
	t.edit(func(number int, line []byte) []byte {
		switch is := fence().Match(line); {
		case is:
			if inside = !inside; inside {
				t.leaveOut(number, string(line))
				return nil
			}
			return between
		case inside || len(bytes.TrimSpace(line)) == 0:
			return line
		}
		t.leaveOut(number, string(line))
		return nil
	})
}

// between is what stands between two documents: nothing in JSON.
func (t *text) between(from []byte) []byte {
	if at := bytes.IndexAny(from, "{["); at >= 0 && !bytes.Contains(from[:at], []byte("apiVersion")) {
		return nil
	}
	return []byte("---")
}

// lines leaves out what a terminal shows between the objects: commands, warnings of the client, logs of containers. An
// object that the user may not read was not printed; all other errors end what kubectl prints, and stay.
func (t *text) lines() {
	between, begun, logs := t.between(t.data), false, 0
	t.edit(func(number int, line []byte) []byte {
		switch {
		case logs > 0:
			if bytes.HasPrefix(line, logsEnd) {
				t.leaveOut(logs, fmt.Sprintf("the logs up to line %d", number))
				logs = 0
			}
			return nil
		case len(line) == 0 || bytes.IndexByte([]byte(" \t-{}[]\""), line[0]) >= 0:
			begun = begun || len(line) > 0
			return line
		case bytes.HasPrefix(line, logsStart):
			logs = number
			return nil
		case warned().Match(line) || bytes.HasPrefix(line, forbidden):
			t.leaveOut(number, string(line))
			return nil
		case isPrompt(line):
			t.leaveOut(number, string(line))
			if begun {
				return between
			}
			return nil
		}
		begun = true
		return line
	})
	if logs > 0 {
		t.leaveOut(logs, "the logs up to the end")
	}
}

// isPrompt reports whether a line is a command of kubectl that was typed in a shell.
func isPrompt(line []byte) bool {
	m := prompt().FindSubmatch(line[:min(len(line), 400)])
	return m != nil && !bytes.Contains(m[1], []byte(": "))
}

// IsClusterInfo reports whether a text is what kubectl cluster-info dump prints to standard output, or one of the files that
// it writes into a folder: it alone prints lists of one kind of these controllers.
func IsClusterInfo(data []byte) bool {
	return bytes.Contains(data, []byte("\n"+string(logsStart))) ||
		bytes.Contains(data[:min(len(data), 200)], []byte(`"kind": "ReplicationControllerList"`))
}

// named returns the problem of a form that has no state of a cluster.
func named(file File) *strict.Problem {
	p := &strict.Problem{File: file.Name, Line: 1, Column: 1}
	begin := bytes.TrimSpace(file.Data[:min(len(file.Data), 4<<10)])
	switch {
	case bytes.HasPrefix(begin, []byte("NAME: ")) && bytes.Contains(file.Data, []byte("\nMANIFEST:\n")):
		release := string(bytes.TrimSpace(bytes.SplitN(begin[len("NAME: "):], []byte("\n"), 2)[0]))
		p.What = "this is what helm get all prints of a release, and no state of a cluster"
		p.Want = "helm get manifest " + release + " prints what sim plan reads; the state is what kubectl get sts,pods " +
			"-o yaml prints"
	case managedResources().Match(begin):
		p.What = "these are the managed resources of an application of Argo CD, with the objects as text"
		p.Want = "argocd app manifests APPLICATION prints what sim plan reads; the state is what kubectl get sts,pods " +
			"-o yaml prints"
	default:
		return nil
	}
	return p
}

// managedResources matches the answer of Argo CD's API: its items have no kind List around them, and states in text.
var managedResources = lazy.Regexp(`(?s)^\{\s*"items":\s*\[\s*\{[^{}]*"(targetState|liveState|normalizedLiveState)":\s*"`)
