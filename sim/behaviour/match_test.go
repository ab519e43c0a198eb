package behaviour_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
)

// TestARuleIsForThoseThatSatisfyAllOfIt gives a rule each of the conditions: it is for the pod that satisfies it, and
// for no other.
func TestARuleIsForThoseThatSatisfyAllOfIt(t *testing.T) {
	one, two := 1, 2
	subject := behaviour.Subject{
		Pod: &model.Pod{
			Meta: model.Meta{Namespace: "prod", Name: "web-1"}, Node: "node-2",
			Template: &model.Template{ID: 2, Containers: []model.Container{{Name: "app", Image: "app:v2"}}},
		},
		StatefulSet: "web", Nth: 2, Container: "app",
	}
	ofPod := subject
	ofPod.Container = ""
	for _, c := range []struct {
		name  string
		match behaviour.Match
		of    behaviour.Subject
		want  bool
	}{
		{"any", behaviour.Match{}, subject, true},
		{"the pod", behaviour.Match{Pod: "web-*"}, subject, true},
		{"another pod", behaviour.Match{Pod: "web-0"}, subject, false},
		{"the image", behaviour.Match{Image: "app:*"}, subject, true},
		{"another image", behaviour.Match{Image: "app:v1"}, subject, false},
		{"the node", behaviour.Match{Node: "node-2"}, subject, true},
		{"another node", behaviour.Match{Node: "node-1"}, subject, false},
		{"the set", behaviour.Match{StatefulSet: "we?"}, subject, true},
		{"another set", behaviour.Match{StatefulSet: "db"}, subject, false},
		{"the namespace", behaviour.Match{Namespace: "prod"}, subject, true},
		{"another namespace", behaviour.Match{Namespace: "default"}, subject, false},
		{"the ordinal", behaviour.Match{Ordinal: &one}, subject, true},
		{"another ordinal", behaviour.Match{Ordinal: &two}, subject, false},
		{"the life", behaviour.Match{Nth: &two}, subject, true},
		{"another life", behaviour.Match{Nth: &one}, subject, false},
		{"the container", behaviour.Match{Container: "a*"}, subject, true},
		{"another container", behaviour.Match{Container: "proxy"}, subject, false},
		{"a container of a pod as a whole", behaviour.Match{Container: "*"}, ofPod, false},
		{"the template", behaviour.Match{Template: 2}, subject, true},
		{"another template", behaviour.Match{Template: 1}, subject, false},
		{"a condition", behaviour.Match{That: func(pod *model.Pod) bool { return pod.Name == "web-1" }}, subject, true},
		{"another condition", behaviour.Match{That: func(*model.Pod) bool { return false }}, subject, false},
		{"one of two", behaviour.Match{Pod: "web-1", Node: "node-1"}, subject, false},
	} {
		kubelet := behaviour.Behaviour{
			Default: behaviour.Times{Ready: behaviour.Constant(1)},
			Rules: []behaviour.Rule{
				{Match: c.match, Times: behaviour.Times{Ready: behaviour.Constant(2)}},
				{Match: behaviour.Match{Pod: "nothing"}, Times: behaviour.Times{Ready: behaviour.Constant(3)}},
			},
		}
		want := behaviour.Delay(behaviour.Constant(1))
		if c.want {
			want = behaviour.Constant(2)
		}
		require.Equal(t, want, kubelet.For(c.of).Ready, c.name)
	}
}

// TestTheFirstRuleWins has two rules for one pod.
func TestTheFirstRuleWins(t *testing.T) {
	kubelet := behaviour.Behaviour{Rules: []behaviour.Rule{
		{Times: behaviour.Times{Reason: "first"}}, {Times: behaviour.Times{Reason: "second"}},
	}}
	pod := &model.Pod{Meta: model.Meta{Name: "web-0"}, Template: &model.Template{}}
	require.Equal(t, "first", kubelet.For(behaviour.Subject{Pod: pod}).Reason)
	var all []string
	for times := range kubelet.All {
		all = append(all, times.Reason)
	}
	require.Equal(t, []string{"first", "second", ""}, all, "of all rules, and the default")
	for times := range kubelet.All {
		require.Equal(t, "first", times.Reason)
		break
	}
}

// TestARuleIsCompletedByTheDefaults gives each of the times in the defaults, in a rule, and in both.
func TestARuleIsCompletedByTheDefaults(t *testing.T) {
	given := func(n int) behaviour.Times {
		d := behaviour.Constant(n)
		return behaviour.Times{
			Schedule: d, Start: d, Ready: d, Stop: d, Fail: d, Crash: d, Healthy: d, Init: d, PreStop: d, GiveUp: d,
			Crashes: n, Reason: d.String(), Pull: &behaviour.Pull{Fails: n}, When: &behaviour.Condition{Text: d.String()},
		}
	}
	of := func(rule, defaults behaviour.Times) behaviour.Times {
		b := behaviour.Behaviour{Default: defaults, Rules: []behaviour.Rule{{Times: rule}}}
		return *b.For(behaviour.Subject{Pod: &model.Pod{Template: &model.Template{}}})
	}
	require.Equal(t, given(2), of(behaviour.Times{}, given(2)), "all is the defaults'")
	require.Equal(t, given(1), of(given(1), given(2)), "all is the rule's")
	// What is given together is taken together.
	beside := map[string]string{"Crash": "Crashes", "Ready": "When"}
	for i := range reflect.TypeFor[behaviour.Times]().NumField() {
		name := reflect.TypeFor[behaviour.Times]().Field(i).Name
		if name == "Crashes" {
			continue
		}
		rule, own, want := behaviour.Times{}, given(1), given(2)
		for _, field := range []string{name, beside[name]} {
			if field != "" {
				value := reflect.ValueOf(own).FieldByName(field)
				reflect.ValueOf(&want).Elem().FieldByName(field).Set(value)
				if field != "When" || name == "When" {
					reflect.ValueOf(&rule).Elem().FieldByName(field).Set(value)
				}
			}
		}
		if name == "Ready" {
			want.When = nil
		}
		require.Equal(t, want, of(rule, given(2)), "only %s is the rule's", name)
	}
}

