package scenario

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// change returns a changed live set, or kubectl's refusal. It copies the parts of the live set that it changes.
type change func(u *sim.User, live *model.StatefulSet) (*model.StatefulSet, *model.APIError)

// setAction returns an action on a live set, as the kubectl commands that read, change and write: they fail if the set
// cannot be read. A change that makes no difference is the effect unchanged.
func setAction(key model.Key, does string, do change) *action {
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		live := u.Set(key)
		if live == nil {
			return refusal(unreadable(notFound(key)))
		}
		wanted, err := do(u, live)
		if err != nil {
			return refusal(err)
		}
		return update(u, live, wanted)
	}}
}

// update writes a set to the API server, which validates it, and counts its generation if the spec has changed. The
// API server keeps the resource version if nothing has changed at all.
func update(u *sim.User, live, wanted *model.StatefulSet) sim.Outcome {
	stored, err := u.Update(wanted)
	if err != nil {
		return refusal(err)
	}
	if stored.ResourceVersion == live.ResourceVersion {
		return sim.Outcome{Effect: timeline.Unchanged}
	}
	return sim.Outcome{Effect: timeline.Configured, Sets: []*model.StatefulSet{stored}}
}

// refusal is the outcome of a step that was refused; err must not be nil.
func refusal(err *model.APIError) sim.Outcome {
	return sim.Outcome{Effect: timeline.Refused, Err: err}
}

// notFound returns the API server's answer about a set that does not exist.
func notFound(key model.Key) *model.APIError {
	return &model.APIError{Reason: model.NotFound, Message: fmt.Sprintf("statefulsets.apps %q not found", key.Name)}
}

// unreadable is kubectl's message when the API server has not returned the object that it wants to change.
func unreadable(err *model.APIError) *model.APIError {
	return &model.APIError{Reason: err.Reason, Message: "Error from server (NotFound): " + err.Message}
}

// usage returns a refusal by kubectl itself, before anything reaches the API server.
func usage(message string) *model.APIError {
	return &model.APIError{Reason: model.Invalid, Message: "error: " + message}
}

// fields reads the mapping of the step's verb. If there is only the value of its main field, of the given kind, the
// problem shows the mapping with it.
func (s *step) fields(main, kind string, known ...string) *strict.Map {
	if s.value.Kind != yaml.ScalarNode || s.value.ShortTag() != kind {
		return s.r.Map(s.value, s.verb, known...)
	}
	value := s.value.Value
	if kind == "!!str" {
		value = strict.Quote(strict.Shorten(value))
	}
	fields := main + ": " + value
	if name, image, pair := strings.Cut(s.value.Value, "="); s.verb == "setImage" && pair {
		of := "container"
		if len(s.census.byName[name]) > 0 {
			of = "statefulset"
		}
		fields = fmt.Sprintf("%s: %s, image: %s", of, strict.Shorten(name), strict.Quote(strict.Shorten(image)))
	}
	s.r.Problem(s.value, s.verb+" is "+strict.Describe(s.value), fmt.Sprintf("write %s: {%s}", s.verb, fields))
	return nil
}

// setImage reads a kubectl set image. Without a container the set must have only one.
func (s *step) setImage() *action {
	m := s.fields("image", "!!str", "statefulset", "image", "container")
	key, ok := s.set(m)
	ok = m.Need("image") && ok
	image, container := m.String("image"), m.String("container")
	s.checkImage(m.Value("image"), image)
	if !ok {
		return nil
	}
	s.checkContainer(m, key)
	does := fmt.Sprintf("set the image of %s to %s", key.Name, image)
	if container != "" {
		does = fmt.Sprintf("set the image of %s of %s to %s", container, key.Name, image)
	}
	// A search sets the image of the same set in thousands of runs.
	type result struct {
		template *model.Template
		err      error
	}
	var known lazy.Memo[string, result]
	return setAction(key, does, func(_ *sim.User, live *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
		set := known.Get(live.Spec.Template.Data, func() result {
			wanted, err := manifest.SetImage(live, container, image)
			if err != nil {
				return result{err: err}
			}
			return result{template: wanted.Spec.Template}
		})
		if set.err != nil {
			return nil, usage(set.err.Error())
		}
		wanted := *live
		wanted.Spec.Template = set.template
		return &wanted, nil
	})
}

