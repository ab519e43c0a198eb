//go:build real && !(v1_16 || v1_22 || v1_24 || v1_27_4 || v1_29 || v1_31 || v1_33 || v1_34 || v1_35 || v1_35_0 || v1_36)

package conformance_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/upgrade"
	"github.com/statefulsim/statefulsim/scenario/change/upgrade/upgradetest"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/conformance"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestUpgraded plays the sets of the file $UPGRADE_SETS, one a line, through all cases of sim upgrade and into its
// hazards, with the real code where the run has its version, and writes what can be seen to $UPGRADE_PLAYED. Where the
// simulator's controller does something else, it says so. .ci/tasks/differences does that.
func TestUpgraded(t *testing.T) {
	sets, played := os.Getenv("UPGRADE_SETS"), os.Getenv("UPGRADE_PLAYED")
	if sets == "" {
		t.Skip("for .ci/tasks/differences")
	}
	out, err := os.Create(played)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	synctest.Test(t, func(t *testing.T) {
		u := &upgrader{t: t, version: tested(t)}
		for line := range strings.Lines(string(read(t, sets))) {
			var source upgradetest.Source
			if err := json.Unmarshal([]byte(line), &source); err != nil {
				t.Fatal(err)
			}
			if err := json.NewEncoder(out).Encode(u.play(&source)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// upgrader plays sets with the real code of a version.
type upgrader struct {
	t       *testing.T
	version Version
}

// controller returns a controller of a version for one world: the real one, if that is compiled in. What is asked for by
// its own differences alone, to find causes, is the simulator's.
func (u *upgrader) controller(profile statefulset.Profile) model.Controller {
	if compiled, err := statefulset.Lookup(u.version.Kubernetes); err != nil || compiled != profile {
		return statefulset.New(profile)
	}
	return &joining{Controller: statefulset.New(profile), profile: profile, real: New(u.version)}
}

// joining is the real controller in a world that may begin at any instant.
type joining struct {
	model.Controller
	profile statefulset.Profile
	real    *Controller
	begun   bool
}

// Sync lets the real code begin with the first sync.
func (j *joining) Sync(view model.View, calls model.Calls) model.Result {
	if !j.begun {
		j.begun = true
		SetGates(j.profile)
		j.real.Begin(j.profile, view.Now())
	}
	return j.real.Sync(view, claiming{calls, view.Set()})
}

// claiming gives the claims that the real code creates what their templates ask for, which is not converted.
type claiming struct {
	model.Calls
	set *model.StatefulSet
}

// Do passes a call on.
func (c claiming) Do(call model.Call) model.Reply {
	if call.Verb == model.Create && call.Claim != nil {
		_, ordinal := model.SplitPodName(call.Claim.Name)
		for i := range c.set.Spec.ClaimTemplates {
			if t := &c.set.Spec.ClaimTemplates[i]; model.ClaimName(c.set, t, ordinal) == call.Claim.Name {
				claim := *call.Claim
				claim.Data, claim.Facts = t.Data, t.Facts
				call.Claim = &claim
			}
		}
	}
	return c.Calls.Do(call)
}

// play plays a set with both controllers.
func (u *upgrader) play(source *upgradetest.Source) *upgradetest.Played {
	played := &upgradetest.Played{File: source.File, Key: source.Key, Cases: map[string]string{}, Hazards: map[string]string{}}
	note := func(into map[string]string, name, ours, theirs string) {
		into[name] = upgradetest.Digest(theirs)
		if difference := conformance.FirstDifference(ours, theirs); difference != "" && played.Unlike == "" {
			played.Unlike = fmt.Sprintf("%s: %s", name, difference)
		}
	}
	o, side := u.options(source)
	set := u.setOf(source)
	ours := set.Show("", o)
	o.Controller = u.controller
	for i, theirs := range set.Show("", o) {
		note(played.Cases, theirs.Case, upgradetest.Seen(ours[i].Runs[side]), upgradetest.Seen(theirs.Runs[side]))
	}
	object := u.objectOf(source)
	profile := []statefulset.Profile{o.From, o.To}[side]
	for _, trap := range upgradetest.Hazards {
		note(played.Hazards, trap, upgradetest.Seen(upgradetest.Meet(trap, object, play.Lab{Profile: profile})),
			upgradetest.Seen(upgradetest.Meet(trap, object, play.Lab{Profile: profile, Controller: u.controller})))
	}
	return played
}

// options returns the upgrade, and which of its versions is compiled in.
func (u *upgrader) options(source *upgradetest.Source) (o upgrade.Options, side int) {
	o = upgrade.Options{Names: [2]string{source.From, source.To}, MaxEvents: 100_000}
	for i, profile := range []*statefulset.Profile{&o.From, &o.To} {
		found, err := statefulset.Lookup(o.Names[i])
		if err != nil {
			u.t.Fatal(err)
		}
		*profile = found
		if found.Version() == u.version.Kubernetes {
			side = i
		}
	}
	return o, side
}

func (u *upgrader) setOf(source *upgradetest.Source) *upgrade.Set {
	in := &upgrade.Input{}
	if err := in.Read(source.File, []byte(source.Text), strict.Limits{}); err != nil {
		u.t.Fatal(err)
	}
	at := slices.IndexFunc(in.Sets, func(set *upgrade.Set) bool { return set.Key.String() == source.Key })
	if at < 0 {
		u.t.Fatalf("%s has no %s", source.File, source.Key)
	}
	return in.Sets[at]
}

// objectOf returns the set as it is created.
func (u *upgrader) objectOf(source *upgradetest.Source) *model.StatefulSet {
	stream := strict.ParseStream(source.File, []byte(source.Text), strict.Limits{})
	r := stream.Reader(source.File, strict.Limits{})
	r.Lenient = true
	for _, set := range manifest.Read(r, stream.Docs).Sets {
		object, err := set.New("default")
		if err == nil && object.Key().String() == source.Key {
			return object
		}
	}
	u.t.Fatalf("%s has no %s", source.File, source.Key)
	return nil
}
