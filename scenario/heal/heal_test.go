package heal_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

func TestFind(t *testing.T) {
	const create = "- create: {name: web, replicas: 3, image: \"app:v1\"}\n"
	const undo, remove = "kubectl -n default rollout undo statefulset/web", "kubectl -n default delete pod web-2"
	cases := []struct {
		name, kubelet, steps string
		want                 []string
	}{
		{"a broken image", "rules: [{match: {image: \"app:bad\"}, start: never}]",
			create + "- setImage: {image: \"app:bad\"}\n", []string{undo, remove}},
		{"reverted already", "rules: [{match: {image: \"app:bad\"}, start: never}]",
			create + "- setImage: {image: \"app:bad\"}\n- setImage: {image: \"app:v1\"}\n", []string{remove}},
		{"an unready pod", "start: 1s",
			create + "- unready: {pod: web-2}\n- setImage: {image: \"app:v2\"}\n", []string{remove}},
		{"a pod that does not stop", "rules: [{match: {pod: web-2, nth: 1}, stop: never}]",
			create + "- delete: pod/web-2\n", []string{remove + " --force --grace-period=0"}},
		{"nothing helps", "ready: never", create, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := "kubernetes: \"1.37\"\nkubelet: {" + c.kubelet + "}\nsteps:\n" + c.steps
			s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
			require.NoError(t, err)
			play := func(more []sim.Step) []timeline.Event {
				return sim.New(s.Config(scenario.RunOptions{})).Run(slices.Concat(s.Steps, more))
			}
			key := model.Key{Namespace: "default", Name: "web"}
			events := play(nil)
			require.False(t, heal.Whole(events, key))
			cure := heal.Find(events, key, play)
			if c.want == nil {
				require.Nil(t, cure)
				return
			}
			require.Equal(t, c.want, cure.Commands)
			require.True(t, heal.Whole(cure.Events, key))
			require.Positive(t, cure.Takes)
		})
	}
}