// checkImage checks the name of an image as far as the API server does: it has no white space and is not empty.
func (s *step) checkImage(n *yaml.Node, image string) {
	if n != nil && n.ShortTag() == "!!str" && (image == "" || strings.ContainsAny(image, " \t\n")) {
		s.r.Problem(n, "image is "+strict.Describe(n), "write the name of an image, like app:v1")
	}
}

// checkContainer checks the container's name if the containers are known before the run.
func (s *step) checkContainer(m *strict.Map, key model.Key) {
	k := s.census.byKey[key]
	if k == nil || k.uncertain || s.refused {
		return
	}
	n, all := m.Value("container"), slices.Concat(k.containers, k.inits)
	switch {
	case n == nil && len(k.containers) != 1:
		s.r.Problem(m.Node, "setImage does not name the container",
			"the containers of "+key.Name+" are "+strict.List(k.containers))
	case n != nil && n.ShortTag() == "!!str" && !slices.Contains(all, n.Value):
		s.r.Problem(n, fmt.Sprintf("%s has no container %q", key.Name, strict.Shorten(n.Value)),
			"its containers are "+strict.List(all))
	}
}

// scale reads a kubectl scale. Below 0 kubectl itself refuses, in the run, if the step expects that.
func (s *step) scale() *action {
	m := s.fields("replicas", "!!int", "statefulset", "replicas")
	key, ok := s.set(m)
	ok = m.Need("replicas") && ok
	replicas := int32(m.Int("replicas", s.replicaRange()))
	if !ok {
		return nil
	}
	does := fmt.Sprintf("scale %s to %d", key.Name, replicas)
	return setAction(key, does, func(_ *sim.User, live *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
		if replicas < 0 {
			return nil, usage("The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0")
		}
		wanted := *live
		wanted.Spec.Replicas = replicas
		return &wanted, nil
	})
}

// replicaRange returns the range of a scale. A step that expects to be refused may ask for any number.
func (s *step) replicaRange() strict.Range {
	within := strict.Range{Max: int64(s.options.Limits.OrDefault().Replicas), Flag: "--max-replicas"}
	if s.refused {
		within.Min = math.MinInt32
	}
	return within
}

// undo reads a kubectl rollout undo; toRevision 0 is the last revision but one.
func (s *step) undo() *action {
	m := s.fields("toRevision", "!!int", "statefulset", "toRevision")
	key, ok := s.set(m)
	number := m.Int("toRevision", strict.Range{Min: 0, Max: math.MaxInt64})
	if !ok {
		return nil
	}
	does := "undo the rollout of " + key.Name
	if number > 0 {
		does = fmt.Sprintf("undo the rollout of %s to revision %d", key.Name, number)
	}
	return &action{does: does, act: func(u *sim.User) sim.Outcome { return rollback(u, key, number) }}
}

// rollback does what kubectl rollout undo does: it patches the template of the set with the template of a revision,
// unless the set already has it, and changes nothing else: neither the replicas nor the claim templates. kubectl
// refuses a set without a revision to go back to.
func rollback(u *sim.User, key model.Key, number int64) sim.Outcome {
	live := u.Set(key)
	if live == nil {
		return refusal(unreadable(notFound(key)))
	}
	revision, err := revisionToUndo(u.Revisions(key), number)
	if err != nil {
		return refusal(err)
	}
	if revision.Template.Data == live.Spec.Template.Data {
		return sim.Outcome{Effect: timeline.Unchanged, Warning: fmt.Sprintf(
			"kubectl says: statefulset.apps/%s skipped rollback (current template already matches revision %d)",
			key.Name, number)}
	}
	wanted := *live
	wanted.Spec.Template = revision.Template
	return update(u, live, &wanted)
}

