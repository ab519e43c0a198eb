package timeline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// AppendSpec appends a spec as JSON with Kubernetes' own field names and returns the extended slice. Templates and
// claims are written as their Data has them, so equal specs give equal bytes.
func AppendSpec(dst []byte, s *model.Spec) []byte {
	c := codec{b: append(dst, '{')}
	c.spec(s)
	return append(c.b, '}')
}

// AppendStatus appends a status as JSON with Kubernetes' own field names, zeros included, and returns the extended
// slice. Instants are seconds of virtual time.
func AppendStatus(dst []byte, s *model.Status) []byte {
	c := codec{b: append(dst, '{')}
	c.counts(s)
	return append(c.b, '}')
}

// changes visits the changes of a step or a fault to sets: the created or changed sets, whole, and the keys of the
// removed ones.
func (c *codec) changes(sets *[]*model.StatefulSet, removed *[]model.Key) {
	n := list(c, "sets", sets)
	for i := range n {
		if c.element(i) {
			c.set(part(&(*sets)[i], true))
			c.end()
		}
	}
	c.endList(n)
	var keys []string
	for _, key := range *removed {
		keys = append(keys, key.String())
	}
	c.texts("removed", &keys)
	if !c.reads {
		return
	}
	for _, text := range keys {
		namespace, name, found := strings.Cut(text, "/")
		if !found {
			c.fail("removed", fmt.Errorf("%q is not of the form NAMESPACE/NAME", text))
		}
		*removed = append(*removed, model.Key{Namespace: namespace, Name: name})
	}
}

// set visits the parts of a set that the fold and a reader need: its identity and its spec. Labels, annotations,
// owners and the status of a set are not part of the line. Code that reads a timeline relies on a template.
func (c *codec) set(set *model.StatefulSet) {
	text(c, "namespace", &set.Namespace)
	text(c, "name", &set.Name)
	c.uid("uid", &set.UID)
	number(c, "generation", &set.Generation)
	if template := part(&set.Spec.Template, c.reads); template != nil {
		number(c, "template", &template.ID)
	}
	if c.open("spec") {
		c.spec(&set.Spec)
		c.end()
	} else {
		set.Spec.Template.Data = "{}"
	}
}

// spec visits a spec as the API server has stored it: dropped fields are missing, no default is filled in, and
// there is a rollingUpdate block exactly if the set has one.
func (c *codec) spec(s *model.Spec) {
	always(c, "replicas", &s.Replicas)
	c.selector("selector", &s.Selector)
	if s.Template != nil {
		c.template("template", s.Template)
	}
	c.claimTemplates("volumeClaimTemplates", &s.ClaimTemplates)
	text(c, "serviceName", &s.ServiceName)
	name(c, "podManagementPolicy", &s.PodManagement, model.OrderedReady, model.Parallel)
	if c.open("updateStrategy") {
		c.strategy(&s.Strategy)
		c.end()
	}
	always(c, "revisionHistoryLimit", &s.RevisionHistoryLimit)
	number(c, "minReadySeconds", &s.MinReadySeconds)
	const retention = "persistentVolumeClaimRetentionPolicy"
	if r := part(&s.Retention, c.reads && c.find(retention) != nil); r != nil && c.open(retention) {
		c.either("whenDeleted", &r.DeleteWithSet, "Delete", "Retain")
		c.either("whenScaled", &r.DeleteWhenScaled, "Delete", "Retain")
		c.end()
	}
	if o := part(&s.Ordinals, c.reads && c.find("ordinals") != nil); o != nil && c.open("ordinals") {
		always(c, "start", &o.Start)
		c.end()
	}
}

// name is a constant by its name. Reading, one that the model does not have becomes the first.
func name[T interface {
	comparable
	fmt.Stringer
}](c *codec, field string, value *T, all ...T) {
	is := (*value).String()
	if text(c, field, &is); c.reads {
		at := slices.IndexFunc(all, func(one T) bool { return one.String() == is })
		*value = all[max(0, at)]
	}
}

// strategy visits a strategy. Without a rollingUpdate block it stays nil, although the type may be RollingUpdate:
// some versions of the controller tell these two apart (the trap hot-loop).
func (c *codec) strategy(s *model.Strategy) {
	name(c, "type", &s.Type, model.RollingUpdateStrategy, model.OnDeleteStrategy, model.RecreateStrategy)
	r := part(&s.RollingUpdate, c.reads && c.find("rollingUpdate") != nil)
	if r != nil && c.open("rollingUpdate") {
		always(c, "partition", &r.Partition)
		c.share("maxUnavailable", &r.MaxUnavailable)
		c.end()
	}
}

