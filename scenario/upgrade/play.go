package upgrade

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// The images of the pods. What a set really runs does not matter: its first template is template @1.
const (
	imageNew     = "sim.invalid/new"
	imageBroken  = "sim.invalid/broken"
	imageUnready = "sim.invalid/unready"
)

// The times of pods, those of a scenario that gives none. Two versions that differ do so with any times.
const (
	startTime = 1 * time.Second
	readyTime = 2 * time.Second
	stopTime  = 2 * time.Second
)

// patience ends a run that never settles.
const patience = 30 * 24 * time.Hour

// kubelet is how pods behave by their images: one of the images never starts, one is never Ready.
var kubelet = behaviour.Behaviour{
	Default: behaviour.Times{
		Schedule: behaviour.Constant(0), Start: behaviour.Constant(startTime),
		Ready: behaviour.Constant(readyTime), Stop: behaviour.Constant(stopTime),
	},
	Rules: []behaviour.Rule{
		{
			Match: behaviour.Match{Image: imageBroken},
			Times: behaviour.Times{Start: behaviour.Never, Reason: "ImagePullBackOff"},
		},
		{
			Match: behaviour.Match{Image: imageUnready},
			Times: behaviour.Times{Ready: behaviour.Never, Reason: "CrashLoopBackOff"},
		},
	},
}

// player plays what happens to one set.
type player struct {
	set     *model.StatefulSet
	options *Options
	// templates are the set's template with each of the images.
	templates map[string]*model.Template
}

func newPlayer(set *model.StatefulSet, o *Options) *player {
	p := &player{set: set, options: o, templates: map[string]*model.Template{"": set.Spec.Template}}
	for _, image := range []string{imageNew, imageBroken, imageUnready} {
		changed, err := manifest.SetImage(set, set.Spec.Template.Containers[0].Name, image)
		if err != nil {
			panic(fmt.Sprintf("upgrade: %s has no first container: %v", set.Key(), err))
		}
		p.templates[image] = changed.Spec.Template
	}
	return p
}

// play plays a case under a version, up to an instant unless that is 0.
func (p *player) play(c *Case, profile statefulset.Profile, until time.Duration) []timeline.Event {
	if until == 0 {
		until = patience
	}
	script, began := script{player: p}, profile
	script.create(c.first)
	if c.across {
		began = p.options.From
		script.upgrade(profile)
	}
	c.steps(&script)
	return sim.New(sim.Config{
		Controller:  statefulset.New(began),
		API:         began.API(),
		Kubelet:     kubelet,
		Until:       until,
		MaxEvents:   p.options.MaxEvents,
		Interrupted: p.options.Interrupted,
		Header: timeline.Run{
			Format: timeline.FormatVersion, Scenario: p.set.Key().String() + ": " + c.Name,
			Kubernetes: profile.Version(), Until: until,
		},
	}).Run(script.steps)
}

// script are the steps of a case while they are written.
type script struct {
	*player
	steps []sim.Step
	// later is when the next step acts, 0 is once settled.
	later time.Duration
}

// after lets the next step act some time after the one before.
func (s *script) after(d time.Duration) *script {
	s.later = d
	return s
}

func (s *script) step(verb, does string, act func(*sim.User) sim.Outcome) {
	step := sim.Step{Number: len(s.steps) + 1, Verb: verb, Does: does, Act: act}
	if s.later > 0 {
		step.When = sim.When{Trigger: sim.After, D: s.later}
	}
	s.later = 0
	s.steps = append(s.steps, step)
}

func (s *script) create(image string) {
	wanted := *s.set
	wanted.Spec.Template = s.templates[image]
	does := "create " + wanted.Name
	if image != "" {
		does += " with " + imageNames[image]
	}
	s.step("create", does, func(u *sim.User) sim.Outcome {
		stored, err := u.Create(&wanted)
		return outcome(timeline.Created, stored, err)
	})
}

// imageNames are what steps call the images.
var imageNames = map[string]string{
	imageNew: "a new image", imageBroken: "an image that never starts", imageUnready: "an image that is never Ready",
}

func outcome(effect timeline.Effect, stored *model.StatefulSet, err *model.APIError) sim.Outcome {
	if err != nil {
		return sim.Outcome{Effect: timeline.Refused, Err: err}
	}
	return sim.Outcome{Effect: effect, Sets: []*model.StatefulSet{stored}}
}

// upgrade writes a step that moves the control plane to a version.
func (s *script) upgrade(to statefulset.Profile) {
	s.step("upgradeControlPlane", "upgrade the control plane", func(u *sim.User) sim.Outcome {
		u.ReplaceControlPlane(sim.ControlPlane{Controller: statefulset.New(to), API: to.API()})
		return sim.Outcome{Effect: timeline.Done}
	})
}

// change writes a step that changes the set's spec.
func (s *script) change(verb, does string, change func(*model.Spec)) {
	key := s.set.Key()
	s.step(verb, does, func(u *sim.User) sim.Outcome {
		wanted := *u.Set(key)
		change(&wanted.Spec)
		stored, err := u.Update(&wanted)
		return outcome(timeline.Configured, stored, err)
	})
}

func (s *script) image(image string) {
	does := "revert the image"
	if image != "" {
		does = "set " + imageNames[image]
	}
	s.change("setImage", does, func(spec *model.Spec) { spec.Template = s.templates[image] })
}

func (s *script) scale(replicas int32) {
	s.change("scale", fmt.Sprintf("scale to %d", replicas), func(spec *model.Spec) { spec.Replicas = replicas })
}

// pod writes a step that does something to the pod with an index among the replicas.
func (s *script) pod(verb string, index int, do func(*sim.User, model.Key) bool) {
	key := model.Key{Namespace: s.set.Namespace, Name: s.set.PodName(s.set.Start() + index)}
	s.step(verb, verb+" "+key.Name, func(u *sim.User) sim.Outcome {
		if !do(u, key) {
			return sim.Outcome{Effect: timeline.None}
		}
		return sim.Outcome{Effect: timeline.Done}
	})
}

func (s *script) delete(index int) {
	s.pod("delete", index, func(u *sim.User, key model.Key) bool { return u.DeletePod(key, false) == nil })
}

func (s *script) fail(index int) {
	s.pod("fail", index, func(u *sim.User, key model.Key) bool { return u.FailPod(key, "Evicted") })
}

func (s *script) succeed(index int) {
	s.pod("succeed", index, func(u *sim.User, key model.Key) bool { return u.SucceedPod(key, "Completed") })
}

func (s *script) unready(index int) {
	s.pod("unready", index, func(u *sim.User, key model.Key) bool { return u.UnreadyPod(key, 0) })
}

// deleteAll writes a step that deletes all pods at once, as somebody does who wants them new.
func (s *script) deleteAll() {
	s.step("delete", "delete all pods", func(u *sim.User) sim.Outcome {
		for index := range int(s.set.Spec.Replicas) {
			u.DeletePod(model.Key{Namespace: s.set.Namespace, Name: s.set.PodName(s.set.Start() + index)}, false)
		}
		return sim.Outcome{Effect: timeline.Done}
	})
}
