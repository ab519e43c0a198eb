package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
)

// byHand are the steps of a scenario that a request to the simulator may do: failures in a cluster, and their
// repair. Whatever people do to objects, they do with requests to the API server.
var byHand = []string{"fail", "unready", "recover", "crash", "hang", "nodeDown", "nodeUp", "outOfService", "addRule",
	"removeRule"}

// Done is the result of a step by hand. Warning says why it did nothing.
type Done struct {
	At      float64 `json:"at"`
	Does    string  `json:"does"`
	Effect  string  `json:"effect"`
	Warning string  `json:"warning,omitempty"`
}

// mostOfStep is the most bytes of a step by hand.
const mostOfStep = 64 << 10

// stepGiven is the text of the step of a request; nil if the request has none.
func stepGiven(r *http.Request) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r.Body, mostOfStep+1))
	switch {
	case err != nil:
		return nil, apierrors.NewBadRequest(err.Error())
	case len(text) > mostOfStep:
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("a step has at most %d bytes", mostOfStep))
	}
	return text, nil
}

// podOfStep returns the pod that a step is about, if it is about one.
func podOfStep(verb string, step map[string]any) (pod model.Key, named bool) {
	pod.Namespace = "default"
	if namespace, given := step["namespace"].(string); given {
		pod.Namespace = namespace
	}
	switch value := step[verb].(type) {
	case string:
		pod.Name = value
	case map[string]any:
		pod.Name, _ = value["pod"].(string)
	}
	pod.Name = strings.TrimPrefix(pod.Name, "pod/")
	return pod, pod.Name != "" && slices.Contains(ofPods, verb)
}

// ofPods are the steps by hand that are about a pod.
var ofPods = []string{"fail", "unready", "recover", "crash", "hang"}

// step does a step of a scenario at this instant.
func (s *Server) step(text []byte) (*Done, error) {
	if s.config.Uncontrolled {
		return nil, apierrors.NewBadRequest("nothing acts in this cluster (--controllers none), so nothing in it can fail")
	}
	limits := strict.DefaultLimits()
	limits.Documents = 1
	step, err := scenario.ReadStep("the step", text, scenario.Acting{Cluster: s.config.World.Cluster,
		Probed: s.config.World.Kubelet.Probes != nil, Verbs: byHand, Limits: limits})
	var wrong strict.Problems
	switch {
	case errors.As(err, &wrong):
		return nil, apierrors.NewBadRequest(strings.TrimSpace(err.Error()))
	case err != nil || step == nil:
		return nil, apierrors.NewBadRequest("this is no step of a scenario")
	}
	var written map[string]any
	if err := yaml.Unmarshal(text, &written); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if pod, named := podOfStep(step.Verb, written); named && s.cluster.User.Pod(pod) == nil {
		return nil, apierrors.NewNotFound(corev1.Resource("pods"), pod.Name)
	}
	done := &Done{At: time.Duration(s.cluster.World.Now()).Seconds(), Does: step.Does}
	act := step.Act
	step.Act = func(u *sim.User) sim.Outcome {
		outcome := act(u)
		done.Effect, done.Warning = string(outcome.Effect), outcome.Warning
		return outcome
	}
	s.cluster.Do(bridge.Doing{Verb: step.Verb, Does: step.Does, Step: written}, step)
	s.changed.Broadcast()
	return done, nil
}
