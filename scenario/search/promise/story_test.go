package promise_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

var web = model.Key{Namespace: "shop", Name: "web"}

// story is a timeline of one StatefulSet in short lines, one event each, a second apart; a line that begins with & is
// in the instant of the one before. It says what happens, also what no controller would do, so that each promise can
// be broken:
//
//	set replicas=3 template=1     a step leaves the spec so; what it does not name stays
//	up 0 1                        pods that a dump found, Ready at the present template
//	create 2 @1                   the controller creates a pod (user-create: a user)
//	ready 2, unready 2, gone 2    what a pod enters; forced 2: a user deletes it by force
//	scale-down 2, update 2        the controller deletes a pod for that reason (evict: a user does)
//	claim data-web-0 add          a claim is added, going (deleted by the collector) or taken (by a user), or gone
//	status 3 3 3 a b              replicas, ready and updated, current and update revision
//	rev a 1, unrev a              the controller writes or deletes a revision of a template (user-unrev: a user)
//	twins 0                       two processes of one identity
//	settled, interrupted, livelock WRITE; WRITE, stuck CODE OBJECT   how the run ends
//	recount                       the judge is asked to compare the status with the pods
type story struct {
	judge *promise.Judge
	now   model.Time
	set   *model.StatefulSet
	// templates are those of the pods by their ordinals, uids counts the pods.
	templates map[int]int
	uids      model.UID
}

func newStory(o promise.Options) *story {
	return &story{judge: promise.NewJudge(o), templates: map[int]int{}, set: &model.StatefulSet{
		Meta: model.Meta{Namespace: web.Namespace, Name: web.Name, UID: 1},
		Spec: model.Spec{Replicas: 3, Template: &model.Template{ID: 1}, RevisionHistoryLimit: 10},
	}}
}

// tell plays the lines.
func (s *story) tell(t *testing.T, lines string) *story {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		rest, same := strings.CutPrefix(line, "& ")
		if !same {
			s.now = s.now.Add(time.Second)
		}
		if words := strings.Fields(rest); len(words) > 0 {
			s.line(t, words[0], words[1:])
		}
	}
	return s
}

func (s *story) see(e timeline.Entry) {
	e.T = s.now
	if e.Kind != timeline.KindStep {
		e.Set = web
	}
	s.judge.See(e.New())
}

func (s *story) line(t *testing.T, verb string, args []string) {
	t.Helper()
	switch verb {
	case "set":
		s.change(t, args)
	case "status":
		var n [3]int
		for i := range n {
			n[i] = number(t, args[i])
		}
		s.see(timeline.Entry{Kind: timeline.KindStatus, Actor: timeline.Controller, Status: &model.Status{
			Replicas: int32(n[0]), Ready: int32(n[1]), Updated: int32(n[2]), CurrentRevision: args[3], UpdateRevision: args[4],
		}})
	case "no-status":
		s.see(timeline.Entry{Kind: timeline.KindStatus, Reason: timeline.ReasonDeleted})
	case "rev":
		s.see(timeline.Entry{Kind: timeline.KindRevision, Actor: timeline.Controller,
			Rev: &timeline.Rev{Type: model.Added, Name: args[0], Template: number(t, args[1])}})
	case "unrev", "user-unrev":
		actor := map[string]timeline.Actor{"unrev": timeline.Controller, "user-unrev": timeline.User}[verb]
		s.see(timeline.Entry{Kind: timeline.KindRevision, Actor: actor,
			Rev: &timeline.Rev{Type: model.Deleted, Name: args[0]}})
	case "claim":
		s.claim(args[0], args[1])
	case "recount":
		s.judge.Recount(s.now)
	case "settled", "interrupted", "livelock", "limit", "stuck":
		s.end(verb, args)
	default:
		for _, arg := range args {
			if !strings.HasPrefix(arg, "@") {
				s.pod(t, verb, number(t, arg), args[len(args)-1])
			}
		}
	}
}

