package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

// TestRatcheting: what a version has begun to refuse in new sets does not keep the old ones from being changed.
func TestRatcheting(t *testing.T) {
	rules := model.APIRules{LabelName: true, LabelService: true, CheckClaims: true, FieldErrors: true}
	old := &model.StatefulSet{Meta: model.Meta{Name: "my.db"}, Spec: model.Spec{
		ServiceName:    "my.svc",
		Selector:       model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"db"}}}},
		Template:       &model.Template{Labels: map[string]string{"app": "db"}},
		ClaimTemplates: []model.ClaimTemplate{{Name: "data", Facts: &model.ClaimFacts{}}},
	}}
	require.Len(t, validateCreate(old, rules), 4)
	set := *old
	set.Spec.Replicas = 5
	require.Empty(t, validateUpdate(&set, old, rules))
	set.Spec.Replicas = -1
	require.Len(t, validateUpdate(&set, old, rules), 1)
}
