//go:build real && apiserver

package conformance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// setChange is a set that is created and then, where it could be, changed.
type setChange struct {
	// Kubernetes is the version, Gates are the feature gates over its own.
	Kubernetes string
	Gates      map[string]bool
	// Before and After are manifests as JSON, without what every version fills in alike.
	Before, After json.RawMessage
}

// answering is an API server that is asked to create a set and then to change it. It answers with the refusal's words, or
// with the set's spec as JSON.
type answering func(c *setChange) (created, changed string)

// compareRefusals says where the real server and the simulated one differ, or nothing.
func compareRefusals(c *setChange, real answering) string {
	created, changed := real(c)
	ourCreated, ourChanged := simulated(c)
	var text strings.Builder
	for _, pair := range [][3]string{{"create", created, ourCreated}, {"update", changed, ourChanged}} {
		if normal(pair[1]) != normal(pair[2]) {
			fmt.Fprintf(&text, "%s on %s (gates %v)\n  real: %s\n  sim:  %s\n", pair[0], c.Kubernetes, c.Gates, pair[1], pair[2])
		}
	}
	if text.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("%sbefore %s\nafter  %s\n", text.String(), c.Before, c.After)
}

// address is what Go prints for a pointer. Old versions show the offending value of a refusal so.
var address = regexp.MustCompile(`\(0x[0-9a-f…]*\)`)

// claims are the claim templates in the refusal of their change. What stands there is made where manifests are read.
var claimsInRefusal = regexp.MustCompile(`(spec\.volumeClaimTemplates: Invalid value: ).*?(: field is immutable)`)

func normal(answered string) string {
	return claimsInRefusal.ReplaceAllString(address.ReplaceAllString(answered, "(0x)"), "$1$2")
}

// simulated returns the answered of the simulated API server.
func simulated(c *setChange) (created, changed string) {
	profile, err := statefulset.Lookup(c.Kubernetes)
	if err == nil {
		profile, err = profile.WithGates(c.Gates)
	}
	if err != nil {
		panic(err)
	}
	s := store.New(profile.API(), func() model.Time { return 0 }).As(store.By{Actor: timeline.User})
	stored, refusal := s.CreateSet(modelOf(c.Before))
	if refusal != nil {
		return refusal.Message, ""
	}
	sent := *stored
	wanted := modelOf(c.After)
	sent.Spec = wanted.Spec
	created = answered(stored)
	if stored, refusal = s.UpdateSet(&sent); refusal != nil {
		return created, refusal.Message
	}
	return created, answered(stored)
}

// answered renders the fields that versions treat differently.
func answered(set *model.StatefulSet) string {
	spec := &set.Spec
	fields := map[string]any{"replicas": spec.Replicas, "revisionHistoryLimit": spec.RevisionHistoryLimit}
	if spec.MinReadySeconds != 0 {
		fields["minReadySeconds"] = spec.MinReadySeconds
	}
	if spec.Ordinals != nil {
		fields["ordinals"] = spec.Ordinals.Start
	}
	if r := spec.Retention; r != nil {
		fields["retention"] = []bool{r.DeleteWithSet, r.DeleteWhenScaled}
	}
	fields["strategy"] = spec.Strategy.Type.String()
	if block := spec.Strategy.RollingUpdate; block != nil {
		fields["partition"] = block.Partition
		if block.MaxUnavailable != nil {
			fields["maxUnavailable"] = block.MaxUnavailable.String()
		}
	}
	return string(must(json.Marshal(fields)))
}

// refusalAnswer renders an accepted set of the real API as simulated does: object is its JSON.
func refusalAnswer(object []byte) string { return answered(modelOf(object)) }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// manifest has the fields of a StatefulSet that are drawn.
type drawnManifest struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Replicas             *int32 `json:"replicas"`
		ServiceName          string `json:"serviceName"`
		PodManagementPolicy  string `json:"podManagementPolicy"`
		MinReadySeconds      int32  `json:"minReadySeconds"`
		RevisionHistoryLimit *int32 `json:"revisionHistoryLimit"`
		Selector             *struct {
			MatchLabels map[string]string `json:"matchLabels"`
		} `json:"selector"`
		Template struct {
			Metadata struct {
				Labels map[string]string `json:"labels"`
			} `json:"metadata"`
		} `json:"template"`
		UpdateStrategy struct {
			Type          string `json:"type"`
			RollingUpdate *struct {
				Partition      int32           `json:"partition"`
				MaxUnavailable json.RawMessage `json:"maxUnavailable"`
			} `json:"rollingUpdate"`
		} `json:"updateStrategy"`
		Ordinals *struct {
			Start int32 `json:"start"`
		} `json:"ordinals"`
		Retention *struct {
			WhenDeleted string `json:"whenDeleted"`
			WhenScaled  string `json:"whenScaled"`
		} `json:"persistentVolumeClaimRetentionPolicy"`
		VolumeClaimTemplates []drawnClaim `json:"volumeClaimTemplates"`
	} `json:"spec"`
}

