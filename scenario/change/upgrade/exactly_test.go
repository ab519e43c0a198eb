package upgrade

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestNamesExactly: an upgrade from 1.37 to 1.38 names exactly the sets whose runs differ between the versions: those of
// the manifests of others, of the library, and random ones. A run is a case of the catalogue, played in full on both;
// for a hazard it is the run in which the set would meet it. The two profiles stand for the real code, which package
// conformance holds them to. The quick tier takes one set in ten.
func TestNamesExactly(t *testing.T) {
	in := &Input{}
	random := rand.New(rand.NewPCG(1, 38))
	for n := range 300 {
		require.NoError(t, in.Read(fmt.Sprintf("%d.yaml", n), []byte(manifestOf(n, randomSpec(random))), strict.Limits{}))
	}
	readAll(in, "../../../../shared/manifests")
	addLibrary(t, in)
	every := 1
	if testing.Short() {
		every = 10
	}
	o := path(t, [2]string{"1.37", "1.38"}, false)
	named, differ := 0, 0
	for i := 0; i < len(in.Sets); i += every {
		set := in.Sets[i]
		report := (&Input{Sets: []*Set{set}}).Compare(o)
		if len(report.Invalid) > 0 {
			continue // both versions refuse it
		}
		require.Equal(t, report.Differing == 1, differs(&o, set), "%s %s", set.Position, set.Describe())
		for j := range hazards {
			is := slices.ContainsFunc(report.Hazards, func(h *Hazard) bool { return h.Trap == hazards[j].trap })
			require.Equal(t, is, meets(t, &o, hazards[j].trap, set), "%s: %s %s", hazards[j].trap, set.Position, set.Describe())
			if is {
				named++
			}
		}
		differ += report.Differing
	}
	t.Logf("%d sets, %d differ, %d times a hazard", (len(in.Sets)+every-1)/every, differ, named)
	require.NotZero(t, differ)
	require.NotZero(t, named)
}

// randomSpec draws a spec with what 1.38 treats differently more often than people write it.
func randomSpec(r *rand.Rand) string {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	strategy := pick("type: RollingUpdate", "type: OnDelete", "type: Recreate", "rollingUpdate: {}",
		fmt.Sprintf("rollingUpdate: {partition: %d}", r.IntN(6)),
		fmt.Sprintf("rollingUpdate: {partition: %d, maxUnavailable: %d}", r.IntN(5), 1+r.IntN(4)),
		fmt.Sprintf("rollingUpdate: {partition: %d, maxUnavailable: %d%%}", r.IntN(5), 1+r.IntN(100)))
	return fmt.Sprintf("replicas: %d, podManagementPolicy: %s, updateStrategy: {%s}, %s%sminReadySeconds: %d", r.IntN(7),
		pick("OrderedReady", "Parallel"), strategy, pick("", "", "ordinals: {start: 2}, "),
		pick("", "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: "+
			"{requests: {storage: 1Gi}}}}], persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}, "), r.IntN(2)*5)
}

// readAll reads the sets of all manifests below a folder that are understood; none if it is not there.
func readAll(in *Input, folder string) {
	_ = filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".yaml" {
			return nil
		}
		one := &Input{}
		if data, err := os.ReadFile(file); err == nil && one.Read(file, data, strict.Limits{}) == nil {
			in.Sets = append(in.Sets, one.Sets...)
		}
		return nil
	})
}

// addLibrary adds the sets of the scenarios of the library, as they are at the end of each.
func addLibrary(t *testing.T, in *Input) {
	files, err := filepath.Glob("../../../scenarios/*/*.yaml")
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		s, err := scenario.Parse(file, data, os.DirFS(filepath.Dir(file)), scenario.Options{})
		if err != nil {
			continue // a manifest, or a part of a scenario
		}
		var last *timeline.Fold
		for world := range timeline.Ticks(s.Run(scenario.RunOptions{}).Timeline) {
			last = world
		}
		for _, set := range last.Sets() {
			if shape := shapeOf(set.Spec); !seen[shape] {
				seen[shape] = true
				in.Sets = append(in.Sets, &Set{Key: set.Spec.Key(), Position: file, object: set.Spec, shape: shape})
			}
		}
	}
	require.Greater(t, len(seen), 30)
}

