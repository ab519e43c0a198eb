package expect_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// script makes a timeline of short lines, which keeps the tests readable:
//
//	0 step create replicas=3 template=1 set=default/web min=5 name=first gone=default/old
//	1.5 web-0@1 Ready kubelet set=default/web
//	3 status updatedReplicas=2
//	4 wait web-0 WaitingForReady
//	9 end stuck web-0 WaitingForReady
//
// A set without a namespace and a name is default/web. Steps are numbered as they come.
func script(t *testing.T, text string) []timeline.Event {
	t.Helper()
	events := []timeline.Event{timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{Format: 1, Kubernetes: "1.36.3"}}.Event()}
	s := scripted{sets: map[model.Key]*model.StatefulSet{}}
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 0 {
			e := s.event(t, words[1:])
			d, err := time.ParseDuration(words[0] + "s")
			require.NoError(t, err)
			e.T = model.Time(d)
			events = append(events, e)
		}
	}
	return events
}

type scripted struct {
	sets  map[model.Key]*model.StatefulSet
	steps int
}

func (s *scripted) event(t *testing.T, words []string) timeline.Event {
	options := map[string]string{"set": "default/web"}
	var plain []string
	for _, word := range words {
		if key, value, found := strings.Cut(word, "="); found {
			options[key] = value
			continue
		}
		plain = append(plain, word)
	}
	namespace, name, _ := strings.Cut(options["set"], "/")
	e := timeline.Entry{Set: model.Key{Namespace: namespace, Name: name}, Actor: timeline.Controller}.Event()
	switch plain[0] {
	case "step":
		s.step(&e, plain[1], options)
	case "status":
		e.Kind, e.Status = timeline.KindStatus, &model.Status{Updated: number(t, options["updatedReplicas"])}
	case "wait":
		e.Kind, e.Wait, e.Pod = timeline.KindWait, &timeline.Wait{}, plain[1]
		e.Why = model.Why{Code: model.Code(plain[2]), Object: plain[1]}
	case "end":
		e.Kind, e.Actor, e.Result = timeline.KindResult, timeline.NoActor, &timeline.Result{Verdict: timeline.Verdict(plain[1])}
		if len(plain) > 2 {
			why := model.Why{Code: model.Code(plain[3]), Object: plain[2]}
			e.Result.Stuck = []timeline.Stuck{{Set: e.Set, Why: why}}
		}
	default:
		pod, template, _ := strings.Cut(plain[0], "@")
		e.Kind, e.Pod, e.Template = timeline.KindPod, pod, int(number(t, template))
		e.Image, e.State, e.Actor = "app:v"+template, timeline.StateOf(plain[1]), timeline.ActorOf(plain[2])
	}
	return e
}

func (s *scripted) step(e *timeline.Event, verb string, options map[string]string) {
	s.steps++
	e.Kind, e.Actor = timeline.KindStep, timeline.User
	e.Step = &timeline.Step{Number: s.steps, Name: options["name"], Verb: verb, Does: options["does"]}
	if gone, found := options["gone"]; found {
		namespace, name, _ := strings.Cut(gone, "/")
		e.Step.Removed = []model.Key{{Namespace: namespace, Name: name}}
		return
	}
	set := &model.StatefulSet{Meta: model.Meta{Namespace: e.Set.Namespace, Name: e.Set.Name}}
	if old := s.sets[e.Set]; old != nil {
		*set = *old
	}
	for key, to := range map[string]*int32{"replicas": &set.Spec.Replicas, "min": &set.Spec.MinReadySeconds} {
		if n, err := strconv.Atoi(options[key]); err == nil {
			*to = int32(n)
		}
	}
	if n, err := strconv.Atoi(options["template"]); err == nil {
		set.Spec.Template = &model.Template{ID: n, Data: `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"app"}]}}`}
	}
	s.sets[e.Set] = set
	e.Step.Sets = []*model.StatefulSet{set}
}

func number(t *testing.T, text string) int32 {
	n, err := strconv.Atoi(text)
	require.NoError(t, err, text)
	return int32(n)
}
