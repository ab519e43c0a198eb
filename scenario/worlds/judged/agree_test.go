package judged_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan"
	"github.com/statefulsim/statefulsim/scenario/change/upgrade"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// verdict is how a command says that a set stands.
type verdict struct {
	State   judge.State `json:"state"`
	Certain bool        `json:"certain"`
}

// TestAgree: of random worlds that are dumped at random instants, sim explain, a plan with the objects that the dump has
// already, and an upgrade say that each set stands alike, and are as certain of it. Plans and upgrades leave out the sets
// that are at rest.
func TestAgree(t *testing.T) {
	compared := map[judge.State]int{}
	rapid.Check(t, func(t *rapid.T) {
		w := judgedWorlds.Draw(t, "world")
		w.given = false
		data, _ := w.played(t)
		if data == nil {
			return
		}
		explained := w.explained(t, data)
		for command, said := range map[string]map[model.Key]verdict{"plan": w.planned(t, data), "upgrade": w.upgraded(t, data)} {
			for key, v := range explained {
				other, is := said[key]
				if !is {
					other = verdict{judge.AtRest, v.Certain}
				}
				require.Equal(t, v, other, "%s: sim explain, and sim %s\n%s\n%s", key, command, w, data)
			}
		}
		for _, v := range explained {
			compared[v.State]++
		}
	})
	t.Log(compared)
}

// explained returns what sim explain says of the sets of a dump.
func (w *judged) explained(t require.TestingT, data []byte) map[model.Key]verdict {
	d := w.read(t, data)
	said := map[model.Key]verdict{}
	for _, s := range explain.Begin(d, w.lab(t, d), "").All(nil).Sets {
		said[s.Key()] = verdict{s.State, s.Certain}
	}
	return said
}

// planned returns what a plan says of the sets that are not at rest, if nothing changes.
func (w *judged) planned(t require.TestingT, data []byte) map[model.Key]verdict {
	in, err := plan.Read(plan.Stream{Name: "dump.json", Data: data}, plan.Stream{Name: "new.json", Data: manifests(t, data)},
		strict.Limits{})
	require.NoError(t, err)
	profile, err := statefulset.Lookup(w.version)
	require.NoError(t, err)
	p, err := plan.Of(in, &plan.Options{Profiles: []statefulset.Profile{profile}})
	require.NoError(t, err)
	var public struct {
		NotAtRest, Sets []struct {
			Namespace, Name string
			Now             *verdict
		}
		Untrusted []string
	}
	through(t, p, &public)
	require.Empty(t, public.Sets, "a set changes although nothing has changed\n%s\n%s", w, data)
	said := map[model.Key]verdict{}
	for _, s := range public.NotAtRest {
		if s.Now != nil {
			said[model.Key{Namespace: s.Namespace, Name: s.Name}] = *s.Now
		}
	}
	for _, doubt := range public.Untrusted {
		set, _, _ := strings.Cut(doubt, " ")
		said[keyOf(set)] = verdict{State: judge.Unknown}
	}
	return said
}

// keyOf reads NAMESPACE/NAME.
func keyOf(set string) model.Key {
	namespace, name, _ := strings.Cut(set, "/")
	return model.Key{Namespace: namespace, Name: name}
}

// upgraded returns what an upgrade says of the sets that are not at rest.
func (w *judged) upgraded(t require.TestingT, data []byte) map[model.Key]verdict {
	in, o := &upgrade.Input{}, upgrade.Options{Names: [2]string{w.version, w.version}}
	require.NoError(t, in.Read("dump.json", data, strict.Limits{}))
	require.NoError(t, in.ReadState(strict.Limits{}))
	profile, err := statefulset.Lookup(w.version)
	require.NoError(t, err)
	o.From, o.To = profile, profile
	var public struct {
		Moving []struct {
			Set string
			Now *verdict
		}
	}
	through(t, in.Compare(o), &public)
	said := map[model.Key]verdict{}
	for _, s := range public.Moving {
		said[keyOf(s.Set)] = verdict{State: judge.Unknown}
		if s.Now != nil {
			said[keyOf(s.Set)] = *s.Now
		}
	}
	return said
}

// through reads an answer as the programs do that read its JSON.
func through(t require.TestingT, answer, into any) {
	var printed bytes.Buffer
	require.NoError(t, render.JSON(&printed, answer))
	require.NoError(t, json.Unmarshal(printed.Bytes(), into))
}

// manifests returns the sets of a dump as people apply them.
func manifests(t require.TestingT, data []byte) []byte {
	var list struct{ Items []map[string]any }
	require.NoError(t, json.Unmarshal(data, &list))
	var sets []any
	for _, o := range list.Items {
		if o["kind"] != "StatefulSet" {
			continue
		}
		meta := o["metadata"].(map[string]any)
		maps.DeleteFunc(meta, func(key string, _ any) bool { return key != "name" && key != "namespace" && key != "labels" })
		delete(o, "status")
		sets = append(sets, o)
	}
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": sets})
	require.NoError(t, err)
	return text
}
