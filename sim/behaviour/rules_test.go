package behaviour_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

func TestARuleMayBeForOneTemplate(t *testing.T) {
	kubelet := behaviour.Behaviour{
		Default: behaviour.Times{Ready: behaviour.Constant(1)},
		Rules:   []behaviour.Rule{{Match: behaviour.Match{Template: 2}, Times: behaviour.Times{Ready: behaviour.Never}}},
	}
	ready := func(id int) behaviour.Delay {
		pod := &model.Pod{Meta: model.Meta{Name: "web-0"}, Template: &model.Template{ID: id}}
		return kubelet.For(behaviour.Subject{Pod: pod, StatefulSet: "web", Nth: 1}).Ready
	}
	require.Equal(t, behaviour.Constant(1), ready(1))
	require.Equal(t, behaviour.Never, ready(2))
}

// TestReadinessMayDependOnACondition of the defaults, or of any of the rules.
func TestReadinessMayDependOnACondition(t *testing.T) {
	condition := behaviour.Times{When: &behaviour.Condition{Text: "pods.size() > 1"}}
	for _, c := range []struct {
		behaviour behaviour.Behaviour
		may       bool
	}{
		{behaviour.Behaviour{}, false},
		{behaviour.Behaviour{Default: condition}, true},
		{behaviour.Behaviour{Rules: []behaviour.Rule{{}, {}}}, false},
		{behaviour.Behaviour{Rules: []behaviour.Rule{{}, {Times: condition}}}, true},
		{behaviour.Behaviour{Default: condition, Rules: []behaviour.Rule{{}}}, true},
	} {
		require.Equal(t, c.may, c.behaviour.Conditional())
	}
}

// TestTheTimesOfASet complete the rule that a pod of it matches, and the defaults complete them.
func TestTheTimesOfASet(t *testing.T) {
	takes := func(n int) behaviour.Delay { return behaviour.Constant(n) }
	kubelet := behaviour.Behaviour{
		Default: behaviour.Times{Schedule: takes(1), Start: takes(1), Ready: takes(1), Stop: takes(1)},
		Rules:   []behaviour.Rule{{Match: behaviour.Match{Template: 2}, Times: behaviour.Times{Ready: takes(3)}}},
		Sets: map[model.Key]behaviour.Times{
			{Namespace: "a", Name: "web"}: {Schedule: takes(2), Ready: takes(2), Stop: takes(2)},
		},
	}
	for _, c := range []struct {
		namespace, set string
		template       int
		want           behaviour.Times
	}{
		{"a", "web", 1, behaviour.Times{Schedule: takes(2), Start: takes(1), Ready: takes(2), Stop: takes(2)}},
		{"a", "web", 2, behaviour.Times{Schedule: takes(2), Start: takes(1), Ready: takes(3), Stop: takes(2)}},
		{"b", "web", 2, behaviour.Times{Schedule: takes(1), Start: takes(1), Ready: takes(3), Stop: takes(1)}},
		{"a", "db", 1, kubelet.Default},
	} {
		pod := &model.Pod{Meta: model.Meta{Namespace: c.namespace}, Template: &model.Template{ID: c.template}}
		of := behaviour.Subject{Pod: pod, StatefulSet: c.set}
		require.Equal(t, c.want, *kubelet.For(of))
		require.Equal(t, c.want.Schedule, kubelet.Schedule(of))
	}
}
