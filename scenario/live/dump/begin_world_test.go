package dump_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestWhatStays: a dump has a set whose pod web-0 is Ready and whose web-1 is not, and the set db with a pod that is
// Ready. Then all pods are deleted: a failure lasts for the pods that have its cause, and for no others.
func TestWhatStays(t *testing.T) {
	waiting := func(phase, reason, message string) string {
		return fmt.Sprintf(`phase: %s, startTime: "2026-01-01T00:00:01Z", containerStatuses: [{name: app, image: "app:v1", ready: false, `+
			`restartCount: 0, state: {waiting: {reason: %s, message: %q}}}]`, phase, reason, message)
	}
	creating := waiting("Pending", "ContainerCreating", "")
	sandbox := event("Pod", "web-1", "00:01", "FailedCreatePodSandBox", "no network")
	for _, c := range []struct {
		name, status, event string
		// at is when the dump was taken; ready are the pods that are Ready at last.
		at    time.Duration
		ready string
	}{
		{"Ready", runs, "", time.Minute, "db-0 web-0 web-1"},
		{"its container is being created", creating, "", time.Minute, "db-0 web-0 web-1"},
		{"its container has been created for minutes", creating, "", 10 * time.Minute, "db-0 web-0"},
		{"and no container can be on its node", creating, sandbox, 10 * time.Minute, ""},
		{"its image has not been pulled, but web-0 has it", waiting("Pending", "ImagePullBackOff", "timeout"), "", time.Minute, "db-0 web-0 web-1"},
		{"its image is refused by the registry", waiting("Pending", "ErrImagePull", "403 Forbidden"), "", time.Minute, ""},
		{"its image, which the status names otherwise, is refused", strings.Replace(waiting("Pending", "ErrImagePull", "403 Forbidden"),
			"app:v1", "docker.io/library/app:v1", 1), "", time.Minute, ""},
		{"its configuration is missing", waiting("Pending", "CreateContainerConfigError", "no secret"), "", time.Minute, "db-0 web-0"},
		{"it crashes", fmt.Sprintf(wakes, "waiting: {reason: CrashLoopBackOff}", ""), "", time.Minute, "db-0 web-0"},
		{"its container is ready: the node is silent", strings.Replace(runs, `status: "True"`, `status: "False"`, 1), "", time.Minute, ""},
		{"it was Ready, and is not any more", strings.Replace(strings.Replace(runs, `status: "True"`, `status: "False"`, 1),
			"ready: true", "ready: false", 1), "", time.Minute, "db-0 web-0 web-1"},
		{"no node takes it", unbound, "", time.Minute, "db-0 web-0"},
		{"its volume is elsewhere", strings.Replace(unbound, "are available", "are available: 2 node(s) had volume node affinity conflict", 1),
			"", time.Minute, "db-0 web-0"},
		{"somebody has to take a gate away", strings.Replace(unbound, "0/2 nodes are available", "Scheduling is blocked due to non-empty scheduling gates", 1),
			"", time.Minute, "db-0 web-0"},
		{"its Secret is missing", creating, event("Pod", "web-1", "00:01", "FailedMount", `secret "keys" not found`), time.Minute, "db-0"},
		{"a Secret is missing that it does not name", creating, event("Pod", "web-1", "00:01", "FailedMount", `secret "other" not found`),
			time.Minute, "db-0 web-0 web-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			const secret = "volumes: [{name: v, secret: {secretName: keys}}], "
			on := "nodeName: node-1, " + secret
			if strings.Contains(c.status, "Unschedulable") {
				on = secret
			}
			web := setOf(secret, 2, 1) + podOf("web-0", "", "nodeName: node-1, "+secret, runs) + podOf("web-1", "", on, c.status) + c.event
			db := renamed(setOf("", 1, 1)+podOf("db-0", "", "nodeName: node-1, ", runs),
				"name: web,", "name: db,", "uid: s", "uid: d", "app: web", "app: db", "web-1", "db-1", "replicas: 2", "replicas: 1")
			d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(web + db)}}, dump.Options{At: epoch.Add(c.at)})
			require.NoError(t, err)
			require.Equal(t, c.ready, readyAfterDeletion(t, d, "db-0", "web-0", "web-1"))
		})
	}
}

