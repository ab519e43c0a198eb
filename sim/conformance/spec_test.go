package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// newSet makes the set of a create step from the fields of its short form.
func newSet(fields map[string]any, kubernetes string) *model.StatefulSet {
	set := &model.StatefulSet{}
	set.Namespace, set.Name = "default", fields["name"].(string)
	set.Spec.Selector = selector()
	set.Spec.Template = caseTemplate(fields["image"].(string), kubernetes)
	set.Spec.ServiceName = set.Name
	applyFields(&set.Spec, fields)
	if list, given := fields["volumeClaimTemplates"].([]any); given {
		for _, item := range list {
			metadata := item.(map[string]any)["metadata"].(map[string]any)
			template := model.ClaimTemplate{Name: metadata["name"].(string), Data: "{}"}
			set.Spec.ClaimTemplates = append(set.Spec.ClaimTemplates, template)
		}
	}
	return set
}

func caseTemplate(image, kubernetes string) *model.Template {
	return newTemplate(image, map[string]string{appLabel: setName}, nil, writesNullTimestamps(kubernetes))
}

// patched returns a live set with a merge patch of its spec.
func patched(live *model.StatefulSet, patch map[string]any) *model.StatefulSet {
	set := *live
	applyFields(&set.Spec, mergePatch(fieldsOf(&live.Spec), patch))
	return &set
}

// mergePatch merges a patch into an object as RFC 7386 says: null removes.
func mergePatch(object, patch map[string]any) map[string]any {
	merged := maps.Clone(object)
	for _, key := range slices.Sorted(maps.Keys(patch)) {
		value := patch[key]
		inner, isObject := value.(map[string]any)
		switch {
		case value == nil:
			delete(merged, key)
		case isObject:
			old, _ := merged[key].(map[string]any)
			if old == nil {
				old = map[string]any{}
			}
			merged[key] = mergePatch(old, inner)
		default:
			merged[key] = value
		}
	}
	return merged
}

// fieldsOf returns the fields that a patch may change as JSON has them.
func fieldsOf(spec *model.Spec) map[string]any {
	fields := map[string]any{
		"replicas": float64(spec.Replicas), "podManagementPolicy": spec.PodManagement.String(),
		"minReadySeconds":      float64(spec.MinReadySeconds),
		"revisionHistoryLimit": float64(spec.RevisionHistoryLimit),
	}
	strategy := map[string]any{"type": spec.Strategy.Type.String()}
	if block := spec.Strategy.RollingUpdate; block != nil {
		rolling := map[string]any{"partition": float64(block.Partition)}
		if block.MaxUnavailable != nil {
			rolling["maxUnavailable"] = intOrText(block.MaxUnavailable)
		}
		strategy["rollingUpdate"] = rolling
	}
	fields["updateStrategy"] = strategy
	if spec.Retention != nil {
		fields["persistentVolumeClaimRetentionPolicy"] = map[string]any{
			"whenDeleted": retention(spec.Retention.DeleteWithSet), "whenScaled": retention(spec.Retention.DeleteWhenScaled),
		}
	}
	if spec.Ordinals != nil {
		fields["ordinals"] = map[string]any{"start": float64(spec.Ordinals.Start)}
	}
	return fields
}

func retention(deleted bool) string {
	if deleted {
		return "Delete"
	}
	return "Retain"
}

func intOrText(v *model.IntOrPercent) any {
	if v.Percent {
		return v.String()
	}
	return float64(v.Value)
}

// applyFields gives a spec the fields, and the defaults of those that are missing.
func applyFields(spec *model.Spec, fields map[string]any) {
	spec.Replicas = number(fields["replicas"], 1)
	spec.MinReadySeconds = number(fields["minReadySeconds"], 0)
	spec.RevisionHistoryLimit = number(fields["revisionHistoryLimit"], 10)
	spec.PodManagement = model.OrderedReady
	if fields["podManagementPolicy"] == model.Parallel.String() {
		spec.PodManagement = model.Parallel
	}
	spec.Ordinals = nil
	if ordinals, given := fields["ordinals"].(map[string]any); given {
		spec.Ordinals = &model.Ordinals{Start: number(ordinals["start"], 0)}
	}
	spec.Retention = nil
	if policy, given := fields["persistentVolumeClaimRetentionPolicy"].(map[string]any); given {
		spec.Retention = &model.Retention{
			DeleteWithSet: policy["whenDeleted"] == retention(true), DeleteWhenScaled: policy["whenScaled"] == retention(true),
		}
	}
	strategy, _ := fields["updateStrategy"].(map[string]any)
	spec.Strategy = strategyOf(strategy)
}

// strategyOf reads an update strategy. The block of a rolling update is made up only where the type is left out.
func strategyOf(fields map[string]any) model.Strategy {
	var strategy model.Strategy
	typ, given := fields["type"].(string)
	for _, t := range []model.StrategyType{model.RollingUpdateStrategy, model.OnDeleteStrategy, model.RecreateStrategy} {
		if t.String() == typ {
			strategy.Type = t
		}
	}
	block, hasBlock := fields["rollingUpdate"].(map[string]any)
	if !given || hasBlock {
		strategy.RollingUpdate = &model.RollingUpdate{
			Partition: number(block["partition"], 0), MaxUnavailable: maxUnavailable(block["maxUnavailable"]),
		}
	}
	return strategy
}

func maxUnavailable(value any) *model.IntOrPercent {
	if text, isText := value.(string); isText {
		percent, err := strconv.Atoi(strings.TrimSuffix(text, "%"))
		if err != nil {
			panic(fmt.Sprintf("maxUnavailable %q: %v", text, err))
		}
		return &model.IntOrPercent{Value: int32(percent), Percent: true}
	}
	if value == nil {
		return nil
	}
	return &model.IntOrPercent{Value: number(value, 0)}
}

// number reads a number, as JSON has it or as the generator does.
func number(value any, otherwise int32) int32 {
	switch n := value.(type) {
	case float64:
		return int32(n)
	case int:
		return int32(n)
	}
	return otherwise
}
