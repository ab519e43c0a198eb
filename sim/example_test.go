package sim_test

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// A world is built from a controller and a kubelet, played with a few steps, and read from its timeline.
func Example() {
	profile, err := statefulset.Lookup("1.37")
	if err != nil {
		panic(err)
	}
	world := sim.New(sim.Config{
		Controller: statefulset.New(profile),
		API:        profile.API(),
		Kubelet: behaviour.Behaviour{Default: behaviour.Times{
			Start: behaviour.Constant(time.Second), Ready: behaviour.Constant(2 * time.Second),
			Schedule: behaviour.Constant(0), Stop: behaviour.Constant(2 * time.Second),
		}},
	})
	labels := map[string]string{"app": "web"}
	set := &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas: 2,
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Template: &model.Template{Data: "v1", Labels: labels, Containers: []model.Container{{Name: "app", Image: "app:v1"}}},
			Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{}},
		},
	}
	create := sim.Step{Number: 1, Verb: "create", Act: func(u *sim.User) sim.Outcome {
		stored, err := u.Create(set)
		if err != nil {
			return sim.Outcome{Err: err}
		}
		return sim.Outcome{Effect: timeline.Created, Sets: []*model.StatefulSet{stored}}
	}}
	for _, event := range world.Run([]sim.Step{create}) {
		switch event.Kind {
		case timeline.KindPod:
			fmt.Printf("%ss %s %s %s\n", event.T.Seconds(), event.Actor, event.Pod, event.State)
		case timeline.KindResult:
			fmt.Println(event.Result.Verdict)
		}
	}
	// Output:
	// 0s controller web-0 Pending
	// 1s kubelet web-0 Running
	// 3s kubelet web-0 Ready
	// 3s controller web-1 Pending
	// 4s kubelet web-1 Running
	// 6s kubelet web-1 Ready
	// settled
}

// hasty is a controller that creates all pods at once and does nothing else.
type hasty struct{ model.Controller }

func (hasty) Sync(view model.View, calls model.Calls) model.Result {
	set := view.Set()
	for i := range view.Len(model.Replicas) {
		if view.Pod(model.Replicas, i) != nil {
			continue
		}
		pod := &model.Pod{
			Meta: model.Meta{
				Namespace: set.Namespace, Name: set.PodName(set.Start() + i),
				Owners: []model.Owner{{Kind: model.KindStatefulSet, Name: set.Name, UID: set.UID, Controller: true}},
			},
			Template: set.Spec.Template,
		}
		why := model.Why{Code: model.CodeCreate, Object: pod.Name}
		if reply := calls.Do(model.Call{Verb: model.Create, Kind: model.KindPod, Key: pod.Key(), Pod: pod, Why: why}); reply.Err != nil {
			return model.Result{Err: reply.Err}
		}
	}
	return model.Result{}
}

// Any controller can be put into the world. This one borrows the rules of what is enqueued when from the real algorithm
// and brings its own sync.
func Example_otherController() {
	profile, err := statefulset.Lookup("")
	if err != nil {
		panic(err)
	}
	world := sim.New(sim.Config{Controller: hasty{statefulset.New(profile)}, API: profile.API()})
	set := &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas: 3,
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Template: &model.Template{Data: "v1", Labels: map[string]string{"app": "web"}},
		},
	}
	world.Run([]sim.Step{{Act: func(u *sim.User) sim.Outcome {
		stored, err := u.Create(set)
		return sim.Outcome{Err: err, Sets: []*model.StatefulSet{stored}}
	}}})
	for _, pod := range world.Pods() {
		fmt.Println(pod.Name, pod.Phase)
	}
	// Output:
	// web-0 Pending
	// web-1 Pending
	// web-2 Pending
}