// share is a number, or a text with a percent sign, as in the API.
func (c *codec) share(name string, share **model.IntOrPercent) {
	switch v := *share; {
	case c.reads:
		value := c.find(name)
		if value == nil {
			return
		}
		is := strings.Trim(string(value), `"`)
		digits, percent := strings.CutSuffix(is, "%")
		n, err := strconv.ParseInt(digits, 10, 32)
		if err != nil {
			c.fail(name, fmt.Errorf("%s is neither a number nor a percentage", is))
		}
		*share = &model.IntOrPercent{Value: int32(n), Percent: percent}
	case v == nil:
	case v.Percent:
		is := v.String()
		text(c, name, &is)
	default:
		always(c, name, &v.Value)
	}
}

// claimTemplates visits the claim templates in their order.
func (c *codec) claimTemplates(name string, templates *[]model.ClaimTemplate) {
	n := list(c, name, templates)
	for i := range n {
		t := &(*templates)[i]
		if !c.element(i) {
			break
		}
		if c.open("metadata") {
			text(c, "name", &t.Name)
			c.words("labels", &t.Labels)
			c.words("annotations", &t.Annotations)
			c.end()
		}
		c.raw("spec", &t.Data)
		c.end()
	}
	c.endList(n)
}

// status visits a status, within a field.
func (c *codec) status(name string, s *model.Status) {
	if c.open(name) {
		c.counts(s)
		c.end()
	}
}

// counts visits the fields of a status. The counts are written even if they are 0: a count that falls to 0 is news.
func (c *codec) counts(s *model.Status) {
	always(c, "observedGeneration", &s.ObservedGeneration)
	always(c, "replicas", &s.Replicas)
	always(c, "readyReplicas", &s.Ready)
	always(c, "availableReplicas", &s.Available)
	always(c, "currentReplicas", &s.Current)
	always(c, "updatedReplicas", &s.Updated)
	text(c, "currentRevision", &s.CurrentRevision)
	text(c, "updateRevision", &s.UpdateRevision)
	number(c, "collisionCount", &s.CollisionCount)
	n := list(c, "conditions", &s.Conditions)
	for i := range n {
		if c.element(i) {
			c.condition(&s.Conditions[i])
			c.end()
		}
	}
	c.endList(n)
}

// condition visits a condition of the status. A condition whose status is not True is read as False: the format has
// no other.
func (c *codec) condition(of *model.Condition) {
	text(c, "type", &of.Type)
	c.either("status", &of.True, "True", "False")
	text(c, "reason", &of.Reason)
	text(c, "message", &of.Message)
	seconds(c, "lastTransitionTime", &of.Since)
}

// template visits a template. Its data is kept whole; a fold and a report look at the labels, and at the
// containers' names and images. Probes, constraints and the like stay in the data, so a template that was read
// cannot be played.
func (c *codec) template(name string, t *model.Template) {
	if c.raw(name, &t.Data); !c.reads {
		return
	}
	t.Data = cmp.Or(t.Data, "{}")
	var read struct {
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
	c.decode(name, []byte(t.Data), &read)
	t.Labels = read.Metadata.Labels
	for _, of := range read.Spec.Containers {
		t.Containers = append(t.Containers, model.Container{Name: of.Name, Image: of.Image})
	}
}

// selectorOps are the operators of matchExpressions by their names in the API.
var selectorOps = map[string]model.SelectorOp{
	"In": model.OpIn, "NotIn": model.OpNotIn, "Exists": model.OpExists, "DoesNotExist": model.OpDoesNotExist,
}

// selector visits a selector and writes its data. matchLabels and matchExpressions become one list in the order of
// their labels; for one label, matchLabels come first and the expressions keep their order, as in a set that was
// read from a manifest.
func (c *codec) selector(name string, selector *model.Selector) {
	if c.raw(name, &selector.Data); !c.reads || selector.Data == "" {
		return
	}
	var s struct {
		Labels      map[string]string `json:"matchLabels"`
		Expressions []struct {
			Key      string   `json:"key"`
			Operator string   `json:"operator"`
			Values   []string `json:"values"`
		} `json:"matchExpressions"`
	}
	c.decode(name, []byte(selector.Data), &s)
	for _, label := range slices.Sorted(maps.Keys(s.Labels)) {
		selector.Needs = append(selector.Needs, model.Requirement{Label: label, Values: []string{s.Labels[label]}})
	}
	for _, e := range s.Expressions {
		op, found := selectorOps[e.Operator]
		if !found {
			c.fail(name, fmt.Errorf("operator %q is none of In, NotIn, Exists, DoesNotExist", e.Operator))
		}
		selector.Needs = append(selector.Needs, model.Requirement{Label: e.Key, Op: op, Values: e.Values})
	}
	slices.SortStableFunc(selector.Needs, func(a, b model.Requirement) int { return strings.Compare(a.Label, b.Label) })
}
