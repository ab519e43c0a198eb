package serve_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

const (
	deployments = "/apis/apps/v1/namespaces/default/deployments"
	jobs        = "/apis/batch/v1/namespaces/default/jobs"
	cronJobs    = "/apis/batch/v1/namespaces/default/cronjobs"
	deployed    = `{"metadata":{"name":"d"},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"d"}},
		"template":{"metadata":{"labels":{"app":"d"}},"spec":{"containers":[{"name":"c","image":"app:1"}]}}}}`
)

// jobOf returns a Job with more of its spec and its image.
func jobOf(name, more, image string) string {
	return fmt.Sprintf(`{"metadata":{"name":%q},"spec":{%s"template":{"spec":{"restartPolicy":"Never","containers":[
		{"name":"c","image":%q}]}}}}`, name, more, image)
}

// images returns the images of the pods of a label, in the order of their names.
func (s *session) images(label string) (list []string) {
	for _, pod := range s.must("GET", pods+"?labelSelector="+label, "")["items"].([]any) {
		list = append(list, at(s.t, pod, "spec.containers.0.image").(string))
	}
	return list
}

// text returns what is answered in plain text.
func (s *session) text(path string) string {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Body.String()
}

// TestDeployment: a Deployment comes up, is rolled and scaled and rolled back, by ReplicaSets whose pods are pods of the
// world, and goes with them.
func TestDeployment(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", deployments, deployed)
	s.settle()
	d := s.must("GET", deployments+"/d", "")
	require.EqualValues(t, 3, at(t, d, "status.readyReplicas"))
	require.Equal(t, []string{"app:1", "app:1", "app:1"}, s.images("app%3Dd"))
	require.Equal(t, "NewReplicaSetAvailable", at(t, d, "status.conditions.1.reason"))
	require.Equal(t, "1", at(t, d, "metadata.annotations").(map[string]any)["deployment.kubernetes.io/revision"])

	s.must("PATCH", deployments+"/d", `{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"app:2"}]}}}}`,
		"Content-Type", strategicForm)
	s.settle()
	require.Equal(t, []string{"app:2", "app:2", "app:2"}, s.images("app%3Dd"))
	s.must("PATCH", deployments+"/d/scale", `{"spec":{"replicas":1}}`, "Content-Type", mergeForm)
	s.settle()
	require.Equal(t, []string{"app:2"}, s.images("app%3Dd"))

	s.must("PATCH", deployments+"/d", `{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"app:1"}]}}}}`,
		"Content-Type", strategicForm)
	s.settle()
	require.Equal(t, []string{"app:1"}, s.images("app%3Dd"))
	d = s.must("GET", deployments+"/d", "")
	require.Equal(t, "3", at(t, d, "metadata.annotations").(map[string]any)["deployment.kubernetes.io/revision"])
	require.Equal(t, at(t, d, "metadata.generation"), at(t, d, "status.observedGeneration"))

	s.must("DELETE", deployments+"/d", "")
	s.settle()
	require.Empty(t, s.images("app%3Dd"))
	require.Empty(t, s.must("GET", "/apis/apps/v1/namespaces/default/replicasets", "")["items"])
}

// TestDeploymentThatHangs: pods whose image cannot be pulled do not take the place of those that run, and the Deployment
// says at its deadline that it does not get on.
func TestDeploymentThatHangs(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", deployments, deployed)
	s.settle()
	s.must("POST", "/sim/step", `{"addRule":{"name":"bad","match":{"image":"app:2"},"start":"never"}}`)
	s.must("PATCH", deployments+"/d", `{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"app:2"}]}}}}`,
		"Content-Type", strategicForm)
	s.settle()
	d := s.must("GET", deployments+"/d", "")
	require.EqualValues(t, 3, at(t, d, "status.availableReplicas"))
	require.EqualValues(t, 1, at(t, d, "status.updatedReplicas"))
	require.Equal(t, "ProgressDeadlineExceeded", at(t, d, "status.conditions.1.reason"))
}

