package html

import (
	"encoding/json"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// pageData is all that the script of the page is given. Names are short where they repeat with every run, and what
// repeats with every event is a flat list of numbers: a run of 1,000 pods must load at once.
type pageData struct {
	Runs []runData `json:"runs"`
	// States are the names of the states, by the numbers that the lanes use; Actors and Tones likewise.
	States []string `json:"states"`
	Actors []string `json:"actors"`
	Tones  []string `json:"tones"`
	// Words are the texts that the flat lists refer to by their index.
	Words []string `json:"words"`
	// Lesson says that the future is behind a curtain until the reader asks for it.
	Lesson bool `json:"lesson,omitempty"`
	// Start says that the reader begins at the first stop.
	Start bool `json:"start,omitempty"`
	// Tabs says that the runs are shown one at a time.
	Tabs bool `json:"tabs,omitempty"`
}

// runData is one run.
type runData struct {
	Name       string `json:"name"`
	Kubernetes string `json:"kubernetes"`
	// Begun says that the run begins with a running cluster: what is so at 0 has been so before.
	Begun   bool   `json:"begun,omitempty"`
	Verdict string `json:"verdict"`
	// End is the last instant, in virtual seconds like every time here. Times has the instant of each stop.
	End   json.Number   `json:"end"`
	Times []json.Number `json:"times"`
	// Lines has for each stop a flat list: actor, tone, word.
	Lines [][]int `json:"lines"`
	// Steps are the steps of the user and the faults, in the order of the timeline.
	Steps []stepData `json:"steps"`
	// Sets are the sets that have a pod or a wait, in the order in which they appear.
	Sets []setData `json:"sets"`
	// Failures are the places where expectations failed; Partings those at which the run diverges from the first, or the
	// first from the others. Cures are the fixes of a run that is stuck.
	Failures []failureData `json:"failures"`
	Partings []int         `json:"partings,omitempty"`
	Cures    []cureData    `json:"cures,omitempty"`
	// Things are the nodes, claims and other objects of the run.
	Things []thingData `json:"things,omitempty"`
}

// stepData is a step of the user, or a fault.
type stepData struct {
	// Stop is the stop at whose beginning the step acts, or within which the fault happens.
	Stop    int    `json:"stop"`
	Number  int    `json:"number"`
	Fault   bool   `json:"fault,omitempty"`
	Title   string `json:"title"`
	Refusal string `json:"refusal,omitempty"`
	// Line is the line of the step in the scenario that the page shows; 0 if it shows none.
	Line int `json:"line,omitempty"`
	// Creates says that the step does no more than to create sets. Sets are those that it names, by their index.
	Creates bool  `json:"creates,omitempty"`
	Sets    []int `json:"sets,omitempty"`

	// keys are the sets that the step changes or removes; they become Sets when it is known which are shown.
	keys []model.Key
}

// failureData is an instant at which an expectation failed.
type failureData struct {
	Stop int    `json:"stop"`
	Text string `json:"text"`
}

// cureData is a way out of a run that is stuck, for one set.
type cureData struct {
	Set      string   `json:"set"`
	Commands []string `json:"commands"`
	Line     string   `json:"line"`
	// Danger says that it can lose something.
	Danger bool `json:"danger,omitempty"`
}

// setData is a set. Its flat lists have rows of numbers, all of the same length: see the functions that fill them.
type setData struct {
	// Name has the namespace if the run has several; Plain never has it.
	Name  string `json:"name"`
	Plain string `json:"plain"`
	// Key is NAMESPACE/NAME, where the name is not that already.
	Key  string    `json:"key,omitempty"`
	Pods []podData `json:"pods"`
	// Images are the first container's, by template.
	Images map[int]string `json:"images"`
	// Counts: stop, desired, ready, available, updated, serving, and how many the set's budget asks to be healthy.
	Counts []int `json:"counts"`
	// Waits: first stop, last stop (-1 if it never ends), word of the code, word of the sentence, resting (0 or 1),
	// word of what is waited for.
	Waits []int `json:"waits"`
	// Fewest is the least number of pods that served once the set had been complete, or from the beginning of a run that
	// begins with a running cluster, and FewestAt the stop at which it was first so; nil if it never was complete.
	Fewest   int  `json:"fewest"`
	FewestAt *int `json:"fewestAt,omitempty"`
	// Path is the critical path since the last step: first stop, last stop, pod that is waited for (-1 is none), word of
	// the wait. A wait that begins where another one still runs counts from the end of that.
	Path []int `json:"path,omitempty"`
	// Assumed is what the run only takes for granted of the set.
	Assumed string `json:"assumed,omitempty"`
	// Nodes are the nodes of the run on which pods of the set have been.
	Nodes []string `json:"nodes,omitempty"`

	// nodes and pods are by name: the nodes on which pods have been, and the index of each pod in Pods until these are
	// sorted. open has for each wait that has not ended its index in Waits. counts are those that were noted last; -1 at
	// first, so that the first ones are always noted.
	nodes  map[string]bool
	pods   map[string]int
	open   map[waitKey]int
	counts [6]int
}

// thingData is something that is no pod. Changes: stop, word of what it is from then on, tone.
type thingData struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Changes []int  `json:"changes"`
}

type podData struct {
	Name string `json:"name"`
	// Age is how old it is at the beginning of the run, in seconds, if the run begins with it.
	Age json.Number `json:"age,omitempty"`
	// Bars: stop, state, template, word of READY, word of STATUS, stop of the pod's creation, word of the reason,
	// actor, number of changes in that stop, restarts, whether it belongs to nobody (0 or 1).
	Bars []int `json:"bars"`

	// ordinal is the number at the end of the name, which sorts pods; born is the stop at which this life began.
	// name is its name as it is.
	ordinal int
	born    int
	name    string
}

const (
	// The lengths of the rows of flat lists, the places in a row of bars of the number of changes and of whether the pod
	// belongs to nobody, and the last stop of a wait that never ends. The script has the same numbers.
	barWidth   = 11
	waitWidth  = 6
	countWidth = 7
	changesAt  = 8
	bareAt     = 10
	neverEnded = -1
)

type waitKey struct {
	code   model.Code
	object string
	rule   model.Rule
}

type thingKey struct {
	kind report.ThingKind
	name string
}
