package store

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// The API shows the offending value of a refusal as JSON.

func labelsJSON(labels map[string]string) string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		pairs = append(pairs, strconv.Quote(name)+":"+strconv.Quote(labels[name]))
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

// blockJSON renders a rollingUpdate block as the API's internal type has it: with Go's names of the fields.
func blockJSON(block *model.RollingUpdate) string {
	value := "null"
	if m := block.MaxUnavailable; m != nil && m.Percent {
		value = strconv.Quote(m.String())
	} else if m != nil {
		value = m.String()
	}
	return fmt.Sprintf(`{"Partition":%d,"MaxUnavailable":%s}`, block.Partition, value)
}

func claimTemplatesJSON(templates []model.ClaimTemplate) string {
	texts := make([]string, len(templates))
	for i := range templates {
		texts[i] = fmt.Sprintf(`{"metadata":{"name":%q},"spec":%s}`, templates[i].Name, templates[i].Data)
	}
	return "[" + strings.Join(texts, ",") + "]"
}
