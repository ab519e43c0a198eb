package store_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

var (
	web0   = model.Key{Namespace: "default", Name: "web-0"}
	ofWeb  = model.Owner{Kind: model.KindStatefulSet, Name: "web", UID: 70, Controller: true}
	ofAPI  = model.Owner{Kind: model.KindStatefulSet, Name: "api", UID: 71, Controller: true}
	backup = model.Owner{Name: "backup", UID: 72}
)

func TestAPodIsAdoptedAndReleased(t *testing.T) {
	c := newCluster(rules137)
	pod, err := c.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-0", Owners: []model.Owner{backup}}})
	require.Nil(t, err)

	adopted, err := c.AdoptPod(web0, pod.UID, ofWeb)
	require.Nil(t, err)
	assert.Equal(t, []model.Owner{backup, ofWeb}, adopted.Owners)
	assert.Greater(t, adopted.ResourceVersion, pod.ResourceVersion)
	again, err := c.AdoptPod(web0, pod.UID, ofWeb)
	require.Nil(t, err)
	assert.Same(t, adopted, again, "what changes nothing makes no version")

	_, err = c.AdoptPod(web0, pod.UID, ofAPI)
	assert.True(t, model.Invalid.Is(err), "there is one controller")
	assert.Contains(t, err.Message, `Found "true" in references for StatefulSet/web and StatefulSet/api`)
	_, err = c.AdoptPod(web0, pod.UID+1, ofWeb)
	assert.True(t, model.Invalid.Is(err), "another pod of the name")
	_, err = c.ReleasePod(web0, pod.UID+1, ofWeb.UID)
	assert.True(t, model.Invalid.Is(err))

	released, err := c.ReleasePod(web0, pod.UID, ofWeb.UID)
	require.Nil(t, err)
	assert.Equal(t, []model.Owner{backup}, released.Owners)
	_, err = c.ReleasePod(model.Key{Namespace: "default", Name: "web-1"}, 0, ofWeb.UID)
	assert.True(t, model.NotFound.Is(err))
}

func TestARevisionIsAdopted(t *testing.T) {
	c := newCluster(rules137)
	revision, err := c.CreateRevision(&model.Revision{Meta: model.Meta{Namespace: "default", Name: "web-0"}})
	require.Nil(t, err)
	adopted, err := c.AdoptRevision(web0, revision.UID, ofWeb)
	require.Nil(t, err)
	assert.Equal(t, []model.Owner{ofWeb}, adopted.Owners)
	_, err = c.AdoptRevision(web0, revision.UID, ofAPI)
	assert.True(t, model.Invalid.Is(err))
	_, err = c.AdoptRevision(web0, revision.UID+1, ofWeb)
	assert.True(t, model.Invalid.Is(err))
	_, err = c.AdoptRevision(model.Key{Namespace: "default", Name: "x"}, 0, ofWeb)
	assert.True(t, model.NotFound.Is(err))
}

func TestAnUpdateOfAPod(t *testing.T) {
	c := newCluster(rules137)
	pod, err := c.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-0"}})
	require.Nil(t, err)
	same := *pod
	stored, err := c.UpdatePod(&same)
	require.Nil(t, err)
	assert.Same(t, pod, stored, "what changes nothing makes no version")
	labelled := *pod
	labelled.Labels, labelled.Phase = map[string]string{"a": "b"}, model.Failed
	stored, err = c.UpdatePod(&labelled)
	require.Nil(t, err)
	assert.Equal(t, labelled.Labels, stored.Labels)
	assert.Equal(t, model.Pending, stored.Phase, "the status is not written by an update")
	_, err = c.UpdatePod(&labelled)
	assert.True(t, model.Conflict.Is(err), "it is of an older version")
	labelled = *stored
	labelled.UID++
	_, err = c.UpdatePod(&labelled)
	assert.True(t, model.Conflict.Is(err), "it is of another pod")
	same = *stored
	same.Volumes = []model.Volume{{Name: "data", Claim: "data-web-0"}}
	_, err = c.UpdatePod(&same)
	assert.True(t, model.Invalid.Is(err))
	assert.Contains(t, err.Message, "pod updates may not change fields other than")
}
