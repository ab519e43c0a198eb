package plan

import (
	"encoding/json"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/sim/render"
)

// clusterWide are the kinds of objects that belong to no namespace, and that a pod may lack.
var clusterWide = []string{"StorageClass", "PriorityClass", "RuntimeClass", "PersistentVolume"}

// bring lets the dump have what NEW brings before the change is judged: a Secret that a pod waits for is there when the
// change is. node returns an object of NEW, nil if NEW does not have it.
func (in *Input) bring(node func(thing) *yaml.Node) {
	if in.state == nil {
		return
	}
	var brought []dump.Brought
	for _, t := range in.differs {
		object := node(t)
		if object == nil {
			continue
		}
		brought = append(brought, broughtBy(t, object))
	}
	given, cures := in.state.Given(brought, func(template *model.Template, b dump.Brought) bool {
		return slices.Contains(readBy(template, b.Namespace), thing{b.Kind, b.Namespace, b.Name})
	})
	if len(cures) > 0 {
		in.given, in.cures = given.Index(), cures
	}
}

// broughtBy returns what counts of an object of NEW.
func broughtBy(t thing, object *yaml.Node) dump.Brought {
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
	var spec any
	if n := field(object, "spec"); n != nil && n.Decode(&spec) == nil {
		// The API server refuses a spec that is wrong; then nothing of it counts.
		if text, err := json.Marshal(spec); err == nil && json.Unmarshal(text, &b.Spec) != nil {
			b.Spec = dump.BroughtSpec{}
		}
	}
	return b
}

// brings says what NEW brings that pods of a set lack, as a clause; "" for nothing.
func (in *Input) brings(set model.Key) string {
	var hows, clauses []string
	names := map[string][]string{}
	for _, c := range in.cures[set] {
		if name := c.Kind + " " + c.Name; !slices.Contains(names[c.How], name) {
			names[c.How] = append(names[c.How], name)
		}
		if !slices.Contains(hows, c.How) {
			hows = append(hows, c.How)
		}
	}
	for _, how := range hows {
		clauses = append(clauses, render.And(names[how])+", "+how)
	}
	if len(clauses) == 0 {
		return ""
	}
	return "NEW brings " + strings.Join(clauses, ", and ")
}
