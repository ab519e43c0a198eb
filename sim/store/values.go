package store

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// values renders the offending value of a refusal, which is one of the API server's own types, with Go's names of
// the fields. From 1.34 on it is shown as JSON, before that as Go prints it; maxUnavailable is true if the type has
// that field.
type values struct{ asJSON, maxUnavailable bool }

// valuesOf returns how the API server of the version shows values.
func valuesOf(rules model.APIRules) values {
	return values{rules.JSONValues, rules.MaxUnavailableField}
}

// labels shows labels in the order of their names; nil is null, or Go's nil map.
func (v values) labels(labels map[string]string) string {
	switch {
	case !v.asJSON:
		return fmt.Sprintf("%#v", labels)
	case labels == nil:
		return "null"
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		pairs = append(pairs, strconv.Quote(name)+":"+strconv.Quote(labels[name]))
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

// emptySelector shows a selector without a requirement. Upstream shows the versioned type here, unlike elsewhere.
func (v values) emptySelector() string {
	if v.asJSON {
		return "{}"
	}
	return "v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}"
}

// strategy shows an update strategy. Go prints a pointer for its block: the address differs from run to run on a real
// API server, and is an ellipsis here.
func (v values) strategy(strategy *model.Strategy) string {
	block, shown := strategy.RollingUpdate, "null"
	if v.asJSON {
		if block != nil {
			shown = v.block(block)
		}
		return fmt.Sprintf(`{"Type":%q,"RollingUpdate":%s}`, strategy.Type, shown)
	}
	shown = "nil"
	if block != nil {
		// The API server prints the address of the block here.
		shown = "0x…"
	}
	return fmt.Sprintf("apps.StatefulSetUpdateStrategy{Type:%q, "+
		"RollingUpdate:(*apps.RollingUpdateStatefulSetStrategy)(%s)}", strategy.Type, shown)
}

// block shows a rollingUpdate block, which is not nil. The type of a version without maxUnavailable lacks that field.
func (v values) block(block *model.RollingUpdate) string {
	switch {
	case v.asJSON && block.MaxUnavailable == nil:
		return fmt.Sprintf(`{"Partition":%d,"MaxUnavailable":null}`, block.Partition)
	case v.asJSON:
		return fmt.Sprintf(`{"Partition":%d,"MaxUnavailable":%s}`, block.Partition, v.intOrPercent(block.MaxUnavailable))
	case !v.maxUnavailable:
		return fmt.Sprintf("apps.RollingUpdateStatefulSetStrategy{Partition:%d}", block.Partition)
	case block.MaxUnavailable == nil:
		return fmt.Sprintf("apps.RollingUpdateStatefulSetStrategy{Partition:%d, MaxUnavailable:(*intstr.IntOrString)(nil)}",
			block.Partition)
	}
	// The API server prints the address of maxUnavailable here.
	return fmt.Sprintf("apps.RollingUpdateStatefulSetStrategy{Partition:%d, MaxUnavailable:(*intstr.IntOrString)(0x…)}",
		block.Partition)
}

// intOrPercent shows a number, or a percentage with its sign.
func (v values) intOrPercent(value *model.IntOrPercent) string {
	switch {
	case v.asJSON && value.Percent:
		return strconv.Quote(value.String())
	case v.asJSON:
		return value.String()
	case value.Percent:
		return fmt.Sprintf("intstr.IntOrString{Type:1, IntVal:0, StrVal:%q}", value)
	}
	return fmt.Sprintf(`intstr.IntOrString{Type:0, IntVal:%d, StrVal:""}`, value.Value)
}

// claimTemplatesJSON shows claim templates as JSON: each as it was read from its manifest or, for one that was made
// otherwise, by its name and its spec.
func claimTemplatesJSON(templates []model.ClaimTemplate) string {
	if templates == nil {
		return "null"
	}
	texts := make([]string, len(templates))
	for i := range templates {
		if facts := templates[i].Facts; facts != nil && facts.Shown != "" {
			texts[i] = facts.Shown
			continue
		}
		texts[i] = fmt.Sprintf(`{"metadata":{"name":%q},"spec":%s}`, templates[i].Name, templates[i].Data)
	}
	return "[" + strings.Join(texts, ",") + "]"
}
