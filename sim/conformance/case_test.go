package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Case is a whole world in the public scenario format, as far as the generator uses it. JSON is YAML, so that a case
// that is written to a file is a scenario.
type Case struct {
	Name       string  `json:"name"`
	Kubernetes string  `json:"kubernetes"`
	Until      string  `json:"until"`
	Kubelet    Kubelet `json:"kubelet"`
	Steps      []Step  `json:"steps"`
	// FeatureGates are the gates that are not at their default.
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
	// Collector says how fast the collector is; nil is at once.
	Collector *Collector `json:"collector,omitempty"`
	// APIServer says how long the way to the API server takes, and back; nil is no time.
	APIServer *APIServer `json:"apiserver,omitempty"`
	// Refused are calls that fail. They are no part of the scenario format: cases with them are only played here.
	Refused []Fault `json:"refused,omitempty"`
}

// APIServer has the delays of the API server.
type APIServer struct {
	Write string `json:"write,omitempty"`
	Watch string `json:"watch,omitempty"`
}

// Collector has the delay of the garbage collector.
type Collector struct {
	Delay string `json:"delay"`
}

// Kubelet says how pods behave. Durations are texts as a scenario has them.
type Kubelet struct {
	Times
	Rules []Rule `json:"rules,omitempty"`
}

// Times are the delays in a pod's life; "" is not given, and never is for ever.
type Times struct {
	Schedule string `json:"schedule,omitempty"`
	Start    string `json:"start,omitempty"`
	Ready    string `json:"ready,omitempty"`
	Stop     string `json:"stop,omitempty"`
	Fail     string `json:"fail,omitempty"`
}

// Rule gives some pods other times.
type Rule struct {
	Match Match `json:"match"`
	Times
}

// Match says which pods a rule is for.
type Match struct {
	Image   string `json:"image,omitempty"`
	Ordinal *int   `json:"ordinal,omitempty"`
	Nth     *int   `json:"nth,omitempty"`
}

// Step is an action of a user. It happens when the time After the previous step has passed or, without it, once all is
// settled. One of the other fields is set.
type Step struct {
	After    *string        `json:"after,omitempty"`
	Create   map[string]any `json:"create,omitempty"`
	Scale    *Scale         `json:"scale,omitempty"`
	SetImage *SetImage      `json:"setImage,omitempty"`
	Patch    *Patch         `json:"patch,omitempty"`
	// Delete is pod/NAME, pvc/NAME or statefulset/NAME; Cascade says what becomes of the pods of a set.
	Delete  string   `json:"delete,omitempty"`
	Cascade string   `json:"cascade,omitempty"`
	Fail    *PodStep `json:"fail,omitempty"`
	Unready *PodStep `json:"unready,omitempty"`
}

// Scale changes the replicas of a set.
type Scale struct {
	StatefulSet string `json:"statefulset"`
	Replicas    int32  `json:"replicas"`
}

// SetImage changes the image of a set's template.
type SetImage struct {
	StatefulSet string `json:"statefulset"`
	Image       string `json:"image"`
}

// Patch merges a patch into a set's spec.
type Patch struct {
	StatefulSet string         `json:"statefulset"`
	Spec        map[string]any `json:"spec"`
}

// PodStep does something to a pod.
type PodStep struct {
	Pod string `json:"pod"`
	For string `json:"for,omitempty"`
}

// ParseCase reads a case. A key that it does not know is an error.
func ParseCase(data []byte) (*Case, error) {
	var c Case
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return nil, fmt.Errorf("not a case: %w", err)
	}
	return &c, nil
}

// ParseCases reads cases, one a line.
func ParseCases(data []byte) ([]*Case, error) {
	var cases []*Case
	for line := range bytes.Lines(data) {
		c, err := ParseCase(line)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// String renders the case as a scenario file.
func (c *Case) String() string {
	data, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		panic(err)
	}
	return string(data) + "\n"
}
