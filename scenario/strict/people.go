package strict

import (
	"bytes"
	"strings"

	"github.com/statefulsim/statefulsim/sim/output/lazy"
)

var (
	getText      = lazy.Regexp(`^(NAMESPACE\s+)?(NAME\s+[A-Z]|LAST SEEN\s)`)
	describeText = lazy.Regexp(`^Name: {5,}\S`)
	nothingText  = lazy.Regexp(`^No resources found`)
	// helmText is how the lines begin that Helm, and the Kubernetes client in it, print beside manifests.
	helmText = lazy.Regexp(`^(Pulled|Digest|NAME|LAST DEPLOYED|NAMESPACE|STATUS|REVISION|TEST SUITE|HOOKS|MANIFEST|` +
		`NOTES|WARNING|USER-SUPPLIED VALUES|COMPUTED VALUES|walk\.go|coalesce\.go|level=\w+.*|[WEI]\d{4} .*)(:|$)`)
	errorText = lazy.Regexp(`^(Error from server\b|error: \S|Unable to connect to the server: |` +
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
	case getText().Match(first):
		p.What, p.Want = "this is the table that kubectl get prints", "use kubectl get -o yaml"
	case describeText().Match(first):
		p.What, p.Want = "this is what kubectl describe prints", "use kubectl get -o yaml"
	case nothingText().Match(first):
		p.What = "this is a message of kubectl, which has found nothing"
		p.Want = "name the namespace with -n, or take all with -A: kubectl get sts,pods -o yaml -A"
	case Message(string(first)):
		return message(file, 1, string(first))
	case errorText().Match(first):
		p.What = "this is an error of kubectl: " + strings.TrimSpace(Shorten(string(first)))
		p.Want = "mend that first, and pass what kubectl get -o yaml prints"
	default:
		return nil
	}
	return p
}

// Message says whether a line is one that Helm prints for people, before or after the manifests.
func Message(line string) bool { return helmText().MatchString(line) }

// message is the problem of such a line.
func message(file string, line int, text string) *Problem {
	return &Problem{File: file, Line: line, Column: 1, What: MessageIs(text), Want: NoMessage}
}

// MessageIs says of a line that it is a message of Helm, and NoMessage what to do about that.
func MessageIs(line string) string {
	return "this is a message of Helm: " + Shorten(strings.TrimSpace(line))
}

// NoMessage is the advice for such a line.
const NoMessage = "pass only the manifests: helm template prints them on standard output, and 2> /dev/null leaves " +
	"the messages out"
