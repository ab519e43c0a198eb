package scenario_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestSkew: an API server of 1.38 accepts Recreate, and every sync of a controller of 1.37 fails, with its event. The
// new controller makes the pods anew. An API server of 1.37 refuses it.
func TestSkew(t *testing.T) {
	run := func(steps string) []timeline.Event {
		s, err := scenario.Parse("s.yaml", []byte("kubernetes: \"1.37\"\nuntil: 2m\nsteps:\n"+
			"- create: {name: web, replicas: 3, image: \"app:v1\"}\n"+steps), nil, scenario.Options{})
		require.NoError(t, err)
		return s.Run(scenario.RunOptions{}).Timeline
	}
	recreate := "- patch: {spec: {updateStrategy: {type: Recreate, rollingUpdate: null}}}\n"
	var failed, deleted []model.Time
	for _, e := range run("- upgradeControlPlane: {to: \"1.38\", component: apiServer}\n" + recreate +
		"- setImage: {image: \"app:v2\"}\n- {at: 60s, upgradeControlPlane: {to: \"1.38\", component: controllerManager}}\n") {
		switch {
		case e.Reason == "UnknownStrategy":
			failed = append(failed, e.T)
		case e.Kind == timeline.KindPod && e.State == timeline.Terminating:
			deleted = append(deleted, e.T)
		}
	}
	minute := model.Time(time.Minute)
	require.Greater(t, len(failed), 10)
	require.Less(t, failed[len(failed)-1], minute)
	require.Equal(t, []model.Time{minute, minute, minute}, deleted)

	events := run(recreate)
	require.Equal(t, timeline.WasRefused, events[len(events)-1].Result.Verdict, "without the new API server")
}

// TestPartsOfVersion: a component that is upgraded alone takes only its own rules with it. The scheduler of 1.38 counts
// the pods of a spread with an empty selector; neither the API server nor the controllers do.
func TestPartsOfVersion(t *testing.T) {
	for component, pending := range map[string]bool{"apiServer": false, "apiServer, scheduler": true} {
		steps := ""
		for _, name := range []string{"apiServer", "scheduler"} {
			if name == "apiServer" || component != "apiServer" {
				steps += "- upgradeControlPlane: {to: \"1.38\", component: " + name + "}\n"
			}
		}
		text := "kubernetes: \"1.37\"\nnodes:\n- {name: n1, labels: {zone: a}, allocatable: {pods: 110}}\n" +
			"- {name: n2, labels: {zone: b}, allocatable: {pods: 1}}\nsteps:\n" + steps + "- create:\n" + "    " + strings.ReplaceAll(spread, "\n", "\n    ")
		s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
		require.NoError(t, err)
		run := s.Run(scenario.RunOptions{})
		require.Equal(t, pending, run.Result.Verdict == timeline.IsStuck, component)
	}
}

// TestForbiddenSkew: what the version skew policy of Kubernetes forbids is refused with the rule. An upgrade of the
// whole control plane may skip versions.
func TestForbiddenSkew(t *testing.T) {
	for step, says := range map[string]string{
		`{to: "1.38", component: apiServer}`: "",
		`{to: "1.36", component: scheduler}`: "",
		`{to: "1.34", component: kubelets}`:  "",
		`{to: "1.38"}`:                       "",
		`"1.30"`:                             "",
		`{to: "1.38", component: controllerManager}`: "s.yaml:4:29: kube-controller-manager 1.38 with " +
			"kube-apiserver 1.37: Kubernetes supports none that is newer: an upgrade begins with the apiServer, and a downgrade ends with it",
		`{to: "1.36", component: apiServer}`: "s.yaml:4:29: kube-controller-manager 1.37 with kube-apiserver " +
			"1.36: Kubernetes supports none that is newer: an upgrade begins with the apiServer, and a downgrade ends with it",
		`{to: "1.35", component: controllerManager}`: "s.yaml:4:29: kube-controller-manager 1.35 with kube-apiserver " +
			"1.37: Kubernetes supports none that is more than 1 minor version older: upgrade the controllerManager on the way",
		`{to: "1.33", component: kubelets}`: "s.yaml:4:29: kubelet 1.33 with kube-apiserver 1.37: Kubernetes supports " +
			"none that is more than 3 minor versions older: upgrade the kubelets on the way",
		`{to: "1.38", component: etcd}`: "s.yaml:4:48: there is no component etcd: it must be one of apiServer, " +
			"controllerManager, scheduler, kubelets",
	} {
		_, err := scenario.Parse("s.yaml", []byte("kubernetes: \"1.37\"\nsteps:\n- create: {name: web, image: \"a:1\"}\n"+
			"- upgradeControlPlane: "+step+"\n"), nil, scenario.Options{})
		if says == "" {
			require.NoError(t, err, step)
		} else {
			require.EqualError(t, err, says)
		}
	}
}

// spread is a set whose pods keep to a spread with an empty selector.
const spread = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 4
  serviceName: web
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}
      containers: [{name: c, image: "app:v1"}]
`