// change is a step that changes the spec; the one before is left as it is.
func (s *story) change(t *testing.T, args []string) {
	next := *s.set
	s.set = &next
	block := model.RollingUpdate{}
	if old := next.Spec.Strategy.RollingUpdate; old != nil {
		block = *old
	}
	next.Spec.Strategy.RollingUpdate = &block
	for _, arg := range args {
		key, value, _ := strings.Cut(arg, "=")
		switch key {
		case "replicas":
			next.Spec.Replicas = int32(number(t, value))
		case "template":
			next.Spec.Template = &model.Template{ID: number(t, value)}
		case "start":
			next.Spec.Ordinals = &model.Ordinals{Start: int32(number(t, value))}
		case "partition":
			block.Partition = int32(number(t, value))
		case "maxUnavailable":
			of, percent := strings.CutSuffix(value, "%")
			block.MaxUnavailable = &model.IntOrPercent{Value: int32(number(t, of)), Percent: percent}
		case "strategy":
			next.Spec.Strategy.Type = map[string]model.StrategyType{"OnDelete": model.OnDeleteStrategy}[value]
		case "policy":
			next.Spec.PodManagement = map[string]model.PodManagement{"Parallel": model.Parallel}[value]
		case "whenScaled":
			next.Spec.Retention = &model.Retention{DeleteWhenScaled: value == "Delete"}
		case "claims":
			next.Spec.ClaimTemplates = []model.ClaimTemplate{{Name: value}}
		case "history":
			next.Spec.RevisionHistoryLimit = int32(number(t, value))
		case "uid":
			next.UID = model.UID(number(t, value))
		case "deleting":
			next.Deletion = &model.Deletion{}
		default:
			t.Fatalf("the spec has no %s", key)
		}
	}
	s.see(timeline.Entry{Kind: timeline.KindStep, Actor: timeline.User,
		Step: &timeline.Step{Sets: []*model.StatefulSet{s.set}}})
}

func (s *story) pod(t *testing.T, verb string, ordinal int, last string) {
	enter := func(state timeline.State, actor timeline.Actor, why model.Why) {
		s.see(timeline.Entry{Kind: timeline.KindPod, Actor: actor, State: state, Pod: s.set.PodName(ordinal), Why: why,
			UID: s.uids, Template: s.templates[ordinal]})
	}
	if verb == "up" || strings.HasSuffix(verb, "create") {
		s.uids, s.templates[ordinal] = s.uids+1, s.set.Spec.Template.ID
		if of, ok := strings.CutPrefix(last, "@"); ok {
			s.templates[ordinal] = number(t, of)
		}
	}
	delete := func(code model.Code, rule model.Rule) {
		enter(timeline.Terminating, timeline.Controller, model.Why{Code: code, Rule: rule})
	}
	switch verb {
	case "up":
		enter(timeline.Pending, timeline.Dump, model.Why{})
		enter(timeline.Ready, timeline.Dump, model.Why{})
	case "create":
		enter(timeline.Pending, timeline.Controller, model.Why{Code: model.CodeCreate})
	case "user-create":
		enter(timeline.Pending, timeline.User, model.Why{})
	case "ready", "unready", "gone":
		state := map[string]timeline.State{"ready": timeline.Ready, "unready": timeline.Unready, "gone": timeline.Gone}[verb]
		enter(state, timeline.Kubelet, model.Why{})
	case "forced":
		enter(timeline.Gone, timeline.User, model.Why{})
	case "evict":
		enter(timeline.Terminating, timeline.User, model.Why{Code: model.CodeUpdateRevision})
	case "scale-down":
		delete(model.CodeScaleDown, model.RuleNone)
	case "update":
		delete(model.CodeUpdateRevision, model.RuleRollingUpdate)
	case "recreate":
		delete(model.CodeRecreateFailed, model.RuleNone)
	case "twins", "twins-end":
		s.see(timeline.Entry{Kind: timeline.KindProcess, Pod: s.set.PodName(ordinal), Reason: timeline.ReasonTwins,
			Process: &timeline.Process{Ended: verb == "twins-end"}})
	default:
		t.Fatalf("a story has no verb %s", verb)
	}
}

