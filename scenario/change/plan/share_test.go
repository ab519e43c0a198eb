package plan

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// TestAFleetIsPlannedAsEachOfItsSets: a set among others that differ from it in one thing, and beside one that is like
// it, gets the answers that it gets alone.
func TestAFleetIsPlannedAsEachOfItsSets(t *testing.T) {
	image := func(set string) string { return strings.Replace(set, `"a:1"`, `"a:2"`, 1) }
	plain := probed(web("3", "a:1"))
	template := func(field string) string {
		return strings.Replace(plain, "spec: {containers", "spec: {"+field+", containers", 1)
	}
	short := template("terminationGracePeriodSeconds: 7")
	type change struct{ before, after string }
	usual := change{plain, image(plain)}
	for name, other := range map[string]change{
		"the number of pods":           {probed(web("4", "a:1")), image(probed(web("4", "a:1")))},
		"the number of pods before":    {probed(web("5", "a:1")), image(plain)},
		"the number of pods to come":   {plain, image(probed(web("2", "a:1")))},
		"only the number of pods":      {plain, probed(web("5", "a:1"))},
		"the policy":                   {probed(web("3", "a:1", parallel)), image(probed(web("3", "a:1", parallel)))},
		"the strategy":                 {probed(web("3", "a:1", onDelete)), image(probed(web("3", "a:1", onDelete)))},
		"the strategy before":          {probed(web("3", "a:1", onDelete)), image(plain)},
		"a partition":                  {probed(web("3", "a:1", partition1)), image(probed(web("3", "a:1", partition1)))},
		"a partition before":           {probed(web("3", "a:2", partition1)), probed(web("3", "a:2"))},
		"no probe":                     {web("3", "a:1"), web("3", "a:2")},
		"no probe before":              {web("3", "a:1"), image(plain)},
		"no probe any more":            {plain, web("3", "a:2")},
		"the grace period":             {short, image(short)},
		"the grace period before":      {short, image(plain)},
		"the grace period to come":     {plain, image(short)},
		"how long a pod starts":        {annotated(plain, "statefulsim.dev/start: 90s"), annotated(image(plain), "statefulsim.dev/start: 90s")},
		"that it is created":           {"", image(plain)},
		"that it is created, and more": {"", probed(web("5", "a:2"))},
		"its claims":                   {volumes("3"), volumes("2")},
		"a rollout that was half way":  {dumped(probed(web("5", "a:2")), halfWay), probed(web("5", "a:3"))},
		"a rollout that was done":      {dumped(probed(web("5", "a:2")), done), probed(web("5", "a:3"))},
		"a rollout that had stopped":   {dumped(probed(web("5", "a:2")), stuck), probed(web("5", "a:3"))},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Runs: 3, Seed: 1, Times: [3]behaviour.Delay{nil, behaviour.Uniform(time.Second, time.Minute)}}
			sets := map[string]change{"aa": usual, "bb": other, "cc": usual, "dd": other}
			before, after := "", ""
			for _, name := range []string{"aa", "bb", "cc", "dd"} {
				before += "---\n" + renamed(sets[name].before, name)
				after += "---\n" + renamed(sets[name].after, name)
			}
			together := plans(t, before, after, &o)
			for name, set := range sets {
				alone := plans(t, renamed(set.before, name), renamed(set.after, name), &o)
				require.JSONEq(t, asJSON(t, alone.find(name)), asJSON(t, together.find(name)), name)
			}
		})
	}
}

// TestNamesThatPodsCannotHave: a set whose pods an old version refuses for their names gets stuck, whatever others do.
func TestNamesThatPodsCannotHave(t *testing.T) {
	o := Options{Profiles: profiles(t, "1.26")}
	service := func(name, service string) string { return renamed(web("2", "a:1", "serviceName: "+service), name) }
	plan := plans(t, "", strings.Join([]string{service("aa", "short"), service("bb", "my.svc"), service("my.db", "short"),
		service("cc", strings.Repeat("s", 64))}, "---\n"), &o)
	for name, ends := range map[string]string{
		"aa": "the change completes", "bb": "spec.subdomain", "my.db": "spec.hostname", "cc": "spec.subdomain",
	} {
		require.Contains(t, plan.find(name).Ends, ends)
		require.Equal(t, ends == "the change completes", plan.find(name).Completes)
	}
}

// renamed is a set under another name, with pods of its own.
func renamed(set, name string) string {
	return strings.NewReplacer("{name: web", "{name: "+name, "app: web", "app: "+name, "web-1", name+"-1", "web-2", name+"-2",
		"uid: 11111111", "uid: "+strings.Repeat(name, 4)).Replace(set)
}

func asJSON(t *testing.T, set *Set) string {
	t.Helper()
	require.NotNil(t, set)
	text, err := json.Marshal(set)
	require.NoError(t, err)
	return string(text)
}