// differs reports whether a set has a case whose runs differ, or another answer of the API server.
func differs(o *Options, set *Set) bool {
	every := *o
	every.everything = true
	p := newPlayer(set.object, &every)
	if len(p.api(o.hops()[0])) > 0 {
		return true
	}
	return slices.ContainsFunc(p.cases(), func(c *whatif.Case) bool {
		return seen(p.play(c, o.From, o.From, 0)) != seen(p.play(c, o.From, o.To, 0))
	})
}

// meets reports whether the runs differ in which a set would meet a hazard.
func meets(t *testing.T, o *Options, trap string, set *Set) bool {
	on := func(profile statefulset.Profile) string { return seen(meeting(o, trap, set.object, profile)) }
	switch from, to := newPlayer(set.object, o).stored(o.From), newPlayer(set.object, o).stored(o.To); {
	case trap == "recreate-by-apply":
		return from.refusal != "" && strings.Contains(from.refusal, "Recreate") && to.refusal == ""
	case from.refusal != "" || to.refusal != "":
		// Nothing of it is at rest under the old version. Parallel may meet the first hazard under the new one.
		return trap == "surplus-holds-up" && set.object.Spec.PodManagement == model.Parallel && set.object.Spec.Replicas > 0
	}
	return on(o.From) != on(o.To)
}

// meeting plays a set into a hazard on a version.
func meeting(o *Options, trap string, set *model.StatefulSet, profile statefulset.Profile) []timeline.Event {
	p := newPlayer(set, o)
	world := sim.Config{Kubelet: byImage, MaxEvents: 20_000, Until: time.Hour}
	key, script := set.Key(), play.Script{play.Create(set)}
	switch trap {
	case "surplus-holds-up":
		surplus := set.PodName(set.Start() + int(set.Spec.Replicas))
		world.Faults = []sim.Fault{{Number: 1, Error: model.Forbidden, Times: 50, Write: &sim.WriteMatch{
			Verbs: []model.Verb{model.Delete}, Kinds: []model.Kind{model.KindPod}, Name: surplus, Nth: 1}}}
		low := model.Key{Namespace: key.Namespace, Name: set.PodName(set.Start())}
		script = script.Then(play.Scale(key, set.Spec.Replicas+1), play.Scale(key, set.Spec.Replicas),
			play.Delete(low, true).After(time.Second))
	case "below-partition":
		world.Kubelet.Rules = append([]behaviour.Rule{{Match: behaviour.Match{That: func(pod *model.Pod) bool {
			return set.BelowPartition(set.OrdinalOf(pod.Name))
		}}, Times: behaviour.Times{Ready: behaviour.Never}}}, byImage.Rules...)
		script = script.Then(p.image(imageNew))
	default:
		script = script.Then(p.image(imageNew))
	}
	return (&play.Lab{Profile: profile, World: world}).Run(script)
}

// seen is what can be seen of a run in a cluster: what happens to pods and claims, what the status says, and what the
// API server answers, an instant a line.
func seen(events []timeline.Event) string {
	var all strings.Builder
	var instant []string
	for i := range events {
		e := &events[i]
		if i > 0 && e.T != events[i-1].T {
			slices.Sort(instant)
			fmt.Fprintln(&all, events[i-1].T, instant)
			instant = instant[:0]
		}
		switch e.Kind {
		case timeline.KindPod, timeline.KindClaim:
			instant = append(instant, fmt.Sprint(e.Set, e.Pod, e.State, e.Template, e.Claim != nil))
		case timeline.KindStatus:
			status, _ := json.Marshal(e.Status)
			instant = append(instant, string(status))
		case timeline.KindStep:
			instant = append(instant, fmt.Sprint(e.Step.Number, e.Step.Effect, e.Step.Refusal))
		}
	}
	return all.String()
}
