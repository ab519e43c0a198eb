package plan

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/sim/render"
)

// clusterWide are the kinds of objects that belong to no namespace, and that a pod may lack.
var clusterWide = []string{"StorageClass", "PriorityClass", "RuntimeClass"}

// bring lets the dump have what NEW brings before the change is judged: a Secret that a pod waits for is there when the
// change is. node returns an object of NEW, nil if NEW does not have it.
func (in *Input) bring(node func(thing) *yaml.Node) {
	if in.state == nil {
		return
	}
	var brought []dump.Brought
	for _, t := range in.changed {
		object := node(t)
		if object == nil {
			continue
		}
		b := dump.Brought{Kind: t.kind, Namespace: t.namespace, Name: t.name}
		if slices.Contains(clusterWide, t.kind) {
			b.Namespace = ""
		}
		for _, data := range []string{"data", "stringData", "binaryData"} {
			if n := field(object, data); n != nil && n.Kind == yaml.MappingNode {
				for i := 0; i < len(n.Content); i += 2 {
					b.Keys = append(b.Keys, n.Content[i].Value)
				}
			}
		}
		brought = append(brought, b)
	}
	given, cures := in.state.Given(brought, func(template *model.Template, b dump.Brought) bool {
		return slices.Contains(readBy(template, b.Namespace), thing{b.Kind, b.Namespace, b.Name})
	})
	if len(cures) > 0 {
		in.given, in.cures = given.Index(), cures
	}
}

// brings says what NEW brings that pods of a set lack, as a clause; "" for nothing.
func (in *Input) brings(set model.Key) string {
	var names []string
	for _, b := range in.cures[set] {
		if name := b.Kind + " " + b.Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("NEW brings %s, which its pods wait for, or read at each restart of a container", render.And(names))
}
