package container

import (
	"path"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/shell"
)

// pages is where httpd finds the file of a path.
const pages = "/usr/local/apache2/htdocs"

// Shut reports whether a container of a pod lacks what its readiness probe looks for.
func (f Files) Shut(of Objects, pod *objects.Object) bool {
	for _, c := range pod.Fields.List("spec", "containers") {
		if probe := c.Map("readinessProbe"); probe != nil && !passes(f.Shell(of, pod, c), c, probe) {
			return true
		}
	}
	return false
}

// passes reports whether a readiness probe passes, as far as files decide. An httpGet probe passes if the file at
// its path exists, and an exec probe if its command succeeds. A command whose program a simulated container does
// not have succeeds.
func passes(sh *shell.Shell, container, probe kinds.Fields) bool {
	if at := served(container, probe); at != "" {
		_, is := sh.Files.Get(at)
		return is
	}
	command := probe.Words("exec", "command")
	return len(command) == 0 || sh.Exec(command, "").Code == 0 || len(sh.Unknown) > 0
}

// served returns the file of the path of a probe with httpGet, "" if there is none.
func served(container, probe kinds.Fields) string {
	at, _, _ := strings.Cut(probe.Text("httpGet", "path"), "?")
	switch at = path.Join("/", at); {
	case at == "/":
		return ""
	case strings.Contains(container.Text("image"), "httpd"):
		return pages + at
	}
	return at
}
