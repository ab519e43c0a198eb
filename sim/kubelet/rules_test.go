package kubelet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kubelet"
)

func TestARuleMayBeForOneTemplate(t *testing.T) {
	behaviour := kubelet.Behaviour{
		Default: kubelet.Times{Ready: kubelet.Constant(1)},
		Rules:   []kubelet.Rule{{Match: kubelet.Match{Template: 2}, Times: kubelet.Times{Ready: kubelet.Never}}},
	}
	ready := func(id int) kubelet.Delay {
		pod := &model.Pod{Meta: model.Meta{Name: "web-0"}, Template: &model.Template{ID: id}}
		return behaviour.For(kubelet.Subject{Pod: pod, StatefulSet: "web", Nth: 1}).Ready
	}
	require.Equal(t, kubelet.Constant(1), ready(1))
	require.Equal(t, kubelet.Never, ready(2))
}