// revisionToUndo finds the revision as kubectl rollout undo does: the one of that number, or for 0 the last but one.
// The history must be sorted by number, which is not the order of creation: a rollback gives an old revision the
// highest number.
func revisionToUndo(history []*model.Revision, number int64) (*model.Revision, *model.APIError) {
	if number == 0 {
		if len(history) < 2 {
			return nil, usage("no last revision to roll back to")
		}
		return history[len(history)-2], nil
	}
	for _, revision := range history {
		if revision.Number == number {
			return revision, nil
		}
	}
	return nil, usage(fmt.Sprintf("unable to find specified revision %d in history", number))
}

// epoch is the wall-clock time when virtual time starts, for times that must be written out
// (kubectl.kubernetes.io/restartedAt). It is fixed, so that revisions have the same hashes in each run.
var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// restart reads a kubectl rollout restart, which writes the time into an annotation of the template. Two restarts in
// one second write the same text, and kubectl refuses the second.
func (s *step) restart() *action {
	m := s.r.Map(s.value, "restart", "statefulset")
	key, ok := s.set(m)
	if !ok {
		return nil
	}
	does := "restart " + key.Name
	// A search restarts the same set at the same instant in thousands of runs.
	type restarted struct{ template, at string }
	var known lazy.Memo[restarted, *model.Template]
	return setAction(key, does, func(u *sim.User, live *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
		at := epoch.Add(time.Duration(u.Now())).Format(time.RFC3339)
		wanted := *live
		wanted.Spec.Template = known.Get(restarted{live.Spec.Template.Data, at}, func() *model.Template {
			return manifest.Restart(live, at).Spec.Template
		})
		if wanted.Spec.Template.Data == live.Spec.Template.Data {
			return nil, usage("failed to create patch for " + key.Name + ": if restart has already been triggered within the " +
				"past second, please wait before attempting to trigger another")
		}
		return &wanted, nil
	})
}

// shortVerbs are the verbs whose value may be just the name of their object, as with kubectl (crash: web-0,
// restart: statefulset/web), each with the key that the name is for.
var shortVerbs = map[string]string{
	"fail": "pod", "unready": "pod", "recover": "pod", "crash": "pod", "evict": "pod", "hang": "pod",
	"restart": "statefulset", "undo": "statefulset",
}

// kindNames maps kubectl's other names for the kinds of steps to ours.
var kindNames = map[string]string{
	"po": "pod", "pods": "pod", "sts": "statefulset", "statefulsets": "statefulset", "statefulset.apps": "statefulset",
	"persistentvolumeclaim": "pvc", "persistentvolumeclaims": "pvc", "svc": "service", "services": "service",
	"no": "node", "nodes": "node", "pdb": "poddisruptionbudget", "poddisruptionbudgets": "poddisruptionbudget",
	"controllerrevisions": "controllerrevision",
}

// kindAndName splits KIND/NAME, the kind by any of its names. Without a slash all of it is the kind and name is "".
func kindAndName(text string) (kind, name string) {
	kind, name, _ = strings.Cut(text, "/")
	if known := kindNames[kind]; known != "" {
		kind = known
	}
	return kind, name
}

// writtenOut returns the value of a verb as the mapping that it is short for, at the same place of the file; any other
// value is returned as it is.
func writtenOut(verb string, n *yaml.Node) *yaml.Node {
	key := shortVerbs[verb]
	if key == "" || n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		return n
	}
	name := *n
	if kind, rest := kindAndName(n.Value); kind == key && rest != "" {
		name.Value = rest
	}
	mapping := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: n.Line, Column: n.Column}
	mapping.Content = []*yaml.Node{
		{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: n.Line, Column: n.Column}, &name,
	}
	return mapping
}
