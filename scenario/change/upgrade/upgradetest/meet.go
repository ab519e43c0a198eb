// Package upgradetest plays sets into the hazards of an upgrade, and says what can be seen of a run. Only tests import it:
// those of package upgrade with the simulator's controllers, and those of package conformance with Kubernetes' own.
package upgradetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Hazards are the traps of the atlas that a set is played into.
var Hazards = []string{"surplus-holds-up", "percent-of-partition", "below-partition"}

// Source is a set of a file of manifests, and the versions between which it is upgraded.
type Source struct{ File, Text, Key, From, To string }

// Played is what one version did with a set: what can be seen of each run, by the name of the case, or of the trap.
type Played struct {
	File, Key      string
	Cases, Hazards map[string]string
	// Unlike says where the simulator's controller does something else than the one that played; "" if nowhere.
	Unlike string
}

// times are those of the pods. Pods below the partition may never be Ready.
var times = behaviour.Times{
	Schedule: behaviour.Constant(0), Start: behaviour.Constant(time.Second),
	Ready: behaviour.Constant(2 * time.Second), Stop: behaviour.Constant(2 * time.Second),
}

// Meet plays a set into a hazard, in a world of its own with the version, and the controller, of a laboratory.
func Meet(trap string, set *model.StatefulSet, lab play.Lab) []timeline.Event {
	lab.World = sim.Config{Kubelet: behaviour.Behaviour{Default: times}, MaxEvents: 20_000, Until: time.Hour}
	key, script := set.Key(), play.Script{play.Create(set)}
	switch trap {
	case "surplus-holds-up":
		surplus := set.PodName(set.Start() + int(set.Spec.Replicas))
		lab.World.Faults = []sim.Fault{{Number: 1, Error: model.Forbidden, Times: 50, Write: &sim.WriteMatch{
			Verbs: []model.Verb{model.Delete}, Kinds: []model.Kind{model.KindPod}, Name: surplus, Nth: 1}}}
		low := model.Key{Namespace: key.Namespace, Name: set.PodName(set.Start())}
		script = script.Then(play.Scale(key, set.Spec.Replicas+1), play.Scale(key, set.Spec.Replicas),
			play.Delete(low, true).After(time.Second))
	case "below-partition":
		lab.World.Kubelet.Rules = []behaviour.Rule{{Match: behaviour.Match{That: func(pod *model.Pod) bool {
			return set.BelowPartition(set.OrdinalOf(pod.Name))
		}}, Times: behaviour.Times{Ready: behaviour.Never}}}
		script = script.Then(updated(set))
	default:
		script = script.Then(updated(set))
	}
	return lab.Run(script)
}

// updated gives the first container of a set another image.
func updated(set *model.StatefulSet) play.Deed {
	name := ""
	if containers := set.Spec.Template.Containers; len(containers) > 0 {
		name = containers[0].Name
	}
	return play.SetImage(set.Key(), name, "sim.invalid/new")
}

// Seen is what can be seen of a run in a cluster: what happens to pods and claims, what the status says, and what the API
// server answers, an instant a line.
func Seen(events []timeline.Event) string {
	var all strings.Builder
	var instant []string
	at := model.Time(0)
	end := func() {
		if len(instant) > 0 {
			fmt.Fprintln(&all, at, slices.Sorted(slices.Values(instant)))
		}
	}
	for i := range events {
		text := seen(&events[i])
		if text == "" {
			continue
		}
		if events[i].T != at {
			end()
			at, instant = events[i].T, nil
		}
		instant = append(instant, text)
	}
	end()
	return all.String()
}

// seen is what can be seen of an event; "" if that is nothing.
func seen(e *timeline.Event) string {
	switch e.Kind {
	case timeline.KindPod, timeline.KindClaim:
		return fmt.Sprint(e.Set, e.Pod, e.State, e.Template, e.Claim != nil)
	case timeline.KindStatus:
		seen := *e.Status
		seen.Conditions = slices.Clone(seen.Conditions)
		for i := range seen.Conditions {
			// When a condition changed is not converted between the real code and the simulator.
			seen.Conditions[i].Since = 0
		}
		status, err := json.Marshal(seen)
		if err != nil {
			panic(fmt.Sprintf("upgradetest: a status cannot be encoded: %v", err))
		}
		return string(status)
	case timeline.KindStep:
		return fmt.Sprint(e.Step.Number, e.Step.Effect, e.Step.Refusal)
	}
	return ""
}

// Digest stands for a text that is long.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}
