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

func blockJSON(block *model.RollingUpdate) string {
	text := fmt.Sprintf(`{"partition":%d`, block.Partition)
	if m := block.MaxUnavailable; m != nil && m.Percent {
		text += fmt.Sprintf(`,"maxUnavailable":%q`, m)
	} else if m != nil {
		text += fmt.Sprintf(`,"maxUnavailable":%s`, m)
	}
	return text + "}"
}

func claimTemplatesJSON(templates []model.ClaimTemplate) string {
	texts := make([]string, len(templates))
	for i := range templates {
		texts[i] = fmt.Sprintf(`{"metadata":{"name":%q},"spec":%s}`, templates[i].Name, templates[i].Data)
	}
	return "[" + strings.Join(texts, ",") + "]"
}
