package heal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestCrashLoops: an undo heals a set whose pods crash if they are Ready between two crashes, which nobody can be sure
// of; to delete them too needs nothing, so it comes first.
func TestCrashLoops(t *testing.T) {
	for name, c := range map[string]struct{ crash, steps, best, undo string }{
		"one pod": {"5s", "- create: {name: web, replicas: 1, image: \"app:v1\"}\n", "undoing the rollout and deleting web-0",
			"web-0 is Ready for a moment when its container starts again"},
		"pods that run at the same time": {"12s", "- create: {name: web, replicas: 2, image: \"app:v1\"}\n",
			"undoing the rollout and deleting web-0, web-1", "web-0, web-1 are all Ready at one moment between their crashes"},
		"pods that never do": {"3s", "- create: {name: web, replicas: 2, image: \"app:v1\"}\n",
			"undoing the rollout and deleting web-0, web-1", "no"},
	} {
		t.Run(name, func(t *testing.T) {
			best, others := stuck(t, "rules: [{match: {image: \"app:bad\"}, crash: "+c.crash+"}]",
				c.steps+"- setImage: {image: \"app:bad\"}\n").Best()
			require.NotNil(t, best)
			require.Equal(t, c.best, best.What)
			require.Empty(t, best.Needs)
			for _, way := range others {
				if way.What == "undoing the rollout" {
					require.Equal(t, c.undo != "no", way.Heals)
					require.Equal(t, c.undo == "no", way.Needs == "")
					require.Contains(t, c.undo, way.Needs)
					return
				}
			}
			t.Fatal("the undo was not tried")
		})
	}
}

// TestAgain: to let go of a set whose pod does not stop ends its deletion, but a set that is created again waits for
// that pod; so what must end is the pod.
func TestAgain(t *testing.T) {
	s := stuck(t, "rules: [{match: {pod: web-2, nth: 1}, stop: never}]",
		"- create: {name: web, replicas: 3, image: \"app:v1\"}\n- delete: statefulset/web\n  cascade: foreground\n")
	s.State = s.Lab.State(nil)
	old := s.State.Sets[0]
	s.Again = play.Script{play.WaitSetGone(key),
		play.Create(&model.StatefulSet{Meta: model.Meta{Namespace: key.Namespace, Name: key.Name}, Spec: old.Spec})}
	best, others := s.Best()
	require.NotNil(t, best)
	require.Equal(t, []string{"kubectl -n default delete pod web-2 --force --grace-period=0",
		"kubectl -n default wait statefulset/web --for=delete --timeout=-1s"}, best.Commands)
	require.Contains(t, best.What, ", and applying again")
	require.NotNil(t, timeline.EndOf(best.Events).Set(key).Spec)
	for _, way := range others {
		require.False(t, way.Heals, way.What)
	}
}