type drawnClaim struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		AccessModes []string `json:"accessModes"`
		Resources   struct {
			Requests map[string]string `json:"requests"`
		} `json:"resources"`
	} `json:"spec"`
}

// modelOf reads a manifest, with the defaults of every version.
func modelOf(data []byte) *model.StatefulSet {
	var m drawnManifest
	if err := json.Unmarshal(data, &m); err != nil {
		panic(fmt.Sprintf("%s: %v", data, err))
	}
	set := &model.StatefulSet{Meta: model.Meta{Namespace: "default", Name: m.Metadata.Name}}
	spec := &set.Spec
	spec.Replicas, spec.RevisionHistoryLimit = or(m.Spec.Replicas, 1), or(m.Spec.RevisionHistoryLimit, 10)
	spec.ServiceName, spec.MinReadySeconds = m.Spec.ServiceName, m.Spec.MinReadySeconds
	if m.Spec.PodManagementPolicy == model.Parallel.String() {
		spec.PodManagement = model.Parallel
	}
	if m.Spec.Selector != nil {
		spec.Selector.Data = string(must(json.Marshal(m.Spec.Selector)))
		for _, label := range slices.Sorted(maps.Keys(m.Spec.Selector.MatchLabels)) {
			need := model.Requirement{Label: label, Values: []string{m.Spec.Selector.MatchLabels[label]}}
			spec.Selector.Needs = append(spec.Selector.Needs, need)
		}
	}
	labels := m.Spec.Template.Metadata.Labels
	spec.Template = &model.Template{Data: fmt.Sprint(labels), Labels: maps.Clone(labels)}
	spec.Strategy = drawnStrategy(&m)
	if m.Spec.Ordinals != nil {
		spec.Ordinals = &model.Ordinals{Start: m.Spec.Ordinals.Start}
	}
	if r := m.Spec.Retention; r != nil {
		const deletes = "Delete"
		spec.Retention = &model.Retention{
			DeleteWithSet: r.WhenDeleted == deletes, DeleteWhenScaled: r.WhenScaled == deletes,
		}
	}
	for _, c := range m.Spec.VolumeClaimTemplates {
		facts := &model.ClaimFacts{AccessModes: c.Spec.AccessModes, Storage: c.Spec.Resources.Requests["storage"]}
		template := model.ClaimTemplate{Name: c.Metadata.Name, Data: fmt.Sprint(c.Spec), Facts: facts}
		spec.ClaimTemplates = append(spec.ClaimTemplates, template)
	}
	return set
}

func or(value *int32, otherwise int32) int32 {
	if value != nil {
		return *value
	}
	return otherwise
}

func drawnStrategy(m *drawnManifest) model.Strategy {
	var strategy model.Strategy
	from := &m.Spec.UpdateStrategy
	for _, t := range []model.StrategyType{model.RollingUpdateStrategy, model.OnDeleteStrategy, model.RecreateStrategy} {
		if t.String() == from.Type {
			strategy.Type = t
		}
	}
	if from.RollingUpdate == nil {
		if from.Type == "" {
			strategy.RollingUpdate = &model.RollingUpdate{}
		}
		return strategy
	}
	strategy.RollingUpdate = &model.RollingUpdate{Partition: from.RollingUpdate.Partition}
	text := strings.Trim(string(from.RollingUpdate.MaxUnavailable), `"`)
	if text == "" || text == "null" {
		return strategy
	}
	n, percent := strings.CutSuffix(text, "%")
	strategy.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Value: int32(must(strconv.Atoi(n))), Percent: percent}
	return strategy
}

// drawChange makes a random set and a random change of it for a version.
func drawChange(t *rapid.T, kubernetes string) *setChange {
	d := setDraw{t, kubernetes}
	c := &setChange{Kubernetes: kubernetes}
	profile := must(statefulset.Lookup(kubernetes))
	for _, gate := range statefulset.AllGates() {
		if profile.Knows(gate) && !profile.Locked(gate) && d.below(4) == 3 {
			if c.Gates == nil {
				c.Gates = map[string]bool{}
			}
			c.Gates[gate] = !profile.Gate(gate)
		}
	}
	set := d.set()
	c.Before = must(json.Marshal(set))
	spec := set["spec"].(map[string]any)
	for range 1 + d.below(2) {
		d.change(spec)
	}
	c.After = must(json.Marshal(set))
	return c
}
