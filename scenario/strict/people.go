package strict

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

var (
	getText      = lazy.Regexp(`^(NAMESPACE\s+)?(NAME\s+[A-Z]|LAST SEEN\s)`)
	describeText = lazy.Regexp(`^Name: {5,}\S`)
	nothingText  = lazy.Regexp(`^No resources found`)
	// helmText matches the lines that Helm, and its Kubernetes client, print next to manifests.
	helmText = lazy.Regexp(`^(Pulled|Digest|NAME|LAST DEPLOYED|NAMESPACE|STATUS|REVISION|TEST SUITE|HOOKS|MANIFEST|` +
		`NOTES|WARNING|USER-SUPPLIED VALUES|COMPUTED VALUES|walk\.go|coalesce\.go|level=\w+.*)(:|$)`)
	// clientText matches the log lines of the Kubernetes client in kubectl and in Helm about errors.
	clientText = lazy.Regexp(`^([WEIF]\d{4} \d\d:|Warning: \S)`)
	// logged is what such a line has before the message: level, date, time, thread and place in the code.
	logged    = lazy.Regexp(`^[WEIF]\d{4} [\d:.]+ +\d+ [\w./-]+:\d+\] `)
	errorText = lazy.Regexp(`^(Error from server\b|[eE]rror: \S|Unable to connect to the server: |` +
		`The connection to the server )`)
)

// forPeople returns the problem of a text that kubectl prints for people, nil if it does not look like one. YAML would
// read such a table, or a message, as one long text or as a mapping.
func forPeople(file string, data []byte) *Problem {
	first := data
	if end := bytes.IndexByte(data, '\n'); end >= 0 {
		first = data[:end]
	}
	p := &Problem{File: file, Line: 1, Column: 1}
	switch {
	case IsSession(first):
		return session(file)
	case beginsManifest(first):
		return nil
	case getText().Match(first):
		p.What, p.Want = "this is the table that kubectl get prints", "use kubectl get -o yaml"
	case describeText().Match(first):
		p.What, p.Want = "this is what kubectl describe prints", "use kubectl get -o yaml"
	case nothingText().Match(first):
		p.What = "this is a message of kubectl, which has found nothing"
		p.Want = "name the namespace with -n, or take all with -A: kubectl get sts,pods -o yaml -A"
	case Message(string(first)):
		return message(file, 1, string(first))
	default:
		return nil
	}
	return p
}

// beginsManifest reports whether a line starts like nearly all manifests and unlike text for people, which is
// quicker than looking for such text.
func beginsManifest(line []byte) bool {
	return slices.ContainsFunc([]string{"apiVersion:", "kind:", "---", "{", "#"}, func(begin string) bool {
		return bytes.HasPrefix(line, []byte(begin))
	})
}

// IsSession reports whether a file starts like a recorded session of sim serve.
func IsSession(data []byte) bool { return bytes.HasPrefix(data, []byte(`{"session":`)) }

// Session returns the error for a recorded session in place of another file, nil if the file is not one.
func Session(file string, data []byte) error {
	if !IsSession(data) {
		return nil
	}
	return Problems{*session(file)}
}

// session is the problem of a recorded session.
func session(file string) *Problem {
	return &Problem{File: file, Line: 1, Column: 1, What: "this is a session that sim serve has recorded",
		Want: "play it again with sim serve --replay, or make a scenario of it with sim save"}
}

// Message reports whether a line is one that Helm or kubectl prints for people, before or after the manifests.
func Message(line string) bool {
	return helmText().MatchString(line) || clientText().MatchString(line) || errorText().MatchString(line)
}

// message is the problem of such a line.
func message(file string, line int, text string) *Problem {
	what, want := MessageIs(text)
	return &Problem{File: file, Line: line, Column: 1, What: what, Want: want}
}

// MessageIs says what such a line is, and what to do about it.
func MessageIs(line string) (what, want string) {
	text := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(line, "Error: "):
		return "this is an error of Helm: " + Shorten(text), "mend that first, and pass what helm template prints"
	case errorText().MatchString(line):
		return "this is an error of kubectl: " + Shorten(text), mendFirst
	case clientText().MatchString(line):
		want := NoMessage
		if line[0] == 'E' || line[0] == 'F' {
			want = mendFirst
		}
		return "this is logged by the client of Kubernetes: " + Shorten(logged().ReplaceAllString(text, "")), want
	}
	return "this is a message of Helm: " + Shorten(text), NoMessage
}

// mendFirst is the advice where a program did not print what it should.
const mendFirst = "mend that first, and pass what kubectl get -o yaml prints"

// NoMessage is the advice for such a line.
const NoMessage = "pass only the manifests: helm template prints them on standard output, and 2> /dev/null leaves " +
	"the messages out"

// rejoin finds values of a flow mapping that end at a comma of their own, as `{that: pods.all(p, p.ready)}` does,
// notes a problem for each, and gives them back the rest, so that the next read sees the intended value. It changes
// n.
func (r *resolver) rejoin(n *yaml.Node) {
	var kept []*yaml.Node
	joined := map[*yaml.Node]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		var before *yaml.Node
		if len(kept) > 0 {
			before = kept[len(kept)-1]
		}
		if before == nil || !isPlain(before) || !isPlain(key) || !isPlain(value) || !isOpen(before.Value) {
			kept = append(kept, key, value)
			continue
		}
		whole := *before
		whole.Tag = "!!str"
		whole.Value += ", " + key.Value
		if value.Value != "" {
			whole.Value += ": " + value.Value
		}
		delete(joined, before)
		joined[&whole] = true
		kept[len(kept)-1] = &whole
	}
	for _, value := range kept {
		if joined[value] {
			r.problems.add(at(r.file, value, "YAML ends this value at its comma: "+Shorten(head(value.Value)),
				"quote this: "+Quote(cut(value.Value, maxQuoted))))
		}
	}
	n.Content = kept
}

// maxQuoted is the greatest length of a quoted text that a message repeats.
const maxQuoted = 200

// head returns the part of a value that YAML has kept, if it ended the value at a comma.
func head(text string) string {
	left, _, _ := strings.Cut(text, ", ")
	return left
}

// maxOpen is the greatest length of a value that is examined: longer conditions are always quoted.
const maxOpen = 1000

// isOpen reports whether a text has a bracket that it does not close. A very long text counts as closed.
func isOpen(text string) bool {
	return len(text) < maxOpen && strings.Count(text, "(") > strings.Count(text, ")")
}

// isPlain reports whether a node is a single value without quotes.
func isPlain(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style&^yaml.TaggedStyle == 0 && n.Anchor == ""
}
