package upgrade

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Component is a component of Kubernetes as the input shows it: a static pod of the control plane, or a kubelet.
type Component struct {
	// Component is its program, such as kube-apiserver. On is its pod, NAMESPACE/NAME, or its node.
	Component string `json:"component"`
	On        string `json:"on"`
	// Version is that of its image, or what the node says; "" if that is not shown. Gates are the feature gates that its
	// flags set.
	Version string          `json:"version,omitempty"`
	Gates   map[string]bool `json:"featureGates,omitempty"`
}

// kubelet is the component of a node.
var kubelet = release.Components[len(release.Components)-1].Binary

// shownCluster is what the input shows of the cluster itself.
type shownCluster struct {
	components []*Component
	budgets    []*disruptionBudget
}

// disruptionBudget is a PodDisruptionBudget. allowed is what its status allows; -1 if it has none.
type disruptionBudget struct {
	*model.Budget
	allowed int
}

// note adds what an object shows of the cluster.
func (c *shownCluster) note(o *manifest.Other) {
	switch {
	case o.Kind == "Node":
		if version := manifest.Field(o.Node, "status", "nodeInfo", "kubeletVersion"); version != nil {
			c.components = append(c.components, &Component{Component: kubelet, On: o.Name, Version: version.Value})
		}
	case o.Kind == model.KindPod.String():
		c.notePod(o)
	case o.IsBudget():
		if read := o.Budget(&strict.Reader{}); read != nil {
			b := &disruptionBudget{read, -1}
			if allowed := manifest.Field(o.Node, "status", "disruptionsAllowed"); allowed != nil {
				b.allowed, _ = strconv.Atoi(allowed.Value)
			}
			c.budgets = append(c.budgets, b)
		}
	}
}

// notePod adds a pod that runs a component of the control plane, as kubeadm and others run them.
func (c *shownCluster) notePod(o *manifest.Other) {
	var spec struct {
		Containers []struct {
			Image         string
			Command, Args []string
		}
	}
	node := manifest.Field(o.Node, "spec")
	if node == nil || node.Decode(&spec) != nil {
		return
	}
	for _, container := range spec.Containers {
		words := slices.Concat(container.Command, container.Args)
		binary, version := release.Shown(container.Image, words)
		if binary == "" {
			continue
		}
		c.components = append(c.components, &Component{
			Component: binary, On: model.Key{Namespace: o.Namespace, Name: o.Name}.String(),
			Version: version, Gates: gatesOf(words),
		})
	}
}

// gatesOf returns the feature gates that the words of a command set; the last word about a gate counts.
func gatesOf(words []string) map[string]bool {
	gates := map[string]bool{}
	for i, word := range words {
		value, is := strings.CutPrefix(word, "--feature-gates=")
		if word == "--feature-gates" && i+1 < len(words) {
			value, is = words[i+1], true
		}
		if !is {
			continue
		}
		for pair := range strings.SplitSeq(value, ",") {
			name, on, _ := strings.Cut(strings.TrimSpace(pair), "=")
			if set, err := strconv.ParseBool(on); err == nil {
				gates[name] = set
			}
		}
	}
	return gates
}

// stuckDrains says which budgets keep a drain of a node waiting: those that allow no eviction, by their status or, if
// they have none, because the sets that they cover may lose no pod; and those of which a pod has several.
func (in *Input) stuckDrains() (blocks, several []string) {
	covered := map[model.Key][]string{}
	for _, b := range in.cluster.budgets {
		expected := int32(0)
		for _, set := range in.Sets {
			if b.Covers(set.Key.Namespace, set.object.Spec.Template.Labels) {
				expected += set.object.Spec.Replicas
				covered[set.Key] = append(covered[set.Key], b.Name)
			}
		}
		if b.allowed == 0 || b.allowed < 0 && expected > 0 && b.Desired(expected) >= expected {
			blocks = append(blocks, b.Key().String())
		}
	}
	for _, set := range in.Sets {
		if names := covered[set.Key]; len(names) > 1 {
			several = append(several, fmt.Sprintf("%s (%s)", set.Key, strings.Join(names, ", ")))
		}
	}
	return blocks, several
}

// Version returns the version of the cluster, as its API server or, without that, its newest kubelet shows it; "" if
// the input shows neither.
func (in *Input) Version() string {
	newest := ""
	for _, c := range in.cluster.components {
		if c.Component == release.Components[0].Binary && c.Version != "" {
			return c.Version
		}
		if minor(c.Version) >= minor(newest) {
			newest = c.Version
		}
	}
	return newest
}
