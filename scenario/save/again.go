package save

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Again returns the text of a scenario with the expectations of another run. Each that was recorded, and each that
// begins in one of the lines of failed, makes way for the next one of its kind, in its place. Those of a kind that was
// not there come behind the last of them. Comments stay. gone are those that are no longer there, each with its line,
// and added is how many are new.
func Again(text []byte, failed []int, expectations []string) (test []byte, gone []string, added int, err error) {
	root, at, err := rootOf(text)
	if err != nil {
		return nil, nil, 0, err
	}
	if at < 0 || root.Content[at+1].Style&yaml.FlowStyle != 0 || len(root.Content[at+1].Content) == 0 {
		test, added, err = Test(text, expectations)
		return test, nil, added, err
	}
	list, stay, leave := root.Content[at+1], []*yaml.Node(nil), []*yaml.Node(nil)
	for _, item := range list.Content {
		if keyAt(item, "recorded") >= 0 || slices.Contains(failed, item.Line) {
			leave = append(leave, item)
		} else {
			stay = append(stay, item)
		}
	}
	more, err := others(expectations, stay)
	if err != nil || len(leave) == 0 {
		test, added, err = Test(text, expectations)
		return test, nil, added, err
	}
	gone, added = differ(leave, more)
	lines := strings.SplitAfter(string(text), "\n")
	end := len(lines)
	if at+2 < len(root.Content) {
		end = root.Content[at+2].Line - 1
	}
	places := inPlace(leave, more)
	for _, item := range slices.Backward(list.Content) {
		begin := item.Line - 1
		if texts, goes := places[item]; goes {
			for end > begin+1 && blank(strings.TrimSpace(lines[end-1])) {
				end--
			}
			lines = slices.Replace(lines, begin, end, items(strings.Repeat(" ", list.Column-1), texts))
		}
		end = begin
	}
	return []byte(strings.Join(lines, "")), gone, added, nil
}

// differ names the expectations that leave and do not come again, and counts those that were not there.
func differ(leave []*yaml.Node, more []fresh) (gone []string, added int) {
	added = len(more)
	for _, item := range leave {
		was := flow(item)
		if slices.ContainsFunc(more, func(f fresh) bool { return f.flow == was }) {
			added--
			continue
		}
		gone = append(gone, fmt.Sprintf("line %d: %s", item.Line, strings.Join(strings.Fields(was[1:len(was)-1]), " ")))
	}
	return gone, added
}

// inPlace says what comes in the place of each expectation that leaves: the next one of its kind, and in the place of
// the last one the rest.
func inPlace(leave []*yaml.Node, more []fresh) map[*yaml.Node][]string {
	places := map[*yaml.Node][]string{}
	for _, item := range leave {
		places[item] = nil
		if k := slices.IndexFunc(more, func(f fresh) bool { return f.kind == item.Content[0].Value }); k >= 0 {
			places[item], more = []string{more[k].text}, slices.Delete(slices.Clone(more), k, k+1)
		}
	}
	last := leave[len(leave)-1]
	for _, f := range more {
		places[last] = append(places[last], f.text)
	}
	return places
}

// fresh is an expectation that is to be added: its text, its first key, and its meaning.
type fresh struct{ text, kind, flow string }

// others returns the expectations that are not among those of a list.
func others(expectations []string, list []*yaml.Node) ([]fresh, error) {
	known := map[string]bool{}
	for _, n := range list {
		known[flow(n)] = true
	}
	var more []fresh
	for _, text := range expectations {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			return nil, err
		}
		if n := doc.Content[0]; !known[flow(n)] {
			more = append(more, fresh{text, n.Content[0].Value, flow(n)})
		}
	}
	return more, nil
}
