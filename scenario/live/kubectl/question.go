// Package kubectl says what kubectl is asked about a live cluster, and reads what it answers.
//
// The questions only read, and never ask for a Secret. A cluster may refuse some kinds, or not have them: the answer
// says which, and the dump that is read from the rest says what is then assumed. This package starts no process and
// reads no clock: its caller does.
package kubectl

import (
	"slices"
	"strings"
	"time"
)

// kinds are the kinds that are asked for, with their groups, so that no namesake of another group answers.
var kinds = []string{
	"statefulsets.apps", "pods", "persistentvolumeclaims", "persistentvolumes", "controllerrevisions.apps",
	"poddisruptionbudgets.policy", "services", "nodes", "events", "resourcequotas",
	"horizontalpodautoscalers.autoscaling", "storageclasses.storage.k8s.io", "namespaces",
}

// Question is what is asked about a cluster.
type Question struct {
	// Context and Kubeconfig are kubectl's own, "" for its choice. Namespace is the namespace, "" for that of the
	// context; All asks for all namespaces instead.
	Context, Kubeconfig, Namespace string
	All                            bool
	// Patience is how long kubectl may take for one request.
	Patience time.Duration
}

// Objects returns the arguments with which kubectl prints the objects that matter, in one List. Kinds that the cluster
// does not have are left out.
func (q Question) Objects(without []string) []string {
	asked := slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool {
		name, _, _ := strings.Cut(kind, ".")
		return slices.Contains(without, name)
	})
	return append([]string{"get", strings.Join(asked, ",")}, q.where()...)
}

// Leases returns the arguments with which kubectl prints what the kubelets renew every 10 s: the clock of the cluster.
func (q Question) Leases() []string {
	q.Namespace, q.All = "kube-node-lease", false
	return append([]string{"get", "leases.coordination.k8s.io"}, q.where()...)
}

// where are the arguments that all questions have.
func (q Question) where() []string {
	return append([]string{"-o", "json", "--request-timeout", q.Patience.String()}, q.Words()...)
}

// Words are the flags of kubectl, and of sim, that say where the question is asked.
func (q Question) Words() []string {
	var words []string
	if q.All {
		words = append(words, "--all-namespaces")
	}
	for _, flag := range [][2]string{
		{"--namespace", q.Namespace}, {"--context", q.Context}, {"--kubeconfig", q.Kubeconfig},
	} {
		if flag[1] != "" {
			words = append(words, flag[0], flag[1])
		}
	}
	return words
}

// SetName returns the name of a StatefulSet as people write it behind a command: web, sts/web or statefulset.apps/web.
func SetName(word string) string {
	if kind, name, found := strings.Cut(word, "/"); found && setKinds[strings.TrimSuffix(kind, ".apps")] {
		return name
	}
	return word
}

// setKinds are the names of the kind.
var setKinds = map[string]bool{"sts": true, "statefulset": true, "statefulsets": true}

// Place names the place in a sentence.
func (q Question) Place() string {
	switch {
	case q.All:
		return "all namespaces"
	case q.Namespace != "":
		return "the namespace " + q.Namespace
	}
	return "the namespace of the context"
}
