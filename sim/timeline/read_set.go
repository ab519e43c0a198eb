package timeline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// setLine is a set in a step or a fault, as appendSet writes it. Template is the N of the template's @N, 0 if the spec
// has no template.
type setLine struct {
	Namespace  string   `json:"namespace"`
	Name       string   `json:"name"`
	UID        string   `json:"uid"`
	Generation int64    `json:"generation"`
	Template   int      `json:"template"`
	Spec       specLine `json:"spec"`
}

// specLine is a spec with Kubernetes' own field names. Selector and Template are kept as they stand in the line, see
// canonical. Retention and Ordinals are nil where the line has none, and stay nil in the model.
type specLine struct {
	Replicas             int32               `json:"replicas"`
	Selector             json.RawMessage     `json:"selector"`
	Template             json.RawMessage     `json:"template"`
	ClaimTemplates       []claimTemplateLine `json:"volumeClaimTemplates"`
	ServiceName          string              `json:"serviceName"`
	PodManagement        string              `json:"podManagementPolicy"`
	Strategy             strategyLine        `json:"updateStrategy"`
	RevisionHistoryLimit int32               `json:"revisionHistoryLimit"`
	MinReadySeconds      int32               `json:"minReadySeconds"`
	Retention            *struct {
		WhenDeleted string `json:"whenDeleted"`
		WhenScaled  string `json:"whenScaled"`
	} `json:"persistentVolumeClaimRetentionPolicy"`
	Ordinals *struct {
		Start int32 `json:"start"`
	} `json:"ordinals"`
}

// strategyLine is an update strategy. RollingUpdate is nil if the set does not have it, although its type may be
// RollingUpdate: some versions of the controller tell these two apart (the trap hot-loop). MaxUnavailable is a number
// or a string with a percentage, so it stays raw until decode.
type strategyLine struct {
	Type          string `json:"type"`
	RollingUpdate *struct {
		Partition      int32           `json:"partition"`
		MaxUnavailable json.RawMessage `json:"maxUnavailable"`
	} `json:"rollingUpdate"`
}

// claimTemplateLine is an element of volumeClaimTemplates. Its spec is kept as it stands in the line.
type claimTemplateLine struct {
	Metadata struct {
		Name        string            `json:"name"`
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec json.RawMessage `json:"spec"`
}

// decode returns a new set with identity and spec alone: labels, annotations, owners and the status of a set are not
// part of a line about it. If there is an error, the set is incomplete and of no use.
func (l *setLine) decode() (*model.StatefulSet, error) {
	uid, err := parseUID(l.UID)
	if err != nil {
		return nil, err
	}
	set := &model.StatefulSet{Meta: model.Meta{
		Namespace: l.Namespace, Name: l.Name, UID: uid, Generation: l.Generation}}
	return set, l.decodeSpec(&set.Spec)
}

// decodeSpec reads the spec into an empty one. Errors name the field as a manifest does. It fills in no default, since
// the sets of a timeline are as the API server has stored them.
func (l *setLine) decodeSpec(spec *model.Spec) (err error) {
	s := &l.Spec
	*spec = model.Spec{Replicas: s.Replicas, ServiceName: s.ServiceName, RevisionHistoryLimit: s.RevisionHistoryLimit,
		MinReadySeconds: s.MinReadySeconds}
	if s.PodManagement == model.Parallel.String() {
		spec.PodManagement = model.Parallel
	}
	if spec.Selector, err = decodeSelector(canonical(s.Selector)); err != nil {
		return fmt.Errorf("selector: %w", err)
	}
	if spec.Strategy, err = s.Strategy.decode(); err != nil {
		return fmt.Errorf("updateStrategy: %w", err)
	}
	// Code that reads a timeline relies on a template.
	data := cmp.Or(canonical(s.Template), "{}")
	if spec.Template, err = decodeTemplate(l.Template, data); err != nil {
		return fmt.Errorf("template: %w", err)
	}
	for i := range s.ClaimTemplates {
		t := &s.ClaimTemplates[i]
		spec.ClaimTemplates = append(spec.ClaimTemplates, model.ClaimTemplate{Name: t.Metadata.Name,
			Labels: t.Metadata.Labels, Annotations: t.Metadata.Annotations, Data: canonical(t.Spec)})
	}
	if r := s.Retention; r != nil {
		spec.Retention = &model.Retention{DeleteWithSet: r.WhenDeleted == retention(true),
			DeleteWhenScaled: r.WhenScaled == retention(true)}
	}
	if s.Ordinals != nil {
		spec.Ordinals = &model.Ordinals{Start: s.Ordinals.Start}
	}
	return nil
}

// decode reads the strategy. A type that the model does not have is read as RollingUpdate, the zero one.
func (l *strategyLine) decode() (model.Strategy, error) {
	var strategy model.Strategy
	for t := model.RollingUpdateStrategy; t <= model.RecreateStrategy; t++ {
		if l.Type == t.String() {
			strategy.Type = t
		}
	}
	if l.RollingUpdate == nil {
		return strategy, nil
	}
	strategy.RollingUpdate = &model.RollingUpdate{Partition: l.RollingUpdate.Partition}
	if raw := canonical(l.RollingUpdate.MaxUnavailable); raw != "" {
		text := strings.Trim(raw, `"`)
		number, percent := strings.CutSuffix(text, "%")
		n, err := strconv.ParseInt(number, 10, 32)
		if err != nil {
			return strategy, fmt.Errorf("maxUnavailable: %s is neither a number nor a percentage", text)
		}
		strategy.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Value: int32(n), Percent: percent}
	}
	return strategy, nil
}

