package gc_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/gc"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestCollectorAlone deletes a set with a pod, by each policy.
func TestCollectorAlone(t *testing.T) {
	key, web := model.Key{Namespace: "default", Name: "web"}, model.Key{Namespace: "default", Name: "web-0"}
	for name, c := range map[string]struct {
		policy gc.DeletionPolicy
		// set and pod are when each is gone, negative for never.
		set, pod time.Duration
	}{
		"background": {gc.Background, 0, time.Second},
		"foreground": {gc.Foreground, time.Second, time.Second},
		"orphan":     {gc.Orphan, time.Second, -1},
	} {
		t.Run(name, func(t *testing.T) {
			k := kernel.New(nil)
			s := store.New(model.APIRules{}, k.Now)
			collector := gc.New(k, s, gc.Config{Delay: behaviour.Constant(time.Second)})
			s.Watch(model.KindPod, collector.SeePod)
			s.Watch(model.KindStatefulSet, collector.SeeSet)
			by := store.By{Actor: timeline.User}
			needs := []model.Requirement{{Label: "app", Values: []string{"web"}}}
			labels := map[string]string{"app": "web"}
			set, err := s.As(by).CreateSet(&model.StatefulSet{
				Meta: model.Meta{Namespace: "default", Name: "web"},
				Spec: model.Spec{Selector: model.Selector{Needs: needs}, Template: &model.Template{Labels: labels}},
			})
			require.Nil(t, err)
			owner := model.Owner{Kind: model.KindStatefulSet, Name: "web", UID: set.UID, Controller: true}
			_, err = s.As(by).CreatePod(&model.Pod{
				Meta: model.Meta{Namespace: "default", Name: "web-0", Owners: []model.Owner{owner}}, Template: &model.Template{},
			})
			require.Nil(t, err)
			require.Nil(t, collector.Delete(by, key, c.policy))
			setGone, podGone := time.Duration(-1), time.Duration(-1)
			for {
				for k.Next() {
				}
				if setGone < 0 && s.Set(key) == nil {
					setGone = time.Duration(k.Now())
				}
				if podGone < 0 && s.Pod(web) == nil {
					podGone = time.Duration(k.Now())
				}
				next, any := k.Peek()
				if !any {
					break
				}
				k.Advance(next)
			}
			require.Equal(t, c.set, setGone)
			require.Equal(t, c.pod, podGone)
		})
	}
}
