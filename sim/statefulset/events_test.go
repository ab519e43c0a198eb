package statefulset_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
)

func TestEvents(t *testing.T) {
	for _, test := range []struct {
		syncTest
		events []string
	}{
		{syncTest{name: "a pod created"},
			[]string{"SuccessfulCreate: Create Pod web-0 in StatefulSet web successful"}},
		{syncTest{name: "in lower case up to 1.34", version: "1.34"},
			[]string{"SuccessfulCreate: create Pod web-0 in StatefulSet web successful"}},
		{syncTest{name: "not created", refuse: map[string]model.ErrorReason{"create web-0": model.Forbidden},
			err: "Forbidden"},
			[]string{"FailedCreate: Create Pod web-0 in StatefulSet web failed error: Forbidden"}},
		{syncTest{name: "a claim and its pod", set: []func(*model.StatefulSet){withClaim}},
			[]string{
				"SuccessfulCreate: Create Claim data-web-0 Pod web-0 in StatefulSet web success",
				"SuccessfulCreate: Create Pod web-0 in StatefulSet web successful",
			}},
		{syncTest{name: "no claim, no pod", set: []func(*model.StatefulSet){withClaim}, err: "Forbidden",
			refuse: map[string]model.ErrorReason{"create data-web-0": model.Forbidden}},
			[]string{
				"FailedCreate: Create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: Forbidden",
				"FailedCreate: Create Pod web-0 in StatefulSet web failed error: failed to create PVC data-web-0: Forbidden",
			}},
		{syncTest{name: "a claim there already", set: []func(*model.StatefulSet){withClaim}, err: "AlreadyExists",
			refuse: map[string]model.ErrorReason{"create data-web-0": model.AlreadyExists}},
			[]string{"FailedCreate: Create Pod web-0 in StatefulSet web failed error: " +
				"failed to create PVC data-web-0: AlreadyExists"}},
		{syncTest{name: "deleted", set: rolling, pods: threeReady},
			[]string{"SuccessfulDelete: Delete Pod web-2 in StatefulSet web successful"}},
		{syncTest{name: "deleted, though gone already", set: rolling, pods: threeReady,
			refuse: map[string]model.ErrorReason{"delete web-2": model.NotFound}},
			[]string{"SuccessfulDelete: Delete Pod web-2 in StatefulSet web successful"}},
		{syncTest{name: "gone already, told as a failure up to 1.35", version: "1.35", set: rolling, pods: threeReady,
			refuse: map[string]model.ErrorReason{"delete web-2": model.NotFound}},
			[]string{"FailedDelete: Delete Pod web-2 in StatefulSet web failed error: NotFound"}},
		{syncTest{name: "repaired", pods: "0@v1:ready,unlabelled 1@v1:ready 2@v1:ready"},
			[]string{"SuccessfulUpdate: Update Pod web-0 in StatefulSet web successful"}},
		{syncTest{name: "not repaired, after four attempts", pods: "0@v1:ready,unlabelled", err: "Conflict",
			refuse: map[string]model.ErrorReason{"update web-0": model.Conflict}},
			[]string{"FailedUpdate: Update Pod web-0 in StatefulSet web failed error: Conflict"}},
		{syncTest{name: "a Failed pod in one sync", version: "1.28.0", pods: "0@v1:failed"},
			[]string{
				"RecreatingFailedPod: StatefulSet default/web is recreating failed Pod web-0",
				"SuccessfulDelete: delete Pod web-0 in StatefulSet web successful",
				"SuccessfulCreate: create Pod web-0 in StatefulSet web successful",
			}},
		{syncTest{name: "a Succeeded pod in one sync", version: "1.29.0", pods: "0@v1:succeeded"},
			[]string{
				"RecreatingTerminatedPod: StatefulSet default/web is recreating terminated Pod web-0",
				"SuccessfulDelete: delete Pod web-0 in StatefulSet web successful",
				"SuccessfulCreate: create Pod web-0 in StatefulSet web successful",
			}},
		{syncTest{name: "a Failed pod in two syncs", version: "1.29.6", pods: "0@v1:failed"},
			[]string{"SuccessfulDelete: delete Pod web-0 in StatefulSet web successful"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.events, test.sync(t).server.Events)
		})
	}
}
