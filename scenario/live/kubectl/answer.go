package kubectl

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Said is what a run of kubectl left: its output, what it wrote beside it, and whether its exit code was not 0.
type Said struct {
	Out, Err []byte
	Failed   bool
}

// Answer is what kubectl answered about the objects.
type Answer struct {
	// Data is the List that it printed. It is empty if nothing could be read.
	Data []byte
	// Refused are the kinds that the user may not read, and Missing those that the cluster does not have, by the names of
	// their resources.
	Refused, Missing []string
	// Sets counts the objects that a judgement needs: StatefulSets and pods.
	Sets int
	// Told are the other lines that kubectl wrote beside its output, such as warnings.
	Told []string
}

var (
	// forbidden is the line of kubectl about a kind that may not be read, and missing that about one that does not exist.
	forbidden = regexp.MustCompile(`^Error from server \(Forbidden\): .*cannot list resource "([^"]+)"`)
	missing   = regexp.MustCompile(`^error: the server doesn't have a resource type "([^"]+)"`)
	// logged is a line of kubectl's log, which repeats what its last line says.
	logged = regexp.MustCompile(`^[EWI]\d{4} `)
)

// Read reads what kubectl said. The error says why there is no answer at all, in kubectl's words.
func Read(said Said) (*Answer, error) {
	a := &Answer{}
	for line := range strings.Lines(string(said.Err)) {
		line = strings.TrimSpace(line)
		if found := forbidden.FindStringSubmatch(line); found != nil {
			a.Refused = noted(a.Refused, found[1])
		} else if found = missing.FindStringSubmatch(line); found != nil {
			a.Missing = noted(a.Missing, found[1])
		} else if line != "" && !logged.MatchString(line) {
			a.Told = noted(a.Told, line)
		}
	}
	all, sets := listed(said.Out)
	switch a.Sets = sets; {
	case all > 0 || all == 0 && !said.Failed:
		a.Data = said.Out
		return a, nil
	case len(a.Missing) > 0:
		return a, nil
	case len(a.Refused) > 0:
		return nil, fmt.Errorf("you may not read any of: %s", strings.Join(a.Refused, ", "))
	case len(a.Told) > 0:
		return nil, errors.New(strings.Join(a.Told, "; "))
	case said.Failed:
		return nil, errors.New("it failed without a word")
	}
	return nil, errors.New("it printed no list of objects")
}

// noted adds a line that kubectl wrote, or a part of one, to a list, if it is new there and the list is not full:
// kubectl may repeat itself, and nobody reads a thousand lines.
func noted(list []string, line string) []string {
	const most = 20
	if len(list) == most || slices.Contains(list, line) {
		return list
	}
	return append(list, line)
}

// listed counts the objects of the List that kubectl printed, and the StatefulSets and pods among them; -1 if it
// printed none. kubectl prints an empty one also if it reached no server.
func listed(out []byte) (all, sets int) {
	var list struct {
		Kind  string `json:"kind"`
		Items []struct {
			Kind string `json:"kind"`
		} `json:"items"`
	}
	if json.Unmarshal(out, &list) != nil || list.Kind != "List" {
		return -1, 0
	}
	for i := range list.Items {
		if kind := list.Items[i].Kind; kind == "StatefulSet" || kind == "Pod" {
			sets++
		}
	}
	return len(list.Items), sets
}

// Limits says in sentences which kinds could not be read.
func (a *Answer) Limits() []string {
	var list []string
	if len(a.Refused) > 0 {
		list = append(list, "The cluster does not let you read: "+strings.Join(a.Refused, ", ")+".")
	}
	if len(a.Missing) > 0 {
		list = append(list, "The cluster does not have the kinds: "+strings.Join(a.Missing, ", ")+".")
	}
	return list
}
