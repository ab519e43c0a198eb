package timeline_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

func lines(events []timeline.Event) []byte {
	var text []byte
	for i := range events {
		text = append(timeline.AppendJSON(text, &events[i]), '\n')
	}
	return text
}

// TestRoundTrip: what is written reads as the same events, but for what the format leaves out.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := drawEvents(t)
		text := lines(events)
		got, err := timeline.Read(bytes.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, events, got)
		require.Equal(t, string(text), string(lines(got)))
	})
}

var (
	word   = rapid.StringMatching(`[a-zé"\\ ]{0,5}`)
	name   = rapid.SampledFrom([]string{"web", "db-1"})
	number = rapid.Int32Range(0, 9)
	truth  = rapid.Bool()
	length = rapid.Custom(func(t *rapid.T) time.Duration { return time.Duration(rapid.Int64Range(0, 5e9).Draw(t, "d")) })
)

func drawEvents(t *rapid.T) []timeline.Event {
	events := []timeline.Event{timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{Format: 1, Sim: word.Draw(t, "sim"), Kubernetes: "1.36.3", PreRelease: word.Draw(t, "preRelease"),
		Gates: []timeline.Gate{{Name: "A", On: truth.Draw(t, "gate")}, {Name: "B"}}, Seed: rapid.Uint64().Draw(t, "seed"),
		Scenario: word.Draw(t, "scenario"), Until: length.Draw(t, "until"), DNSTTL: length.Draw(t, "ttl")}}.Event()}
	for range rapid.IntRange(0, 6).Draw(t, "events") {
		e := drawEvent(t)
		e.T = events[len(events)-1].T.Add(length.Draw(t, "after"))
		events = append(events, e)
	}
	return events
}