// TestJobs: a pod that is not to run for ever ends as the rule of its image says, and well without one, and so does its Job.
func TestJobs(t *testing.T) {
	code := 3
	s := begin(t, func(c *serve.Config) {
		c.World.Kubelet.Rules = []behaviour.Rule{{Match: behaviour.Match{Image: "bad:*"},
			Times: behaviour.Times{Crash: behaviour.Constant(1e9), Exit: &code}}}
	})
	for _, c := range []struct{ name, more, image, ends, succeeded, failed string }{
		{"one", "", "migrate:1", "Complete", "1", ""},
		{"many", `"completions":5,"parallelism":2,`, "migrate:1", "Complete", "5", ""},
		{"indexed", `"completions":3,"parallelism":3,"completionMode":"Indexed",`, "migrate:1", "Complete", "3", ""},
		{"bad", `"backoffLimit":1,`, "bad:1", "Failed", "", "2"},
		{"late", `"activeDeadlineSeconds":3,`, "migrate:1", "Failed", "", ""},
	} {
		s.must("POST", jobs, jobOf(c.name, c.more, c.image))
		s.settle()
		status := s.must("GET", jobs+"/"+c.name, "")["status"]
		require.Equal(t, c.ends, at(t, status, "conditions.1.type"), "%s: %v", c.name, status)
		for field, want := range map[string]string{"succeeded": c.succeeded, "failed": c.failed} {
			got := ""
			if n := at(t, status, field); n != nil {
				got = fmt.Sprint(n)
			}
			require.Equal(t, want, got, "%s: %s of %v", c.name, field, status)
		}
	}
	require.Equal(t, "0-2", at(t, s.must("GET", jobs+"/indexed", ""), "status.completedIndexes"))
	s.must("POST", jobs, jobOf("gone", `"ttlSecondsAfterFinished":60,`, "migrate:1"))
	s.settle()
	gone, _ := s.ask("GET", jobs+"/gone", "")
	require.Equal(t, 404, gone)
	require.Empty(t, s.images("job-name%3Dgone"))
}

// TestPodsThatEnd: a pod with restartPolicy OnFailure or Never that nobody controls ends too, and its log can be read.
func TestPodsThatEnd(t *testing.T) {
	s := begin(t, nil)
	for _, policy := range []string{"Never", "OnFailure", "Always"} {
		s.must("POST", pods, fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"restartPolicy":%q,"initContainers":[
			{"name":"i","image":"init:1"}],"containers":[{"name":"c","image":"test:1"}]}}`, strings.ToLower(policy), policy))
	}
	s.settle()
	for name, phase := range map[string]string{"never": "Succeeded", "onfailure": "Succeeded", "always": "Running"} {
		require.Equal(t, phase, at(t, s.must("GET", pods+"/"+name, ""), "status.phase"), name)
		for _, container := range []string{"c", "i"} {
			require.Contains(t, s.text(pods+"/"+name+"/log?container="+container), "a simulated container writes nothing else")
		}
	}
}

// TestCronJob: a CronJob creates a Job at each time of its schedule while time passes, and keeps the last ones. It does not
// keep the cluster from being settled.
func TestCronJob(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", cronJobs, `{"metadata":{"name":"c"},"spec":{"schedule":"*/5 * * * *","successfulJobsHistoryLimit":2,
		"jobTemplate":`+strings.Replace(jobOf("x", "", "backup:1"), `"name":"x"`, ``, 1)+`}}`)
	s.settle()
	require.Empty(t, s.must("GET", jobs, "")["items"])
	s.must("POST", "/sim/clock/advance?by=21m", "")
	list := s.must("GET", jobs, "")["items"].([]any)
	require.Len(t, list, 2, "%v", list)
	require.Equal(t, "2026-01-01T00:20:00Z", at(t, s.must("GET", cronJobs+"/c", ""), "status.lastScheduleTime"))
}

// TestDaemonSet: each node that a DaemonSet chooses has one of its pods, which are replaced one after the other.
func TestDaemonSet(t *testing.T) {
	const daemons = "/apis/apps/v1/namespaces/default/daemonsets"
	s := begin(t, nil)
	s.must("POST", daemons, strings.Replace(deployed, `"replicas":3,`, "", 1))
	s.settle()
	require.EqualValues(t, 3, at(t, s.must("GET", daemons+"/d", ""), "status.numberReady"))
	s.must("PATCH", daemons+"/d", `{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"app:2"}]}}}}`,
		"Content-Type", strategicForm)
	s.settle()
	require.Equal(t, []string{"app:2", "app:2", "app:2"}, s.images("app%3Dd"))
	require.EqualValues(t, 3, at(t, s.must("GET", daemons+"/d", ""), "status.updatedNumberScheduled"))
}

// TestIdleControllers: the kinds whose controllers are left out are only stored.
func TestIdleControllers(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.Idle = []*kinds.Kind{kinds.StatefulSet, kinds.Deployment} })
	s.must("POST", sets, web)
	s.must("POST", deployments, deployed)
	s.must("POST", jobs, jobOf("one", "", "migrate:1"))
	s.settle()
	require.Empty(t, s.images("app%20in%20(web,d)"))
	require.EqualValues(t, 1, at(t, s.must("GET", jobs+"/one", ""), "status.succeeded"))
}
