package explore

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
)

// drafts returns the acts that may happen: those that the block names, and the usual ones. It sets times and writes. A
// write is no act: the search is asked about it when it is made, see strikes. An entry whose glob fits no pod is an
// error, because it would never happen and the reader would believe that it had been searched.
func (x *Explorer) drafts(sets []shape) ([]draft, error) {
	var drafts []draft
	x.times, x.writes = nil, nil
	for _, may := range x.block.May {
		if may.Fault != nil {
			x.writes = append(x.writes, may)
			continue
		}
		each := eachPod(may, sets)
		if len(each) == 0 {
			return nil, strict.Problems{{
				File: x.source.Name, Line: may.Text.Line, Column: may.Text.Column,
				What: "what may happen fits no pod of the plain run", Want: "write a glob like pod/web-*",
			}}
		}
		for i := range each {
			each[i].kind = len(x.times)
		}
		drafts, x.times = append(drafts, each...), append(x.times, may.Times)
	}
	if !x.block.Usual {
		return drafts, nil
	}
	for _, d := range usual(sets) {
		d.kind += len(x.block.May)
		for len(x.times) <= d.kind {
			x.times = append(x.times, 1)
		}
		drafts = append(drafts, d)
	}
	return drafts, nil
}

// eachPod returns the drafts of something that may happen: one for each pod that its glob fits, or one if it has none.
// The glob fits pods of all namespaces and sets.
func eachPod(may scenario.May, sets []shape) []draft {
	pattern := globOf(may.Text)
	if pattern == "" {
		return []draft{draftOf(may.Text)}
	}
	var drafts []draft
	for _, s := range sets {
		for _, pod := range s.pods {
			if glob.Match(strings.TrimPrefix(pattern, "pod/"), pod) {
				drafts = append(drafts, draftOf(withPod(may.Text, pod)))
			}
		}
	}
	return drafts
}

// globOf returns the first text with a * in a step, "" if there is none. A step has at most one that means pods.
func globOf(n *yaml.Node) string {
	if strings.Contains(n.Value, "*") {
		return n.Value
	}
	for _, child := range n.Content {
		if found := globOf(child); found != "" {
			return found
		}
	}
	return ""
}

// withPod copies a step with a pod in the place of its glob. The tree of the file stays as it is.
func withPod(n *yaml.Node, pod string) *yaml.Node {
	next := *n
	if strings.Contains(n.Value, "*") {
		next.Value = pod
		if strings.HasPrefix(n.Value, "pod/") {
			next.Value = "pod/" + pod
		}
	}
	next.Content = slices.Clone(n.Content)
	for i := range next.Content {
		next.Content[i] = withPod(next.Content[i], pod)
	}
	return &next
}

// needs is the state that a pod must have for a step about it to make sense, by the verb of the step. A verb that is
// not in it has no pod, or may come at any time.
var needs = map[string]need{
	"delete": there, "evict": there, "hang": there, "fail": alive, "unready": serving, "recover": alive, "crash": serving,
}

// draftOf finds the pod that a step is about, and the state that this pod must have. The namespace is "default" unless
// the step names one, as everywhere in a scenario. A deletion of anything but a pod needs nothing.
func draftOf(text *yaml.Node) draft {
	d := draft{text: text}
	namespace := "default"
	if n := value(text, "namespace"); n != nil {
		namespace = n.Value
	}
	for i := 0; i+1 < len(text.Content); i += 2 {
		wants, about := needs[text.Content[i].Value]
		if !about {
			continue
		}
		name := text.Content[i+1].Value
		if pod := text.Content[i+1]; pod.Kind == yaml.MappingNode && value(pod, "pod") != nil {
			name = value(pod, "pod").Value
		}
		name, isPod := strings.CutPrefix(name, "pod/")
		if !isPod && text.Content[i].Value == "delete" {
			return d
		}
		d.pod, d.needs = model.Key{Namespace: namespace, Name: name}, wants
	}
	return d
}

// strike is a write that fails in a run: its index in the block explore, and which of those that match fails, from 1.
type strike struct{ write, nth int }

// fault returns the strike as a fault of a plain scenario: the text of the block explore with `nth` added to its
// write. It returns a copy, because a write may fail several times in one run.
func (s strike) fault(text *yaml.Node) *yaml.Node {
	fault := *text
	fault.Content = slices.Clone(text.Content)
	i := indexOf(&fault, "write")
	write := *fault.Content[i+1]
	write.Content = append(slices.Clone(write.Content), plain("nth"),
		&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprint(s.nth)})
	fault.Content[i+1] = &write
	return &fault
}