// decodeTemplate returns a new template that keeps data whole, and reads of it what a fold and a report look at:
// labels, and the containers' names and images. Probes, constraints and the like stay in Data, so a template that was
// read is not for playing.
func decodeTemplate(id int, data string) (*model.Template, error) {
	var t struct {
		Metadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
		Spec struct {
			Containers []struct {
				Name  string `json:"name"`
				Image string `json:"image"`
			} `json:"containers"`
		} `json:"spec"`
	}
	if err := json.Unmarshal([]byte(data), &t); err != nil {
		return nil, fieldError(err)
	}
	template := &model.Template{ID: id, Data: data, Labels: t.Metadata.Labels}
	for _, c := range t.Spec.Containers {
		template.Containers = append(template.Containers, model.Container{Name: c.Name, Image: c.Image})
	}
	return template, nil
}

// selectorOps are the operators of matchExpressions by their names in the API.
var selectorOps = map[string]model.SelectorOp{
	"In": model.OpIn, "NotIn": model.OpNotIn, "Exists": model.OpExists, "DoesNotExist": model.OpDoesNotExist,
}

// decodeSelector reads a selector. matchLabels and matchExpressions become one list in the order of their labels; for
// one label, matchLabels come first and the expressions keep their order, as in a set that was read from a manifest.
func decodeSelector(data string) (model.Selector, error) {
	selector := model.Selector{Data: data}
	if data == "" {
		return selector, nil
	}
	var s struct {
		Labels      map[string]string `json:"matchLabels"`
		Expressions []struct {
			Key      string   `json:"key"`
			Operator string   `json:"operator"`
			Values   []string `json:"values"`
		} `json:"matchExpressions"`
	}
	if err := json.Unmarshal([]byte(data), &s); err != nil {
		return selector, fieldError(err)
	}
	for _, label := range slices.Sorted(maps.Keys(s.Labels)) {
		selector.Needs = append(selector.Needs, model.Requirement{Label: label, Values: []string{s.Labels[label]}})
	}
	for _, e := range s.Expressions {
		op, found := selectorOps[e.Operator]
		if !found {
			return selector, fmt.Errorf("operator %q is none of In, NotIn, Exists, DoesNotExist", e.Operator)
		}
		selector.Needs = append(selector.Needs, model.Requirement{Label: e.Key, Op: op, Values: e.Values})
	}
	slices.SortStableFunc(selector.Needs, func(a, b model.Requirement) int { return strings.Compare(a.Label, b.Label) })
	return selector, nil
}
