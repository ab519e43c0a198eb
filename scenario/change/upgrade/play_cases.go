package upgrade

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
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

// times are the default times of pods. If two versions differ, they do so with any times. They are not all 0, so that
// states of pods last and can be told apart in a timeline.
var times = behaviour.Times{
	Schedule: behaviour.Constant(0), Start: behaviour.Constant(1 * time.Second),
	Ready: behaviour.Constant(2 * time.Second), Stop: behaviour.Constant(2 * time.Second),
}

// byImage says how pods behave by their images: one of the images never starts, one is never Ready.
var byImage = behaviour.Behaviour{
	Default: times,
	Rules: []behaviour.Rule{
		{Match: behaviour.Match{Image: imageBroken},
			Times: behaviour.Times{Start: behaviour.Never, Reason: "ImagePullBackOff"}},
		{Match: behaviour.Match{Image: imageUnready},
			Times: behaviour.Times{Ready: behaviour.Never, Reason: "CrashLoopBackOff"}},
	},
}

// player plays the cases of one set. It must not be used by several goroutines at once.
type player struct {
	options *Options
	// set is the set as given, which is only read; its template must have a container.
	set *model.StatefulSet
	// templates are the set's template with those images that were asked for; "" is its own image.
	templates map[string]*model.Template
	subject   *whatif.Subject
	// matter has for each case the differences that can matter to it.
	matter memo[matter, behaves]
	// begun has for each way to create the set the laboratory in which the set runs and is at rest. A case copies it, and
	// so does not play the creation again.
	begun memo[behaves, *play.Lab]
	// answers are those of API servers to the new set, by their rules.
	answers memo[model.APIRules, stored]
	// strict says whether the newest version, which checks the most, accepts the set.
	strict func() bool
	// has are the differences that each version has.
	has memo[statefulset.Profile, behaves]
	// played are the whole runs so far, ends their results, and looked those of comparing two. A looked row has no names
	// of versions and no command, as hops share it; row copies it.
	played memo[whole, []timeline.Event]
	ends   memo[whole, Outcome]
	looked memo[[2]whole, *Row]
}

// memo has what was made for a key.
type memo[K comparable, V any] map[K]V

// get returns what was made for a key, which it makes the first time.
func (m memo[K, V]) get(key K, first func() V) V {
	made, known := m[key]
	if !known {
		made = first()
		m[key] = made
	}
	return made
}

func newPlayer(set *model.StatefulSet, o *Options) *player {
	p := &player{
		options: o, set: set, templates: map[string]*model.Template{"": set.Spec.Template}, matter: map[matter]behaves{},
		begun: map[behaves]*play.Lab{}, answers: map[model.APIRules]stored{}, has: map[statefulset.Profile]behaves{},
		played: map[whole][]timeline.Event{}, ends: map[whole]Outcome{}, looked: map[[2]whole]*Row{},
	}
	p.subject, p.strict = p.asSubject(), sync.OnceValue(p.isStrict)
	return p
}

// template returns the set's template with an image; "" is its own image, and so is any other of a set without a
// container.
func (p *player) template(image string) *model.Template {
	if len(p.set.Spec.Template.Containers) == 0 {
		return p.set.Spec.Template
	}
	if p.templates[image] == nil {
		changed, err := manifest.SetImage(p.set, p.set.Spec.Template.Containers[0].Name, image)
		if err != nil {
			panic(fmt.Sprintf("upgrade: %s has no first container: %v", p.set.Key(), err))
		}
		p.templates[image] = changed.Spec.Template
	}
	return p.templates[image]
}

// raised returns the minReadySeconds of the case "together": twice the set's own and at least whatif.Raised, and so
// always a change.
func (p *player) raised() int32 { return max(2*p.set.Spec.MinReadySeconds, whatif.Raised) }

