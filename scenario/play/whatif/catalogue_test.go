package whatif_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// web is a set of three pods that update one by one; with changes it.
func web(with ...func(*model.Spec)) *model.StatefulSet {
	set := &model.StatefulSet{Meta: model.Meta{Namespace: "prod", Name: "web"}, Spec: model.Spec{
		Replicas: 3, Strategy: model.Strategy{Type: model.RollingUpdateStrategy},
	}}
	for _, change := range with {
		change(&set.Spec)
	}
	return set
}

func pods(n int32) func(*model.Spec) {
	return func(s *model.Spec) { s.Replicas = n }
}

func below(partition int32) func(*model.Spec) {
	return func(s *model.Spec) {
		s.Strategy.RollingUpdate = &model.RollingUpdate{Partition: partition}
	}
}

func from(start int32) func(*model.Spec) {
	return func(s *model.Spec) { s.Ordinals = &model.Ordinals{Start: start} }
}

func waiting(s *model.Spec) { s.MinReadySeconds = 30 }

func onDelete(s *model.Spec) {
	s.Strategy = model.Strategy{Type: model.OnDeleteStrategy}
}

// subject is what all sets of this test have in common.
func subject(set *model.StatefulSet) *whatif.Subject {
	return &whatif.Subject{
		Key: set.Key(), Live: set, Wanted: set, Change: play.Deed{Verb: "apply", Does: "the change"}, Template: 2,
		Low: set.PodName(set.Start()), Grace: 2 * time.Second, Begun: 2 * time.Second, Middle: 4 * time.Second, Pause: 10 * time.Second,
		Times: behaviour.Times{
			Start: behaviour.Constant(2 * time.Second), Ready: behaviour.Constant(3 * time.Second),
			Stop: behaviour.Constant(4 * time.Second),
		},
	}
}

// upgraded is a set of which an upgrade asks.
func upgraded(set *model.StatefulSet) *whatif.Subject {
	s := subject(set)
	image := func(what string) play.Deed { return play.Deed{Does: what} }
	s.Change = image("the new image")
	s.Images = &whatif.Images{New: s.Change, Broken: image("an image that never starts"),
		Unready: image("an image that never becomes Ready"), Revert: image("the image before"),
		Slower: image("the new image with more minReadySeconds")}
	return s
}

// changed is a set to which a change brings another template: for the pods that it replaces.
func changed(set *model.StatefulSet, replaces ...string) *whatif.Subject {
	s := subject(set)
	s.Rolls, s.Replaced = true, replaces
	if len(replaces) > 0 {
		s.Touched = replaces[0]
	}
	return s
}

func with(s *whatif.Subject, change func(*whatif.Subject)) *whatif.Subject {
	change(s)
	return s
}

// TestCatalogue shows which cases are asked of what sets, and what happens in each: testdata/catalogue.txt.
func TestCatalogue(t *testing.T) {
	all := []string{"web-2", "web-1", "web-0"}
	var text strings.Builder
	for _, c := range []struct {
		name string
		use  whatif.Use
		s    *whatif.Subject
	}{
		{"an upgrade asks of three pods", whatif.OfVersions, upgraded(web())},
		{"an upgrade asks of one pod that has to be Ready for some time", whatif.OfVersions, upgraded(web(pods(1), waiting))},
		{"an upgrade asks of two pods that have to be Ready for some time", whatif.OfVersions,
			upgraded(web(pods(2), waiting))},
		{"an upgrade asks of no pods", whatif.OfVersions, upgraded(web(pods(0), onDelete))},
		{"an upgrade asks of a set with a partition and ordinals from 5", whatif.OfVersions,
			upgraded(web(below(7), from(5)))},
		{"an upgrade asks of a set with OnDelete", whatif.OfVersions, upgraded(web(onDelete))},
		{"a plan asks of a new template", whatif.OfChange, changed(web(), all...)},
		{"a plan asks of a new template of pods without probes", whatif.OfChange,
			with(changed(web(), all...), func(s *whatif.Subject) { s.Unprobed = true })},
		{"a plan asks of a rollout that goes on", whatif.OfChange,
			with(changed(web(), "web-1", "web-0"), func(s *whatif.Subject) { s.Staged, s.Unprobed = true, true })},
		{"a plan asks of a new template that one pod gets", whatif.OfChange, changed(web(below(2)), "web-2")},
		{"a plan asks of a partition that counts from the lowest ordinal", whatif.OfChange,
			changed(web(from(5), below(1)), "web-7", "web-6")},
		{"a plan asks of a new template that no pod gets", whatif.OfChange, changed(web(below(3)))},
		{"a plan asks of a new template that only the lowest pod gets", whatif.OfChange, changed(web(), "web-0")},
		{"a plan asks of a new template of one pod", whatif.OfChange, changed(web(pods(1)), "web-0")},
		{"a plan asks of pods that have to be Ready for some time", whatif.OfChange, changed(web(waiting), all...)},
		{"a plan asks of a template that no pod gets, and of some time", whatif.OfChange, changed(web(waiting, below(3)))},
		{"a plan asks of a new template with OnDelete", whatif.OfChange,
			with(changed(web(onDelete)), func(s *whatif.Subject) { s.Unprobed = true })},
		{"a plan asks of a new template with OnDelete, of no pods", whatif.OfChange, changed(web(onDelete, pods(0)))},
		{"a plan asks of a new set with OnDelete", whatif.OfChange,
			with(changed(web(onDelete)), func(s *whatif.Subject) { s.Live = nil })},
		{"a plan asks of a set with OnDelete that loses all pods", whatif.OfChange,
			with(changed(web(onDelete, pods(0))), func(s *whatif.Subject) { s.Live = web(onDelete) })},
		{"a plan asks of a set that loses all pods", whatif.OfChange,
			with(changed(web(pods(0))), func(s *whatif.Subject) { s.Live, s.Touched = web(), "web-2" })},
		{"a plan asks of a set that gets its first pods", whatif.OfChange,
			with(changed(web()), func(s *whatif.Subject) { s.Live = web(pods(0)) })},
		{"a plan asks of a change of the scale alone", whatif.OfChange,
			with(subject(web(pods(5))), func(s *whatif.Subject) { s.Live, s.Touched = web(), "web-3" })},
		{"a plan asks of a set that is scaled up from one pod", whatif.OfChange,
			with(subject(web(pods(5))), func(s *whatif.Subject) { s.Live, s.Touched = web(pods(1)), "web-1" })},
		{"a plan asks of a set that is new", whatif.OfChange,
			with(subject(web(waiting)), func(s *whatif.Subject) { s.Live = nil })},
	} {
		fmt.Fprintf(&text, "# %s\n\n", c.name)
		for _, kind := range whatif.For(c.use) {
			if kind.Fits == nil || kind.Fits(c.s) {
				says := kind.Does
				if c.use == whatif.OfChange {
					says = kind.Of(c.s)
				}
				fmt.Fprintf(&text, "%s: %s\n", kind.Name, says)
				writePlayed(&text, kind, c.s)
			}
		}
		text.WriteString("\n")
	}
	goldenfile.Equal(t, "testdata/catalogue.txt", text.String())
}