func drawEvent(t *rapid.T) timeline.Event {
	e := timeline.Entry{
		Kind: rapid.SampledFrom([]timeline.Kind{2, 3, 4, 5, 6, 7, 8, 9, 10, timeline.KindContainer, timeline.KindDNS,
			timeline.KindOwner}).Draw(t, "kind"),
		Actor: timeline.Actor(rapid.IntRange(0, 5).Draw(t, "actor")), Set: model.Key{Namespace: "ns", Name: name.Draw(t, "set")},
		Pod: word.Draw(t, "pod"), Image: word.Draw(t, "image"), Node: word.Draw(t, "node"),
	}.Event()
	if truth.Draw(t, "why") {
		e.Why = drawWhy(t)
	} else {
		e.Reason, e.Message = word.Draw(t, "reason"), word.Draw(t, "message")
	}
	e.Passing = e.Kind == timeline.KindK8sEvent && truth.Draw(t, "passing")
	switch e.Kind {
	case timeline.KindPod:
		e.UID, e.Nth = model.UID(number.Draw(t, "uid")), int(number.Draw(t, "nth"))
		e.State, e.Template = timeline.State(rapid.IntRange(1, 8).Draw(t, "state")), int(number.Draw(t, "template"))
		e.Revision, e.IP = int64(number.Draw(t, "revision")), word.Draw(t, "ip")
	case timeline.KindContainer:
		e.Containers = &model.Containers{Name: word.Draw(t, "container"), Shown: word.Draw(t, "shown"), Restarts: int(number.Draw(t, "n")),
			Ready: int(number.Draw(t, "n")), All: int(number.Draw(t, "n"))}
	case timeline.KindStep:
		e.Step = &timeline.Step{Number: 1, Name: word.Draw(t, "name"), Verb: word.Draw(t, "verb"), Does: word.Draw(t, "does"),
			Trigger: word.Draw(t, "trigger"), Delay: length.Draw(t, "delay"), Effect: timeline.Configured, Refusal: word.Draw(t, "refusal"),
			Cause: word.Draw(t, "cause"), ExpectedRefusal: word.Draw(t, "refused"), Sets: []*model.StatefulSet{drawSet(t)}, Removed: []model.Key{{Namespace: "a", Name: "b"}}}
	case timeline.KindWait:
		e.Wait = &timeline.Wait{Ended: truth.Draw(t, "ended"), Since: model.Time(length.Draw(t, "since"))}
	case timeline.KindStatus:
		e.Status = &model.Status{ObservedGeneration: 4, Replicas: number.Draw(t, "n"), Ready: number.Draw(t, "n"), Available: number.Draw(t, "n"),
			Current: number.Draw(t, "n"), Updated: number.Draw(t, "n"), CurrentRevision: word.Draw(t, "current"),
			UpdateRevision: word.Draw(t, "update"), CollisionCount: number.Draw(t, "n"),
			Conditions: []model.Condition{{Type: word.Draw(t, "type"), True: truth.Draw(t, "true"), Since: 7}}}
	case timeline.KindRevision:
		e.Rev = &timeline.Rev{Type: model.Deleted, Name: word.Draw(t, "rev"), Number: 3, Template: 2, Cause: word.Draw(t, "cause")}
	case timeline.KindDNS:
		e.DNS = &timeline.DNS{Type: model.Modified, Service: word.Draw(t, "service"), IP: word.Draw(t, "ip"),
			Hostname: word.Draw(t, "hostname"), Ports: rapid.SampledFrom([][]string{nil, {"_a._tcp", "_b._udp"}}).Draw(t, "ports")}
	case timeline.KindClaim:
		e.Claim = &timeline.Claim{Type: model.Added, Name: word.Draw(t, "claim"), Phase: word.Draw(t, "phase"),
			Owners: append([]string(nil), rapid.SliceOfN(word, 0, 2).Draw(t, "owners")...)}
	case timeline.KindOwner:
		e.Bare, e.IP, e.Owned = true, word.Draw(t, "ip"), &timeline.Owned{Change: timeline.Released, Revision: word.Draw(t, "rev")}
	case timeline.KindFault:
		e.Fault = &timeline.Fault{Number: int(number.Draw(t, "fault")), Name: word.Draw(t, "name"), Verb: word.Draw(t, "verb"),
			Does: word.Draw(t, "does"), Trigger: word.Draw(t, "trigger"), Effect: timeline.Done, Refusal: word.Draw(t, "refusal")}
		if truth.Draw(t, "changes") {
			e.Fault.Sets, e.Fault.Removed = []*model.StatefulSet{drawSet(t)}, []model.Key{{Namespace: "ns", Name: "x"}}
		}
	case timeline.KindK8sEvent:
		e.Warning = truth.Draw(t, "warning")
	}
	return e
}

func drawWhy(t *rapid.T) model.Why {
	return model.Why{Code: rapid.SampledFrom(model.Codes).Draw(t, "code"), Object: word.Draw(t, "object"),
		Rule: model.Rule(word.Draw(t, "rule")), Have: number.Draw(t, "have"), Want: number.Draw(t, "want"),
		Ready: truth.Draw(t, "ready")}
}

func drawSet(t *rapid.T) *model.StatefulSet {
	set := &model.StatefulSet{Meta: model.Meta{Namespace: "ns", Name: name.Draw(t, "set"), UID: 1, Generation: 2}}
	set.Spec = model.Spec{Replicas: number.Draw(t, "replicas"), MinReadySeconds: number.Draw(t, "min"),
		RevisionHistoryLimit: number.Draw(t, "history"), ServiceName: word.Draw(t, "service"),
		PodManagement: model.PodManagement(rapid.IntRange(0, 1).Draw(t, "policy")),
		Strategy:      model.Strategy{Type: model.StrategyType(rapid.IntRange(0, 2).Draw(t, "strategy"))},
		Selector: model.Selector{Data: `{"matchExpressions":[{"key":"a","operator":"NotIn","values":["x"]}],"matchLabels":{"b":"1"}}`,
			Needs: []model.Requirement{{Label: "a", Op: model.OpNotIn, Values: []string{"x"}}, {Label: "b", Values: []string{"1"}}}},
		Template: &model.Template{ID: 3, Data: `{"metadata":{"labels":{"b":"1"}},"spec":{"containers":[{"image":"i","name":"c"}]}}`,
			Labels: map[string]string{"b": "1"}, Containers: []model.Container{{Name: "c", Image: "i"}}},
		ClaimTemplates: []model.ClaimTemplate{{Name: "data", Data: `{}`, Annotations: map[string]string{"x": word.Draw(t, "x")}}},
	}
	if truth.Draw(t, "block") {
		set.Spec.Strategy.RollingUpdate = &model.RollingUpdate{Partition: number.Draw(t, "partition"),
			MaxUnavailable: &model.IntOrPercent{Value: number.Draw(t, "max"), Percent: truth.Draw(t, "percent")}}
		set.Spec.Retention = &model.Retention{DeleteWithSet: true}
		set.Spec.Ordinals = &model.Ordinals{Start: number.Draw(t, "start")}
	}
	return set
}

