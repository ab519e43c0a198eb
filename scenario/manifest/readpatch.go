package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Patch is a patch of a StatefulSet, of its spec and its metadata. It does not change.
type Patch struct {
	// Given is the JSON form of the patch, with its nulls, which remove fields.
	Given map[string]any

	// nodes has the node of each field by its path. strategic is false for a plain merge patch.
	nodes     map[string]*yaml.Node
	strategic bool
}

// patchFields are the parts of the object that a patch may change.
var patchFields = []string{"spec", "metadata"}

// ReadPatch reads the keys spec and metadata of a mapping as a patch. A strategic one may have the directives of a
// strategic merge patch. It returns nil if there is a problem.
func ReadPatch(r *strict.Reader, n *yaml.Node, strategic bool) *Patch {
	before := len(r.Problems)
	p := &Patch{nodes: map[string]*yaml.Node{}, strategic: strategic}
	reader := typed{r: r, nodes: p.nodes, nulls: true, directives: strategic}
	p.Given, _ = reader.value(only(n, patchFields), "", reflect.TypeFor[appsv1.StatefulSet]()).(map[string]any)
	if len(r.Problems) > before {
		return nil
	}
	return p
}

// only copies a mapping with some of its keys.
func only(n *yaml.Node, keys []string) *yaml.Node {
	copied := *n
	copied.Content = nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		if slices.Contains(keys, n.Content[i].Value) {
			copied.Content = append(copied.Content, n.Content[i], n.Content[i+1])
		}
	}
	return &copied
}

// JSON renders the patch.
func (p *Patch) JSON() []byte { return mustJSON(p.Given) }

// ChangesTemplate reports whether the patch touches the pod template.
func (p *Patch) ChangesTemplate() bool {
	spec, _ := p.Given["spec"].(map[string]any)
	_, found := spec["template"]
	return found
}

// Summary says what the patch changes: ": replicas to 5, updateStrategy to {…}". A long value is only named.
func (p *Patch) Summary() string {
	spec, _ := p.Given["spec"].(map[string]any)
	var changes []string
	for _, field := range slices.Sorted(maps.Keys(spec)) {
		changes = append(changes, field+glance(spec[field]))
	}
	if p.Given["metadata"] != nil {
		changes = append(changes, "metadata")
	}
	if len(changes) == 0 {
		return ""
	}
	return ": " + strings.Join(changes, ", ")
}

// longestGlance is the greatest length of a value that is shown.
const longestGlance = 70

// glance shows a new value, if it is short.
func glance(value any) string {
	if value == nil {
		return " removed"
	}
	text, err := json.Marshal(value)
	if err != nil || len(text) > longestGlance {
		return ""
	}
	return " to " + strings.ReplaceAll(string(text), `"`, "")
}

// Check notes as problems the values of the patch that every version refuses in any object: it applies the patch to
// a valid example. Rules that depend on the patched object (its selector, its template) are left to the run.
func (p *Patch) Check(r *strict.Reader) {
	patched, err := p.onExample()
	if err != nil {
		return
	}
	Default(patched)
	for _, e := range Validate(patched) {
		n := p.nodes[e.Field]
		if n == nil || strings.HasPrefix(e.Field, "spec.template") || strings.HasPrefix(e.Field, "spec.selector") {
			continue
		}
		r.Problem(n, e.Error(), "no version of Kubernetes accepts this")
	}
}

// CheckLimits notes as a problem that the patch asks for more replicas than the limit.
func (p *Patch) CheckLimits(r *strict.Reader) {
	spec, _ := p.Given["spec"].(map[string]any)
	if replicas, ok := spec["replicas"].(int64); ok {
		checkReplicas(r, p.nodes["spec.replicas"], replicas)
	}
}

// onExample applies the patch to a set that is valid, apart from the effects of the patch.
func (p *Patch) onExample() (*appsv1.StatefulSet, error) {
	example := Object(&model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "example"},
		Spec: model.Spec{
			Selector: model.Selector{Data: `{"matchLabels":{"app":"example"}}`},
			Template: &model.Template{Data: `{"metadata":{"labels":{"app":"example"}},` +
				`"spec":{"containers":[{"name":"app","image":"app"}]}}`},
		},
	})
	data, err := p.apply(mustJSON(example))
	if err != nil {
		return nil, err
	}
	return decodeObject(data)
}

// checkReplicas notes a problem for more replicas than the limit of the options, which protects the memory.
func checkReplicas[T int32 | int64](r *strict.Reader, n *yaml.Node, replicas T) {
	if most := r.Limits.OrDefault().Replicas; int64(replicas) > int64(most) {
		r.Problem(n, fmt.Sprintf("spec.replicas is %d", replicas),
			fmt.Sprintf("write at most %d, or raise the limit with --max-replicas", most))
	}
}