// asSubject returns the set as the catalogue of cases has it: its change is a new image.
func (p *player) asSubject() *whatif.Subject {
	// The lowest pod that an update reaches, or of all if it reaches none.
	low := p.set.Partition()
	if low >= int(p.set.Spec.Replicas) {
		low = 0
	}
	return &whatif.Subject{
		Key: p.set.Key(), Live: p.set, Wanted: p.set, Template: 2, Rolls: true, Times: times,
		Change: p.image(imageNew), Low: p.set.PodName(p.set.Start() + low),
		Middle: whatif.Soon, Pause: 10 * time.Second,
		Images: &whatif.Images{
			New: p.image(imageNew), Broken: p.image(imageBroken), Unready: p.image(imageUnready), Revert: p.image(""),
			Slower: p.change("set a new image, and raise minReadySeconds", func(spec *model.Spec) {
				spec.Template, spec.MinReadySeconds = p.template(imageNew), p.raised()
			}),
		},
	}
}

func (p *player) cases() []*whatif.Case {
	var cases []*whatif.Case
	for _, c := range whatif.For(whatif.OfVersions) {
		if c.Fits == nil || c.Fits(p.subject) {
			cases = append(cases, c)
		}
	}
	return cases
}

// of returns the function that plays a case under any version. If the case is an upgrade, the set is created under the
// first version of the hop. A run that was played in full is not played again up to an instant.
func (p *player) of(c *whatif.Case, h *hop) Play {
	return func(profile statefulset.Profile, until time.Duration) []timeline.Event {
		key := p.wholeOf(c, h, profile)
		if until == 0 || p.played[key] != nil {
			return p.whole(c, h, profile, key)
		}
		return p.play(c, h.from, profile, until)
	}
}

// play plays a case under a version, up to an instant; 0 means to its end, at most play.Patience. If the case is an
// upgrade, the set is created under from, and the upgrade of the control plane to profile is the first step after
// that.
func (p *player) play(c *whatif.Case, from, profile statefulset.Profile, until time.Duration) []timeline.Event {
	began, script := profile, play.Script{p.create(c)}
	if c.Across {
		began = from
		script = script.Then(p.empty(profile).Upgrade())
	}
	lab := *p.lab(began)
	if c.First {
		lab = *p.empty(began)
	}
	until = cmp.Or(until, play.Patience)
	lab.World.Until, lab.World.Header = until, timeline.Run{
		Scenario: p.set.Key().String() + ": " + c.Name, Kubernetes: profile.Version(), Until: until,
	}
	return lab.Run(script.Then(c.Script(p.subject)...))
}

func (p *player) empty(profile statefulset.Profile) *play.Lab {
	return &play.Lab{Profile: profile, Controller: p.options.Controller, World: sim.Config{
		Kubelet: byImage, MaxEvents: p.options.MaxEvents, Interrupted: p.options.Interrupted,
		Hasty: !p.options.everything,
	}}
}

func (p *player) lab(profile statefulset.Profile) *play.Lab {
	return p.empty(profile).Onwards(p.begun.get(p.creation(profile), func() *play.Lab {
		return p.empty(profile).Begun(play.Script{play.Create(p.set)})
	}))
}

// create creates the set, with its own image or the one with which the case begins.
func (p *player) create(c *whatif.Case) play.Deed {
	if !c.First {
		return play.Create(p.set)
	}
	wanted := *p.set
	wanted.Spec.Template = p.template(imageUnready)
	d := play.Create(&wanted)
	d.Does += " with " + imageNames[imageUnready]
	return d
}

// imageNames are the names of the images in steps.
var imageNames = map[string]string{
	imageNew: "a new image", imageBroken: "an image that never starts", imageUnready: "an image that is never Ready",
}

// inWords replaces the images of the cases, which no registry has, by their names.
var inWords = strings.NewReplacer(
	imageNew, imageNames[imageNew], imageBroken, imageNames[imageBroken], imageUnready, imageNames[imageUnready],
)

// image returns the deed that sets an image; "" is the set's own image.
func (p *player) image(image string) play.Deed {
	does := "revert the image"
	if image != "" {
		does = "set " + imageNames[image]
	}
	return p.change(does, func(spec *model.Spec) { spec.Template = p.template(image) })
}

// change returns the deed that changes the spec. It is a setImage by its verb, because judgedFrom looks for that.
func (p *player) change(does string, change func(*model.Spec)) play.Deed {
	d := play.Deed{Verb: "setImage", Does: does}
	return play.Change(p.set.Key(), d, func(_ *sim.User, set *model.StatefulSet) *model.APIError {
		change(&set.Spec)
		return nil
	})
}