const header = `{"t":0,"event":"run","format":1}` + "\n"

func TestReadTolerates(t *testing.T) {
	events, err := timeline.Read(strings.NewReader(header + "\n" +
		`{"t":1,"event":"sync","later":[1],"actor":"collector"}` + "\r\n" + `{"t":0.5,"event":"eclipse","state":"Partial","uid":"sun"}` + "\n" +
		`{"t":2,"event":"result","verdict":"settled"}`))
	require.NoError(t, err)
	require.Len(t, events, 3)
	assert.Equal(t, timeline.Entry{T: 1e9, Kind: timeline.KindSync}.Event(), events[1])
	assert.Equal(t, timeline.Settled, events[2].Result.Verdict)
}

// TestReadTimesBeforeTheBeginning: of what a dump shows, some began before the run.
func TestReadTimesBeforeTheBeginning(t *testing.T) {
	wait := timeline.Entry{T: 1e9, Kind: timeline.KindWait, Set: web, Why: model.Why{Code: model.WaitingForReady, Object: "web-0"},
		Wait: &timeline.Wait{Since: -600_000_000_001}}.Event()
	text := string(timeline.AppendJSON(nil, &wait))
	require.Contains(t, text, `"since":-600.000000001`)
	events, err := timeline.Read(strings.NewReader(header + "\n" + text + "\n"))
	require.NoError(t, err)
	require.Equal(t, wait.Wait.Since, events[1].Wait.Since)
}