func (s *story) claim(name, change string) {
	c := &timeline.Claim{Type: model.Modified, Name: name, Phase: timeline.PhaseTerminating}
	actor := timeline.APIServer
	switch change {
	case "add":
		c.Type, c.Phase = model.Added, "Bound"
	case "taken":
		actor = timeline.User
	case "gone":
		c.Type = model.Deleted
	}
	s.see(timeline.Entry{Kind: timeline.KindClaim, Actor: actor, Claim: c})
}

func (s *story) end(verdict string, args []string) {
	r := &timeline.Result{Verdict: timeline.Verdict(verdict)}
	if verdict == "stuck" {
		r.Stuck = []timeline.Stuck{{Set: web, Why: model.Why{Code: model.Code(args[0]), Object: args[1], Have: 1, Want: 1}}}
	} else if len(args) > 0 {
		r.Repeats = strings.Split(strings.Join(args, " "), "; ")
	}
	s.see(timeline.Entry{Kind: timeline.KindResult, Result: r})
}

// breaches returns what was broken, as CLASS: SAYS.
func (s *story) breaches() []string {
	var all []string
	for _, b := range s.judge.Breaches() {
		all = append(all, b.Class()+": "+b.Says)
	}
	return all
}

func number(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// everything are the options that judge all promises, also those on request.
func everything() promise.Options {
	o := promise.Options{MaxUnavailable: true}
	for _, p := range promise.All {
		o.Names = append(o.Names, p.Name)
	}
	return o
}

// TestStories breaks each promise, and comes as near to it as one may without a breach.
func TestStories(t *testing.T) {
	broken := map[promise.Name]bool{}
	for _, c := range stories {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(everything()).tell(t, c.lines)
			require.Equal(t, c.breaches, s.breaches())
			for i, b := range s.judge.Breaches() {
				broken[b.Promise] = true
				require.Equal(t, web, b.Set)
				if i == len(c.breaches)-1 {
					require.Equal(t, s.now, b.At, "the last line of a story breaks the promise")
				}
			}
			for _, name := range promise.Default() {
				alone := newStory(promise.Options{Names: []promise.Name{name}, MaxUnavailable: true}).tell(t, c.lines)
				for _, b := range alone.judge.Breaches() {
					require.Equal(t, name, b.Promise)
				}
			}
		})
	}
	for _, p := range promise.All {
		require.True(t, broken[p.Name] || p.Name == promise.Stays, "no story breaks %s", p.Name)
	}
}

// TestBreachesHaveTheirEvent: a breach names the time and the index of the event, the rule if the controller acted, and
// none if it did not.
func TestBreachesHaveTheirEvent(t *testing.T) {
	s := newStory(everything()).tell(t, `set template=2
		up 0 1 2
		update 0
		user-create 1`)
	b := s.judge.Breaches()
	require.Len(t, b, 2, "%v", s.breaches())
	require.Equal(t, model.CodeUpdateRevision, b[0].Code)
	require.Equal(t, model.RuleRollingUpdate, b[0].Rule)
	require.Equal(t, []any{model.Time(3e9), 7}, []any{b[0].At, b[0].Event})
	last := b[len(b)-1]
	require.Equal(t, []any{model.Time(4e9), 8, model.Code(""), model.Rule("")},
		[]any{last.At, last.Event, last.Code, last.Rule})
}

// TestForksGoOnAlone: a fork has seen the same, judges what comes as the judge itself would, and neither changes the
// other.
func TestForksGoOnAlone(t *testing.T) {
	for _, c := range stories {
		lines := strings.Split(strings.TrimSpace(c.lines), "\n")
		whole := newStory(everything()).tell(t, c.lines)
		for cut := range lines {
			s := newStory(everything()).tell(t, strings.Join(lines[:cut], "\n"))
			before := fmt.Sprintf("%x %q", s.judge.AppendMemory(nil), s.breaches())
			fork := *s
			fork.judge, fork.templates = s.judge.Fork(), map[int]int{}
			for ordinal, template := range s.templates {
				fork.templates[ordinal] = template
			}
			require.Equal(t, before, fmt.Sprintf("%x %q", fork.judge.AppendMemory(nil), fork.breaches()), c.name)
			fork.tell(t, strings.Join(lines[cut:], "\n"))
			require.Equal(t, whole.breaches(), fork.breaches(), c.name)
			require.Equal(t, before, fmt.Sprintf("%x %q", s.judge.AppendMemory(nil), s.breaches()), c.name)
		}
	}
}