// readyAfterDeletion deletes pods of a dump, and returns those that are Ready two hours later.
func readyAfterDeletion(t *testing.T, d *dump.Dump, names ...string) string {
	profile, err := statefulset.Lookup("1.37")
	require.NoError(t, err)
	world := sim.New(d.Begin(sim.Config{Controller: statefulset.New(profile), API: profile.API(), Until: 2 * time.Hour}))
	world.Run([]sim.Step{{Number: 1, When: sim.When{Trigger: sim.At, D: time.Second}, Act: func(u *sim.User) sim.Outcome {
		for _, name := range names {
			require.Nil(t, u.DeletePod(model.Key{Namespace: "default", Name: name}, true))
		}
		return sim.Outcome{}
	}}})
	var ready []string
	for _, pod := range world.State().Pods {
		if pod.Ready {
			ready = append(ready, pod.Name)
		}
	}
	return strings.Join(ready, " ")
}

// TestBetweenCrashes: web-1 ran for a minute and was Ready at its end, before it crashed; web-0 was never Ready. In the
// world between crashes web-1 is Ready again when its back-off is over, for as long; a new pod of the name is so from
// its beginning. In another namespace nothing changes.
func TestBetweenCrashes(t *testing.T) {
	crashes := func(name, ready string) string {
		return podOf(name, "", "nodeName: node-1, ", fmt.Sprintf(strings.Replace(wakes, "00:00:05", ready, 1),
			`waiting: {reason: CrashLoopBackOff, message: "back-off 40s restarting failed container=app"}`,
			`terminated: {exitCode: 1, reason: Error, startedAt: "2026-01-01T00:01:00Z", finishedAt: "2026-01-01T00:02:00Z"}`))
	}
	text := strings.Replace(setOf("", 2, 0), "OrderedReady", "Parallel", 1) + crashes("web-0", "00:00:05") + crashes("web-1", "00:01:20")
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{At: epoch.Add(130 * time.Second)})
	require.NoError(t, err)
	profile, err := statefulset.Lookup("1.37")
	require.NoError(t, err)
	begun := d.Begin(sim.Config{Controller: statefulset.New(profile), API: profile.API(), Until: 4 * time.Minute})
	_, any := d.BetweenCrashes(begun, "other")
	require.False(t, any)
	between, any := d.BetweenCrashes(begun, "default")
	require.True(t, any)
	events := sim.New(between).Run([]sim.Step{{Number: 1, When: sim.When{Trigger: sim.At, D: 2 * time.Minute}, Act: func(u *sim.User) sim.Outcome {
		u.DeletePod(model.Key{Namespace: "default", Name: "web-1"}, true)
		return sim.Outcome{}
	}}})
	var got []string
	for _, e := range events {
		if e.Kind == timeline.KindPod && e.Actor != timeline.Dump {
			got = append(got, fmt.Sprint(e.T.Clock(), " ", e.Pod, " ", e.State))
		}
	}
	require.Equal(t, []string{"32s web-1 Ready", "1m30s web-1 Unready", "2m00s web-1 Terminating", "2m00s web-1 Gone",
		"2m00s web-1 Pending", "2m01s web-1 Running", "2m03s web-1 Ready", "3m01s web-1 Unready", "3m03s web-1 Ready"}, got)
}

// TestAGateThatNobodySets: nobody has set the readiness gate of web-1. New pods have it set if a younger pod than web-1
// is Ready: then somebody sets it.
func TestAGateThatNobodySets(t *testing.T) {
	const gate = `readinessGates: [{conditionType: example.com/a}], `
	unset := strings.Replace(runs, `type: Ready, status: "True"`, `type: Ready, status: "False", reason: ReadinessGatesNotReady, `+
		`message: 'corresponding condition of pod readiness gate "example.com/a" does not exist.'`, 1)
	for created, ready := range map[string]string{"00:00:00": "", "00:00:09": "web-0 web-1"} {
		web0 := strings.Replace(podOf("web-0", "", "nodeName: node-1, "+gate, runs), "T00:00:00Z", "T"+created+"Z", 1)
		text := setOf(gate, 2, 1) + web0 + podOf("web-1", "", "nodeName: node-1, "+gate, unset)
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{At: epoch.Add(time.Minute)})
		require.NoError(t, err)
		require.Equal(t, ready, readyAfterDeletion(t, d, "web-0", "web-1"), "web-0 was created at %s", created)
	}
}