// writePlayed writes how the pods behave in a case, and what happens to the set.
func writePlayed(b *strings.Builder, c *whatif.Case, s *whatif.Subject) {
	if c.Behaves != nil {
		for _, r := range c.Behaves(s) {
			pod := "any pod"
			if r.Match.Ordinal != nil {
				pod = fmt.Sprintf("pod %d", *r.Match.Ordinal)
			}
			fmt.Fprintf(b, "    %s of %s/%s from template %d is Ready after %v, crashes after %v: %q\n", pod, r.Match.Namespace,
				r.Match.StatefulSet, r.Match.Template, r.Times.Ready, r.Times.Crash, r.Times.Reason)
		}
	}
	for _, d := range c.Script(s) {
		when := ""
		switch {
		case d.Prompt:
			when = ", at once"
		case d.When.Trigger == sim.After:
			when = fmt.Sprintf(", after %v", d.When.D)
		}
		does := d.Does
		if d.Kubectl != "" {
			does = d.Kubectl
		}
		fmt.Fprintf(b, "    %s%s\n", does, when)
	}
}

// TestPlayed: pods are young when all of them are new and serve again; ordinals that move replace every pod.
func TestPlayed(t *testing.T) {
	for _, c := range []struct{ name, pods, want string }{
		// The pods go at once and come back one by one, each when the one before is available, or together.
		{"young", "OrderedReady", "0s delete 1m11s setImage: web-0 web-1 web-2"},
		{"young", "Parallel", "0s delete 5s setImage: web-0 web-1 web-2"},
		{"ordinals", "OrderedReady", "0s patch: web-3 web-4 web-5"},
	} {
		text := "steps:\n- create: {name: web, replicas: 3, image: \"a:1\", minReadySeconds: 30, podManagementPolicy: " + c.pods + "}\n"
		scene, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
		require.NoError(t, err)
		lab := &play.Lab{Profile: scene.Profile, World: scene.Config(scenario.RunOptions{}), Before: scene.Steps}
		set := web(waiting)
		set.Namespace = "default"
		s := upgraded(set)
		s.Change = play.SetImage(set.Key(), "", "a:2")
		at := slices.IndexFunc(whatif.Cases, func(k *whatif.Case) bool { return k.Name == c.name })
		events := lab.Run(whatif.Cases[at].Script(s))
		var did []string
		var end timeline.Fold
		begin := events[play.StepAt(events, 2)].T
		for i := range events {
			if step := events[i].Step; step != nil && step.Number > 1 {
				did = append(did, events[i].T.Sub(begin).String()+" "+step.Verb)
			}
			end.Apply(&events[i])
		}
		var names []string
		for pod := range end.Set(set.Key()).Pods.All {
			names = append(names, pod.Name)
		}
		slices.Sort(names)
		require.Equal(t, c.want, strings.Join(did, " ")+": "+strings.Join(names, " "), c.name)
	}
}

// TestNames: each case has a name of its own, and those that were once called otherwise are still found.
func TestNames(t *testing.T) {
	names := whatif.Names(whatif.OfChange | whatif.OfVersions)
	require.Len(t, names, len(whatif.Cases))
	slices.Sort(names)
	require.Len(t, slices.Compact(names), len(whatif.Cases))
	require.Equal(t, "unready", whatif.Name("unready-pod"))
	require.Equal(t, "slow", whatif.Name("slow"))
	require.Contains(t, whatif.Names(whatif.OfVersions), "ordinals")
	require.NotContains(t, whatif.Names(whatif.OfChange), "ordinals")
}

// TestEach: all work is done, whoever does it.
func TestEach(t *testing.T) {
	var order []int
	work := func(i int) { order = append(order, i) }
	whatif.Each(nil).Do(3, work)
	whatif.Each(func(n int, work func(int)) {
		for i := range n {
			work(n - 1 - i)
		}
	}).Do(2, work)
	require.Equal(t, []int{0, 1, 2, 1, 0}, order)
}