// TestRecount: a status that is wrong at fixed points is reported once until it has been right, also if it is asked for
// often.
func TestRecount(t *testing.T) {
	s := newStory(everything())
	for _, c := range []struct {
		lines    string
		wrong    bool
		breaches int
	}{
		{"set", false, 0},
		{"up 0", true, 1},
		{"up 1", false, 1},
		{"status 2 1 2 a a", false, 1},
		{"status 2 2 2 a a", false, 1},
		{"unready 0", true, 2},
		{"set deleting=", false, 2},
	} {
		s.tell(t, c.lines)
		require.Equal(t, c.wrong, s.judge.Miscounts(), c.lines)
		s.judge.Recount(s.now)
		require.False(t, s.judge.Miscounts(), c.lines)
		s.judge.Recount(s.now)
		require.Len(t, s.judge.Breaches(), c.breaches, c.lines)
	}
	two := newStory(everything()).tell(t, "set\nup 0")
	other := *two.set
	other.Name = "db"
	for _, sets := range [][]*model.StatefulSet{{&other}, {two.set}} {
		two.judge.See(timeline.Entry{Kind: timeline.KindStep, Step: &timeline.Step{Sets: sets}}.New())
	}
	require.True(t, two.judge.Miscounts(), "web is wrong, and db before it is right")
}

// TestResynced: a resync of a StatefulSet at rest breaks Stays, in the words of what it wrote.
func TestResynced(t *testing.T) {
	pod := func(state timeline.State) timeline.Entry {
		return timeline.Entry{Kind: timeline.KindPod, Set: web, Pod: "web-1", State: state, Actor: timeline.Controller}
	}
	claim := func(change model.ChangeType) timeline.Entry {
		return timeline.Entry{Kind: timeline.KindClaim, Set: web, Claim: &timeline.Claim{Type: change, Name: "data-web-1"},
			Why: model.Why{Code: model.CodeClaimPolicy, Object: "data-web-1"}}
	}
	for _, c := range []struct {
		wrote timeline.Entry
		stuck model.Code
		class string
		would string
	}{
		{pod(timeline.Pending), model.StaleClaim, "stays/StaleClaim", "create web-1"},
		{pod(timeline.Terminating), "", "stays", "delete web-1"},
		{claim(model.Added), "", "stays", "create PVC data-web-1"},
		{claim(model.Modified), "", "stays", "write: the owners of data-web-1 do not match the retention policy"},
		{timeline.Entry{Kind: timeline.KindStatus, Set: web, Why: model.Why{Code: model.CodeStatus}}, "", "stays",
			"write: the computed status differs from the stored status"},
	} {
		s := newStory(promise.Options{})
		s.judge.Resynced(7, promise.Resync{Wrote: c.wrote.New(), Stuck: c.stuck})
		require.Equal(t, []string{c.class + ": nothing makes the controller sync web, but one more sync would " + c.would +
			"; any change of web would start one"}, s.breaches())
		require.Equal(t, model.Time(7), s.judge.Breaches()[0].At)
		require.Equal(t, web, s.judge.Breaches()[0].Set)
	}
}

// TestBarePodsAndStrangers: what belongs to no StatefulSet breaks no promise.
func TestBarePodsAndStrangers(t *testing.T) {
	bare := timeline.Entry{Kind: timeline.KindPod, Set: web, Pod: "web-1", State: timeline.Pending,
		Actor: timeline.Controller}
	j := promise.NewJudge(everything())
	j.See(bare.New())
	require.Empty(t, j.Breaches(), "there is no StatefulSet")

	s := newStory(everything()).tell(t, "set\nup 1")
	bare.Bare = true
	s.judge.See(bare.New())
	require.Empty(t, s.breaches(), "the pod is bare")

	require.Empty(t, promise.NewJudge(promise.Options{Names: []promise.Name{}}).Breaches())
	s = newStory(promise.Options{}).tell(t, "set replicas=1\nset template=2\ncreate 0 @1\nupdate 0\nupdate 0")
	require.Empty(t, s.breaches(), "a promise on request is judged only if it is named")
}

