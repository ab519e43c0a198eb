package conformance

import (
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// maxEvents ends a run that never comes to rest.
const maxEvents = 10_000

// Profile returns the profile of the case's version and gates.
func (c *Case) Profile() (statefulset.Profile, error) {
	return profileOf(c.Kubernetes, c.FeatureGates)
}

// Play plays the case with a controller, in a world whose API server is that of the case's version.
func (c *Case) Play(controller model.Controller) ([]timeline.Event, error) {
	events, _, err := c.play(controller)
	return events, err
}

// PlayWhole also renders the run as Whole does.
func (c *Case) PlayWhole(controller model.Controller) (events []timeline.Event, whole string, err error) {
	events, notes, err := c.play(controller)
	if err != nil {
		return nil, "", err
	}
	return events, Whole(events, notes), nil
}

// PlayPlain plays the case with the simulator's controller as sim run does: nothing stands between the two.
func (c *Case) PlayPlain() ([]timeline.Event, error) {
	profile, err := c.Profile()
	if err != nil {
		return nil, err
	}
	config, err := c.config(statefulset.New(profile))
	if err != nil {
		return nil, err
	}
	return sim.New(config).Run(c.steps()), nil
}

func (c *Case) play(controller model.Controller) ([]timeline.Event, []note, error) {
	writer := newRecorder(controller, c.Refused)
	config, err := c.config(writer)
	if err != nil {
		return nil, nil, err
	}
	world := sim.New(config)
	if clocked, ok := controller.(interface{ Clock(func() model.Time) }); ok {
		clocked.Clock(world.Now)
	}
	events := world.Run(c.steps())
	return events, writer.notes, nil
}

// config returns the world of the case with a controller.
func (c *Case) config(controller model.Controller) (sim.Config, error) {
	profile, err := c.Profile()
	if err != nil {
		return sim.Config{}, err
	}
	until, err := time.ParseDuration(c.Until)
	if err != nil {
		return sim.Config{}, err
	}
	config := sim.Config{
		Controller: controller, API: profile.API(), Kubelet: c.behaviour(), Until: until, MaxEvents: maxEvents,
	}
	if c.Collector != nil {
		config.Collector.Delay = delay(c.Collector.Delay)
	}
	if c.APIServer != nil {
		config.Machinery = sim.Machinery{Watch: delay(c.APIServer.Watch), Write: delay(c.APIServer.Write)}
	}
	return config, nil
}

func (c *Case) behaviour() behaviour.Behaviour {
	kubelet := behaviour.Behaviour{Default: c.Kubelet.times()}
	for _, rule := range c.Kubelet.Rules {
		kubelet.Rules = append(kubelet.Rules, behaviour.Rule{
			Match: behaviour.Match{Image: rule.Match.Image, Ordinal: rule.Match.Ordinal, Nth: rule.Match.Nth},
			Times: rule.times(),
		})
	}
	return kubelet
}

func (t *Times) times() behaviour.Times {
	return behaviour.Times{
		Schedule: delay(t.Schedule), Start: delay(t.Start), Ready: delay(t.Ready), Stop: delay(t.Stop), Fail: delay(t.Fail),
	}
}

func delay(text string) behaviour.Delay {
	switch text {
	case "":
		return nil
	case "never":
		return behaviour.Never
	}
	return behaviour.Constant(must(time.ParseDuration(text)))
}

func (c *Case) steps() []sim.Step {
	steps := make([]sim.Step, len(c.Steps))
	for i := range c.Steps {
		step := &c.Steps[i]
		steps[i] = sim.Step{Number: i + 1, Act: func(u *sim.User) sim.Outcome { return step.act(u, c.Kubernetes) }}
		if step.After != nil {
			steps[i].When = sim.When{Trigger: sim.After, D: must(time.ParseDuration(*step.After))}
		}
	}
	return steps
}

func (s *Step) act(u *sim.User, kubernetes string) sim.Outcome {
	switch {
	case s.Create != nil:
		_, err := u.Create(newSet(s.Create, kubernetes))
		return sim.Outcome{Effect: timeline.Created, Err: err}
	case s.Scale != nil:
		return change(u, s.Scale.StatefulSet, func(live *model.StatefulSet) *model.StatefulSet {
			set := *live
			set.Spec.Replicas = s.Scale.Replicas
			return &set
		})
	case s.SetImage != nil:
		return change(u, s.SetImage.StatefulSet, func(live *model.StatefulSet) *model.StatefulSet {
			set := *live
			set.Spec.Template = caseTemplate(s.SetImage.Image, kubernetes)
			return &set
		})
	case s.Patch != nil:
		return change(u, s.Patch.StatefulSet, func(live *model.StatefulSet) *model.StatefulSet {
			return patched(live, s.Patch.Spec)
		})
	}
	return s.actOnObject(u)
}

func change(u *sim.User, name string, how func(*model.StatefulSet) *model.StatefulSet) sim.Outcome {
	live := u.Set(model.Key{Namespace: "default", Name: name})
	if live == nil {
		return sim.Outcome{Effect: timeline.None}
	}
	_, err := u.Update(how(live))
	return sim.Outcome{Effect: timeline.Configured, Err: err}
}

// actOnObject does something to a pod, a claim or a set that is there. A step about one that does not exist, or is not
// in a state for it, does nothing.
func (s *Step) actOnObject(u *sim.User) sim.Outcome {
	key := func(name string) model.Key { return model.Key{Namespace: "default", Name: name} }
	switch {
	case s.Fail != nil:
		u.FailPod(key(s.Fail.Pod), "")
	case s.Unready != nil:
		var d time.Duration
		if s.Unready.For != "" {
			d = must(time.ParseDuration(s.Unready.For))
		}
		u.UnreadyPod(key(s.Unready.Pod), d)
	default:
		kind, name, _ := strings.Cut(s.Delete, "/")
		s.remove(u, kind, key(name))
	}
	return sim.Outcome{Effect: timeline.Done}
}

var cascades = map[string]sim.DeletionPolicy{
	"background": sim.Background, "foreground": sim.Foreground, "orphan": sim.Orphan,
}

func (s *Step) remove(u *sim.User, kind string, key model.Key) {
	switch kind {
	case "pod":
		u.DeletePod(key, false)
	case "pvc":
		u.DeleteClaim(key, false)
	default:
		u.DeleteSet(key, cascades[s.Cascade])
	}
}