// TestTimesSayWhatBecomesOfAContainer asks for what follows from the times.
func TestTimesSayWhatBecomesOfAContainer(t *testing.T) {
	s := func(n int) behaviour.Constant { return behaviour.Constant(time.Duration(n) * time.Second) }
	for _, c := range []struct {
		name              string
		times             behaviour.Times
		endless, hopeless bool
	}{
		{"healthy", behaviour.Times{Ready: s(5)}, false, false},
		{"crashes after it was Ready", behaviour.Times{Ready: s(5), Crash: s(6)}, true, false},
		{"crashes as it becomes Ready", behaviour.Times{Ready: s(5), Crash: s(5)}, true, false},
		{"crashes before", behaviour.Times{Ready: s(5), Crash: s(4)}, true, true},
		{"crashes twice", behaviour.Times{Ready: s(5), Crash: s(6), Crashes: 2}, false, false},
		{"gives up", behaviour.Times{Ready: s(5), GiveUp: s(4)}, true, true},
		{"is never Ready", behaviour.Times{Ready: behaviour.Never}, false, true},
		{"may be Ready in time", behaviour.Times{Ready: behaviour.Uniform(0, time.Minute), Crash: s(4)}, true, false},
		{"may live long enough", behaviour.Times{Ready: s(5), Crash: behaviour.Uniform(0, time.Minute)}, true, false},
	} {
		require.Equal(t, c.endless, c.times.Endless(), c.name)
		require.Equal(t, c.hopeless, c.times.Hopeless(), c.name)
	}
	require.Equal(t, s(1), (&behaviour.Times{}).InitTakes())
	require.Equal(t, s(3), (&behaviour.Times{Init: s(3)}).InitTakes())
	for reason, word := range map[string]string{"": "Error", "CrashLoopBackOff": "Error", "OOMKilled": "OOMKilled"} {
		require.Equal(t, word, (&behaviour.Times{Reason: reason}).ErrorWord())
	}
}

// TestPull says which attempts fail.
func TestPull(t *testing.T) {
	for _, c := range []struct {
		name   string
		pull   behaviour.Pull
		failed int
		at     model.Time
		fails  bool
		never  bool
	}{
		{"at once", behaviour.Pull{}, 0, 0, false, false},
		{"the last that fails", behaviour.Pull{Fails: 2}, 1, 0, true, false},
		{"the first that does not", behaviour.Pull{Fails: 2}, 2, 0, false, false},
		{"all", behaviour.Pull{Fails: -1}, 99, 0, true, true},
		{"without an end", behaviour.Pull{Takes: behaviour.Never}, 0, 0, true, true},
		{"while the registry is down", behaviour.Pull{Until: 10}, 0, 9, true, false},
		{"when it is up again", behaviour.Pull{Until: 10}, 0, 10, false, false},
	} {
		require.Equal(t, c.fails, c.pull.FailsAt(c.failed, c.at), c.name)
		require.Equal(t, c.never, c.pull.Never(), c.name)
	}
}

// TestAChoiceFallsByWeight asks for each answer of a chooser once.
func TestAChoiceFallsByWeight(t *testing.T) {
	delay := behaviour.Choice([]behaviour.Weighted{
		{Value: behaviour.Constant(1), Weight: 2}, {Value: behaviour.Never, Weight: 1},
		{Value: behaviour.Constant(3), Weight: 3},
	})
	var got []int64
	for answer := range 6 {
		ns, never := delay.Draw(choose.Func(func(kind choose.Kind, n int) int {
			require.Equal(t, choose.Timing, kind)
			require.Equal(t, 6, n)
			return answer
		}))
		if never {
			ns = -1
		}
		got = append(got, ns)
	}
	require.Equal(t, []int64{1, 1, -1, 3, 3, 3}, got)
	require.Equal(t, "{choice: [{value: 1ns, weight: 2}, {value: never, weight: 1}, {value: 3ns, weight: 3}]}",
		delay.String())
}

// TestHooks says how long a preStop hook takes, and how long the CrashLoopBackOff of a node may wait.
func TestHooks(t *testing.T) {
	require.Equal(t, time.Duration(0), behaviour.PreStopOf(nil, 7))
	require.Equal(t, time.Duration(5), behaviour.PreStopOf(&model.PreStop{Known: true, Takes: 5}, 7))
	require.Equal(t, time.Duration(7), behaviour.PreStopOf(&model.PreStop{Takes: 5}, 7))
	require.Equal(t, time.Duration(5), behaviour.Infinite(5, false))
	require.Negative(t, behaviour.Infinite(5, true))
	require.Equal(t, behaviour.CrashLoopBackOff, (&behaviour.Behaviour{}).CrashLoop())
	require.Equal(t, time.Minute, (&behaviour.Behaviour{MaxRestartWait: time.Minute}).CrashLoop().Max)
	require.Equal(t, 10*time.Second, (&behaviour.Behaviour{MaxRestartWait: time.Minute}).CrashLoop().Initial)
	require.Equal(t, time.Second, (&behaviour.Behaviour{MaxRestartWait: time.Second}).CrashLoop().Initial)
	require.Equal(t, 30*time.Second, behaviour.Ticker{Period: 10 * time.Second}.Times(3))
	require.Zero(t, behaviour.Ticker{Period: 10 * time.Second}.Times(-1))
}
