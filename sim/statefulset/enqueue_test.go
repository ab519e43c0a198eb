package statefulset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// setsByName is a cache of sets.
type setsByName []*model.StatefulSet

func (s setsByName) Set(key model.Key) *model.StatefulSet {
	for _, set := range s {
		if set.Key() == key {
			return set
		}
	}
	return nil
}

func (s setsByName) Selecting(namespace string, labels map[string]string, yield func(*model.StatefulSet)) {
	for _, set := range s {
		if set.Namespace == namespace && set.Spec.Selector.Matches(labels) {
			yield(set)
		}
	}
}

func ownedBy(name string, uid model.UID) func(*model.Pod) {
	return func(pod *model.Pod) {
		pod.Owners = []model.Owner{{Kind: model.KindStatefulSet, Name: name, UID: uid, Controller: true}}
	}
}

func somePod(version uint64, changes ...func(*model.Pod)) *model.Pod {
	pod := &model.Pod{}
	pod.Namespace, pod.Name, pod.ResourceVersion = "default", "web-0", version
	pod.Labels = map[string]string{"app": "web"}
	for _, change := range changes {
		change(pod)
	}
	return pod
}

func TestEnqueue(t *testing.T) {
	other := newSet()
	other.Name, other.UID = "other", 8
	everything := newSet()
	everything.Name, everything.Spec.Selector = "everything", model.Selector{}
	sets := setsByName{everything, other, newSet()}

	web, otherWeb := ownedBy("web", 7), ownedBy("other", 8)
	ready := func(pod *model.Pod) { pod.Ready = true }
	deleted := func(pod *model.Pod) { pod.Deletion = &model.Deletion{} }
	labelled := func(pod *model.Pod) { pod.Labels = map[string]string{"app": "web", "x": "y"} }
	bare := func(pod *model.Pod) { pod.Labels = nil }
	foreign := func(pod *model.Pod) {
		pod.Owners = []model.Owner{{Kind: model.KindPod, Name: "web", UID: 7, Controller: true}}
	}
	for _, test := range []struct {
		name   string
		change model.Change
		want   []string
	}{
		{"a set added", model.Change{Type: model.Added, Set: newSet()}, []string{"web"}},
		{"a set changed", model.Change{Type: model.Modified, OldSet: newSet(), Set: newSet()}, []string{"web"}},
		{"a set deleted", model.Change{Type: model.Deleted, OldSet: newSet()}, []string{"web"}},
		{"a pod added", model.Change{Type: model.Added, Pod: somePod(1, web)}, []string{"web"}},
		{"a pod of an earlier set of the name", model.Change{Type: model.Added, Pod: somePod(1, ownedBy("web", 3))}, nil},
		{"a pod of a set that is unknown", model.Change{Type: model.Added, Pod: somePod(1, ownedBy("none", 7))}, nil},
		{"a pod of another kind of owner", model.Change{Type: model.Added, Pod: somePod(1, foreign)}, nil},
		{"an orphan added, for each set that selects it", model.Change{Type: model.Added, Pod: somePod(1)},
			[]string{"other", "web"}},
		{"an orphan without labels", model.Change{Type: model.Added, Pod: somePod(1, bare)}, nil},
		{"a pod that is seen first when it is terminating", model.Change{Type: model.Added, Pod: somePod(1, web, deleted)},
			[]string{"web"}},
		{"an orphan that is", model.Change{Type: model.Added, Pod: somePod(1, deleted)}, nil},
		{"a pod changed", model.Change{Type: model.Modified, OldPod: somePod(1, web), Pod: somePod(2, web)}, []string{"web"}},
		{"a pod seen again", model.Change{Type: model.Modified, OldPod: somePod(1, web), Pod: somePod(1, web)}, nil},
		{"a pod given away", model.Change{Type: model.Modified, OldPod: somePod(1, web), Pod: somePod(2, otherWeb)},
			[]string{"web", "other"}},
		{"a pod released", model.Change{Type: model.Modified, OldPod: somePod(1, web), Pod: somePod(2)},
			[]string{"web", "other", "web"}},
		{"an orphan changed in nothing that counts", model.Change{Type: model.Modified, OldPod: somePod(1),
			Pod: somePod(2)}, nil},
		{"an orphan with other labels", model.Change{Type: model.Modified, OldPod: somePod(1), Pod: somePod(2, labelled)},
			[]string{"other", "web"}},
		{"a pod that gets ready", model.Change{Type: model.Modified, OldPod: somePod(1, web), Pod: somePod(2, web, ready)},
			[]string{"web"}},
		{"a pod deleted", model.Change{Type: model.Deleted, OldPod: somePod(1, web)}, []string{"web"}},
		{"an orphan deleted", model.Change{Type: model.Deleted, OldPod: somePod(1)}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			statefulset.New(profile(t, "", nil)).Enqueue(test.change, sets, func(key model.Key, after time.Duration) {
				assert.Zero(t, after)
				got = append(got, key.Name)
			})
			assert.Equal(t, test.want, got)
		})
	}
}

func TestAPodThatGetsReadyIsLookedAtWhenItIsAvailable(t *testing.T) {
	set := newSet()
	set.Spec.MinReadySeconds = 5
	change := model.Change{
		Type: model.Modified, OldPod: somePod(1, ownedBy("web", 7)),
		Pod: somePod(2, ownedBy("web", 7), func(pod *model.Pod) { pod.Ready = true }),
	}
	for _, test := range []struct {
		version string
		after   []time.Duration
	}{
		{"1.22", []time.Duration{0}},
		{"1.24", []time.Duration{0, 6 * time.Second}},
		{"1.35.0", []time.Duration{0, 6 * time.Second}},
		{"1.35.1", []time.Duration{0, 5 * time.Second}},
		{"1.36", []time.Duration{0, 5 * time.Second}},
	} {
		var got []time.Duration
		controller := statefulset.New(profile(t, test.version, nil))
		controller.Enqueue(change, setsByName{set}, func(_ model.Key, after time.Duration) { got = append(got, after) })
		assert.Equal(t, test.after, got, test.version)
	}
}
