package heal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/heal"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
)

// TestAgain: to let go of a set whose pod does not stop ends its deletion, but a set that is created again waits for
// that pod; so what must end is the pod.
func TestAgain(t *testing.T) {
	s := stuck(t, "rules: [{match: {pod: web-2, nth: 1}, stop: never}]",
		"- create: {name: web, replicas: 3, image: \"app:v1\"}\n- delete: statefulset/web\n  cascade: foreground\n")
	s.State = s.Lab.State(nil)
	old := s.State.Sets[0]
	s.Again = play.Script{heal.WaitGone(key),
		play.Create(&model.StatefulSet{Meta: model.Meta{Namespace: key.Namespace, Name: key.Name}, Spec: old.Spec})}
	best, others := s.Best()
	require.NotNil(t, best)
	require.Equal(t, []string{"kubectl -n default delete pod web-2 --force --grace-period=0",
		"kubectl -n default wait statefulset/web --for=delete --timeout=-1s"}, best.Commands)
	require.Contains(t, best.What, ", and applying again")
	require.NotNil(t, heal.End(best.Events).Set(key).Spec)
	for _, way := range others {
		require.False(t, way.Heals, way.What)
	}
}
