package dump

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/sim/output/command"
)

// Owner is the controller of a set or of a pod that is no StatefulSet: of a set it is the custom resource of an
// operator, which writes the set. group is that of its apiVersion, without the version.
type Owner struct{ group, kind, name string }

// NewOwner returns the owner that an owner reference names.
func NewOwner(apiVersion, kind, name string) *Owner {
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group = ""
	}
	return &Owner{group: group, kind: kind, name: name}
}

// String returns KIND NAME, "" for no owner. A kind of which Kubernetes has a namesake has its group too.
func (o *Owner) String() string {
	if o == nil {
		return ""
	}
	if _, namesake := groups[o.kind]; namesake && o.group != "" && !isKubernetes(o.kind, o.group+"/") {
		return o.kind + "." + o.group + " " + o.name
	}
	return o.kind + " " + o.name
}

// Reverts says of a change of an owned set that it does not last, and what to change instead; "" if nobody owns the
// set.
func (o *Owner) Reverts(namespace string) string {
	if o == nil {
		return ""
	}
	resource := strings.TrimSuffix(strings.ToLower(o.kind)+"."+o.group, ".")
	return fmt.Sprintf("The operator of the %s most likely reverts this: change the %[1]s instead (%s)", o,
		command.In(namespace, "edit", resource, o.name))
}