// TestWithoutTheGate: a version that does not know maxUnavailable updates one pod at a time, whatever the field says.
func TestWithoutTheGate(t *testing.T) {
	lines := "set maxUnavailable=3\nup 0 1 2\nset template=2\nupdate 2\nupdate 1"
	require.Empty(t, newStory(promise.Options{MaxUnavailable: true}).tell(t, lines).breaches())
	require.Equal(t, []string{"keeps-serving/rolling-update: web-1 is deleted while web-2 is still down; 1 of 3 pods " +
		"serve, and maxUnavailable is 1"}, newStory(promise.Options{}).tell(t, lines).breaches())
}

// TestMemory: two stories that a judge must tell apart from here on have different memories, and two that it need not
// have the same one, though they came there in different orders.
func TestMemory(t *testing.T) {
	const begin = "set replicas=3 maxUnavailable=3 whenScaled=Delete claims=data\nup 0 1 2\n"
	memory := func(o promise.Options, lines string) string {
		return string(newStory(o).tell(t, begin+lines).judge.AppendMemory(nil))
	}
	seen := map[string]string{}
	for _, lines := range []string{
		"",
		"unready 0\nset template=2",
		"set template=2\nset template=1",
		"set template=2\nup 0 @2\nset template=3",
		"set template=2\nset template=3",
		"set template=2\nupdate 2",
		"set template=2\nupdate 1",
		"set template=2\nupdate 1\nupdate 2",
		"set template=2\nupdate 2\nready 2",
		"forced 2",
		"status -1 0 0 a a",
		"recount",
		"claim data-web-0 add\nclaim data-web-0 going",
		"claim data-web-1 add\nclaim data-web-1 going",
		"set replicas=2\nscale-down 2",
		"set replicas=1\nscale-down 2\nscale-down 1",
	} {
		m := memory(everything(), lines)
		require.NotContains(t, seen, m, "%q and %q", lines, seen[m])
		seen[m] = lines
	}
	for _, same := range [][2]string{
		{"set template=2\nupdate 2\nupdate 1", "set template=2\nupdate 1\nupdate 2"},
		{"set replicas=1\nscale-down 2\nscale-down 1", "set replicas=1\nscale-down 1\nscale-down 2"},
		{"set replicas=2\nscale-down 2", "set replicas=2\nscale-down 2\nscale-down 2"},
		{"set replicas=2\nscale-down 2\nset replicas=3", ""},
		{"set template=2\nup 2 @3\nup 1 @2", "set template=2\nup 2 @2\nup 1 @3"},
		{"forced 2", "forced 2\nforced 1"},
	} {
		require.Equal(t, memory(everything(), same[0]), memory(everything(), same[1]), "%q", same)
	}
	again := "set template=2\nupdate 2\nready 2"
	require.Equal(t, memory(promise.Options{}, "set template=2"), memory(promise.Options{}, again),
		"who was replaced before only counts where one-restart-a-change is judged")
	require.NotEqual(t, memory(everything(), "set template=2"), memory(everything(), again))

	names := func(namespace, name string) []byte {
		j, set := promise.NewJudge(everything()), &model.StatefulSet{Meta: model.Meta{Namespace: namespace, Name: name}}
		j.See(timeline.Entry{Kind: timeline.KindStep, Step: &timeline.Step{Sets: []*model.StatefulSet{set}}}.New())
		return j.AppendMemory(nil)
	}
	require.NotEqual(t, names("shop", "web"), names("shop", "db1"))
	require.NotEqual(t, names("shop", "web"), names("play", "web"))
}

// TestLookup: each promise is found by its name, and nothing else is.
func TestLookup(t *testing.T) {
	for _, p := range promise.All {
		found, ok := promise.Lookup(string(p.Name))
		require.True(t, ok)
		require.Equal(t, p, found)
	}
	_, ok := promise.Lookup("ordered")
	require.False(t, ok)
}