func TestReadRefuses(t *testing.T) {
	const none = "line 1: this is not a timeline: its first line is not a JSON object with event: run; `sim run -o jsonl` records one"
	tests := map[string]struct{ text, want string }{
		"nothing":           {"", none},
		"a scenario":        {"name: x\n", none},
		"a JSON array":      {"[1]\n", none},
		"no header":         {`{"t":0,"event":"pod"}`, none},
		"other JSON":        {`{"kind":"List"}`, "line 1: event is missing: one of run, pod, step, sync, wait, status, revision, claim, k8sEvent, fault, result, container, dns, owner, node, process, budget"},
		"a later format":    {`{"t":0,"event":"run","format":2}`, "line 1: the timeline is of format 2, and this sim reads up to 1"},
		"two runs":          {header + header, "line 2: event: run is for the first line: one file holds one run"},
		"after the result":  {header + `{"t":0,"event":"result"}` + "\n" + `{"t":0,"event":"pod"}`, "line 3: nothing may follow the result"},
		"time goes back":    {header + `{"t":1,"event":"pod"}` + "\n\n" + `{"t":0.9,"event":"pod"}`, "line 4: t: time goes back from 1 to 0.9"},
		"no t":              {header + `{"event":"pod"}`, "line 2: t is missing"},
		"an exponent":       {header + `{"t":1e3,"event":"pod"}`, "line 2: t: 1e3 is not a decimal number of seconds with at most nine places"},
		"ten places":        {header + `{"t":0.1234567890,"event":"pod"}`, "line 2: t: 0.1234567890 is not a decimal number of seconds with at most nine places"},
		"too late":          {header + `{"t":99999999999,"event":"pod"}`, "line 2: t: 99999999999 is not a decimal number of seconds with at most nine places"},
		"a state":           {header + `{"t":0,"event":"pod","state":"Redy"}`, `line 2: state: "Redy" is none of Pending, Running, Ready, Unready, Failed, Succeeded, Terminating, Gone`},
		"a type":            {header + `{"t":0,"event":"pod","pod":3}`, "line 2: pod: a number does not belong here"},
		"a nested type":     {header + `{"t":0,"event":"step","sets":[{"spec":{"replicas":"x"}}]}`, "line 2: sets.spec.replicas: a string does not belong here"},
		"an embedded type":  {header + `{"t":0,"event":"pod","have":"x"}`, "line 2: have: a string does not belong here"},
		"a uid":             {header + `{"t":0,"event":"pod","uid":"x"}`, `line 2: uid: "x" is not of the form uid-7`},
		"a key":             {header + `{"t":0,"event":"step","removed":["x"]}`, `line 2: removed: "x" is not of the form NAMESPACE/NAME`},
		"a change":          {header + `{"t":0,"event":"revision","change":"moved"}`, `line 2: change: "moved" is none of added, modified, deleted`},
		"a claim's change":  {header + `{"t":0,"event":"claim","change":"moved"}`, `line 2: change: "moved" is none of added, modified, deleted`},
		"the DNS' change":   {header + `{"t":0,"event":"dns"}`, `line 2: change: "" is none of added, modified, deleted`},
		"an owner's change": {header + `{"t":0,"event":"owner","change":"added"}`, `line 2: change: "added" is none of adopted, released, leftBehind`},
		"a status":          {header + `{"t":0,"event":"status"}`, "line 2: status is missing"},
		"no budget":         {header + `{"t":0,"event":"budget"}`, "line 2: budget is missing"},
		"a selector":        {header + `{"t":0,"event":"step","sets":[{"spec":{"selector":{"matchExpressions":[{"operator":"Is"}]}}}]}`, `line 2: sets.spec.selector: operator "Is" is none of In, NotIn, Exists, DoesNotExist`},
		"a template":        {header + `{"t":0,"event":"step","sets":[{"spec":{"template":{"spec":3}}}]}`, "line 2: sets.spec.template.spec: a number does not belong here"},
		"a budget":          {header + `{"t":0,"event":"step","sets":[{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":"x"}}}}]}`, "line 2: sets.spec.updateStrategy.rollingUpdate.maxUnavailable: x is neither a number nor a percentage"},
		"a very long line":  {header + strings.Repeat(" ", timeline.MaxLine+1), "line 2: the line is longer than 16 MiB"},
		"no comma":          {header + `{"t":0 "event":"pod"}`, "line 2: this is not a JSON object"},
		"a line cut in two": {header + `{"t":0,"ev`, "line 2: this is not a JSON object"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			events, err := timeline.Read(strings.NewReader(test.text))
			require.EqualError(t, err, test.want)
			assert.Nil(t, events)
		})
	}
}

// TestReadAnything: no text makes Read panic, nor the fold of what it has read.
func TestReadAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := lines(drawEvents(t))
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		text[at] = rapid.SampledFrom([]byte("0\"{}[],:nt-")).Draw(t, "byte")
		events, err := timeline.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		for f := range timeline.Ticks(events) {
			for _, set := range f.Sets() {
				set.SpecMap()
				set.StatusMap()
			}
		}
	})
}

func TestDigest(t *testing.T) {
	run := timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{Format: 1}}.Event()
	result := timeline.Entry{Kind: timeline.KindResult, Result: &timeline.Result{Verdict: timeline.Settled}}.Event()
	pod := timeline.Entry{Kind: timeline.KindPod, Pod: "web-0", State: timeline.Pending}.Event()
	digest := timeline.Digest([]timeline.Event{run, pod})
	assert.Len(t, digest, 16)
	assert.Equal(t, digest, timeline.Digest([]timeline.Event{run, pod, result}), "the result is not part of the digest")
	pod.T = 1
	assert.NotEqual(t, digest, timeline.Digest([]timeline.Event{run, pod}))
}
