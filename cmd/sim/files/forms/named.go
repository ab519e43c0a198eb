package forms

import (
	"bytes"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// IsClusterInfo reports whether a text is what kubectl cluster-info dump prints to standard output, or one of the files
// that it writes into a folder: it alone prints lists of one kind of these controllers.
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
		p.Want = shell.Line("helm", "get", "manifest", release) + printsManifests
	case bytes.HasPrefix(begin, []byte("{")) && managedResources().Match(begin):
		p.What = "these are the managed resources of an application of Argo CD, with the objects as text"
		p.Want = "argocd app manifests APPLICATION" + printsManifests
	default:
		return nil
	}
	return p
}

// printsManifests describes a command that prints manifests, and what to do instead.
const printsManifests = " prints what sim plan reads; the state is what kubectl get sts,pods -o yaml prints"

// managedResources matches the answer of Argo CD: no kind is around its items, whose states are text.
var managedResources = lazy.Regexp(
	`^\{\s*"items":\s*\[\s*\{[^{}]*"(targetState|liveState|normalizedLiveState)":\s*"`)
