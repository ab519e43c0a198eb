package conformance

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// appLabel is the label by which all sets of this package select their pods.
const appLabel = "app"

// newTemplate returns a pod template with one container. Its Data is what Kubernetes itself would write into a
// revision: before 1.34 it writes a creation timestamp that is null.
func newTemplate(image string, labels map[string]string, volumes []string, nullTimestamp bool) *model.Template {
	metadata := map[string]any{"labels": labels}
	if nullTimestamp {
		metadata["creationTimestamp"] = nil
	}
	container := map[string]any{"name": "app", "image": image, "resources": map[string]any{}}
	spec := map[string]any{"containers": []any{container}}
	t := &model.Template{
		Labels: maps.Clone(labels), Containers: []model.Container{{Name: "app", Image: image}}, Grace: defaultGrace,
	}
	var list []any
	for _, name := range volumes {
		t.Volumes = append(t.Volumes, model.Volume{Name: name})
		list = append(list, map[string]any{"name": name})
	}
	if list != nil {
		spec["volumes"] = list
	}
	data, err := json.Marshal(map[string]any{"metadata": metadata, "spec": spec})
	if err != nil {
		panic(err)
	}
	t.Data = string(data)
	return t
}

// writesNullTimestamps says whether a version writes creation timestamps that are null into revisions: all before
// 1.34.
func writesNullTimestamps(kubernetes string) bool {
	minor, _, _ := strings.Cut(strings.TrimPrefix(kubernetes, "1."), ".")
	n, err := strconv.Atoi(minor)
	return err == nil && n < 34
}

// selector selects by the label of all sets of this package.
func selector() model.Selector {
	return model.Selector{
		Data:  `{"matchLabels":{"app":"web"}}`,
		Needs: []model.Requirement{{Label: appLabel, Values: []string{"web"}}},
	}
}

// newSelector adds an expression to selector, or puts it in its place.
func newSelector(instead bool, expression model.Requirement) model.Selector {
	s := selector()
	data := map[string]any{"matchLabels": map[string]string{appLabel: setName}}
	if instead {
		delete(data, "matchLabels")
		s.Needs = nil
	}
	data["matchExpressions"] = []any{map[string]any{
		"key": expression.Label, "operator": selectorOps[expression.Op], "values": expression.Values,
	}}
	s.Data = string(must(json.Marshal(data)))
	s.Needs = append(s.Needs, expression)
	return s
}

var selectorOps = map[model.SelectorOp]string{
	model.OpIn: "In", model.OpNotIn: "NotIn", model.OpExists: "Exists", model.OpDoesNotExist: "DoesNotExist",
}
