//go:build real && apiserver

package conformance_test

import (
	"strings"

	"pgregory.net/rapid"
)

// setDraw is where all chance about sets comes from. 0 is the dull answer.
type setDraw struct {
	t *rapid.T
	// kubernetes is the version.
	kubernetes string
}

func (d setDraw) below(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "") }

// mostly gives the first option, and rarely one of the others.
func mostly[T any](d setDraw, options ...T) T {
	return options[max(0, d.below(2*len(options))-len(options))]
}

// long returns a name of a DNS label's length and n more.
func long(n int) string { return strings.Repeat("w", 63+n) }

func (d setDraw) set() map[string]any {
	spec := map[string]any{
		"template": map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"app": mostly(d, "web", "other")}},
			"spec":     map[string]any{"containers": []any{map[string]any{"name": "app", "image": "app:v1"}}},
		},
	}
	switch d.below(8) {
	case 6:
		spec["selector"] = map[string]any{}
	case 7:
	default:
		spec["selector"] = map[string]any{"matchLabels": map[string]any{"app": "web"}}
	}
	spec["serviceName"] = mostly(d, "web", "", "my.svc", "Web", "-web", long(0), long(1))
	for _, field := range fields {
		if value := field.draw(d); value != nil {
			spec[field.name] = value
		}
	}
	name := mostly(d, "web", "my.db", long(0), long(1), "w-0")
	return map[string]any{
		"apiVersion": "apps/v1", "kind": "StatefulSet", "spec": spec,
		"metadata": map[string]any{"name": name, "namespace": "default"},
	}
}

// change changes a field of a spec to another value, or takes it away.
func (d setDraw) change(spec map[string]any) {
	field := fields[d.below(len(fields))]
	if value := field.draw(d); value != nil {
		spec[field.name] = value
	} else {
		delete(spec, field.name)
	}
	if d.below(6) == 5 {
		spec["serviceName"] = mostly(d, "web", "other", "Other")
	}
}

// fields are the fields that versions treat differently; nil leaves one out.
var fields = []struct {
	name string
	draw func(setDraw) any
}{
	{"replicas", func(d setDraw) any { return mostly[any](d, nil, 0, 3, -1) }},
	{"minReadySeconds", func(d setDraw) any { return mostly[any](d, nil, 0, 5, -1) }},
	{"revisionHistoryLimit", func(d setDraw) any { return mostly[any](d, nil, 0, 3) }},
	{"podManagementPolicy", func(d setDraw) any { return mostly[any](d, nil, "Parallel", "OrderedReady") }},
	{"ordinals", func(d setDraw) any {
		return mostly[any](d, nil, map[string]any{"start": 3}, map[string]any{}, map[string]any{"start": -1})
	}},
	{"persistentVolumeClaimRetentionPolicy", func(d setDraw) any {
		return mostly[any](d, nil, map[string]any{"whenScaled": "Delete", "whenDeleted": "Retain"},
			map[string]any{"whenDeleted": "Delete"})
	}},
	{"updateStrategy", setDraw.strategy},
	{"volumeClaimTemplates", setDraw.claims},
}

func (d setDraw) strategy() any {
	block := map[string]any{"partition": 0}
	if d.kubernetes != "1.16" && d.below(2) == 0 {
		// 1.16 crashes where a block has no partition and a type that is not RollingUpdate.
		block = map[string]any{}
	}
	if partition := mostly[any](d, nil, 2, -1); partition != nil {
		block["partition"] = partition
	}
	if most := mostly[any](d, nil, 2, "30%", 0, -1, "0%", "150%"); most != nil {
		block["maxUnavailable"] = most
	}
	var untyped any = map[string]any{"rollingUpdate": block}
	if d.kubernetes == "1.16" {
		// It throws away a block whose type is left out. The defaults of manifests are those of all later versions.
		untyped = nil
	}
	return mostly[any](d, nil,
		map[string]any{"type": "RollingUpdate"},
		map[string]any{"type": "RollingUpdate", "rollingUpdate": block},
		untyped,
		map[string]any{"type": "OnDelete"},
		map[string]any{"type": "OnDelete", "rollingUpdate": block},
		map[string]any{"type": "Recreate"},
		map[string]any{"type": "Recreate", "rollingUpdate": block})
}

func (d setDraw) claims() any {
	if d.below(3) < 2 {
		return nil
	}
	var list []any
	for _, name := range []string{"data", "log"}[:1+d.below(2)] {
		spec := map[string]any{}
		modes := mostly(d, []any{"ReadWriteOnce"}, nil, []any{"RWO"}, []any{"ReadWriteOncePod", "ReadWriteOnce"})
		if modes != nil {
			spec["accessModes"] = modes
		}
		if size := mostly[any](d, "1Gi", nil, "0", "-1"); size != nil {
			spec["resources"] = map[string]any{"requests": map[string]any{"storage": size}}
		}
		list = append(list, map[string]any{"metadata": map[string]any{"name": name}, "spec": spec})
	}
	return list
}
