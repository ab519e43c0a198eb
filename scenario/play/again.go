package play

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// InParallel recreates a set with the policy Parallel and keeps its pods, because the policy cannot be changed in
// place. It helps if the pods need each other to become Ready, and OrderedReady starts one at a time. The API server
// must still have the set when the script is played.
func InParallel(key model.Key) Script {
	text := shell.Pipe(shell.In(key.Namespace, "get", "statefulset", key.Name, "-o", "yaml"),
		"sed 's/OrderedReady/Parallel/'", shell.ReplaceOrphaning)
	return again(key, text, "with the policy Parallel", func(set *model.StatefulSet) {
		set.Spec.PodManagement = model.Parallel
	})
}

// WithClass recreates a set and keeps its pods, with a storage class in the claim templates that name none or, if from
// is given, that name this one. Claims that exist are not changed.
func WithClass(key model.Key, from, class string) Script {
	filter, with := ".spec.volumeClaimTemplates[].spec.storageClassName //= "+shell.JSON(class), "with a storage class"
	if from != "" {
		filter = "(.spec.volumeClaimTemplates[].spec | select(.storageClassName == " + shell.JSON(from) +
			") | .storageClassName) = " + shell.JSON(class)
		with = "with another storage class"
	}
	text := shell.Pipe(shell.In(key.Namespace, "get", "statefulset", key.Name, "-o", "json"),
		shell.Line("jq", filter), shell.ReplaceOrphaning)
	return again(key, text, with, func(set *model.StatefulSet) {
		set.Spec.ClaimTemplates = slices.Clone(set.Spec.ClaimTemplates)
		for i := range set.Spec.ClaimTemplates {
			if t := &set.Spec.ClaimTemplates[i]; from == "" && Classless(t) || from != "" && ClassOf(t) == from {
				t.Data = withClass(t.Data, class)
			}
		}
	})
}

// Classless says whether a claim template names no storage class, so that it depends on the default of the cluster.
func Classless(t *model.ClaimTemplate) bool { return classOf(t.Data) == nil }

// ClassOf returns the storage class that a claim template names, "" if it names none.
func ClassOf(t *model.ClaimTemplate) string {
	if class := classOf(t.Data); class != nil {
		return *class
	}
	return ""
}

// classOf returns the storage class in the spec of a claim, nil if there is none.
func classOf(data string) *string {
	var spec struct {
		StorageClassName *string `json:"storageClassName"`
	}
	if json.Unmarshal([]byte(data), &spec) != nil {
		return nil
	}
	return spec.StorageClassName
}

// withClass adds a storage class to the spec of a claim. Data that is no spec stays; the API server refuses it.
func withClass(data, class string) string {
	spec := map[string]any{}
	if json.Unmarshal([]byte(data), &spec) != nil {
		return data
	}
	spec["storageClassName"] = class
	named, err := json.Marshal(spec)
	if err != nil {
		panic(fmt.Sprintf("play: the claim spec %s cannot be encoded: %v", data, err))
	}
	return string(named)
}

// again recreates a set with a change and keeps its pods. The one command makes two calls, the second as soon as the
// first has returned. The script remembers the set between its two deeds, so one script is played in one world at a
// time.
func again(key model.Key, text, with string, change func(*model.StatefulSet)) Script {
	var before *model.StatefulSet
	return Script{
		{Verb: "delete", Acts: WritesSet, Kubectl: text, Act: func(u *sim.User) sim.Outcome {
			before = u.Set(key)
			if err := u.DeleteSet(key, sim.Orphan); err != nil {
				return Refused(err)
			}
			outcome := sim.Outcome{Effect: timeline.Deleted}
			if u.Set(key) == nil {
				outcome.Removed = []model.Key{key}
			}
			return outcome
		}, Returns: when(func(now *Moment) bool { return now.Set(key) == nil })},
		{Verb: "create", Does: "create " + key.Name + " again " + with, Prompt: true, Act: func(u *sim.User) sim.Outcome {
			next := &model.StatefulSet{Meta: model.Meta{
				Namespace: key.Namespace, Name: key.Name, Labels: before.Labels, Annotations: before.Annotations,
			}, Spec: before.Spec}
			change(next)
			stored, err := u.Create(next)
			return Stored(timeline.Created, stored, err)
		}},
	}
}
