package manifest

import (
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// The versions of the StatefulSet before apps/v1. Kubernetes serves them up to 1.15.
const (
	beta1 = "apps/v1beta1"
	beta2 = "apps/v1beta2"
)

var betas = []string{beta1, beta2}

// addBeta adds a StatefulSet of a version that Kubernetes serves no more. What runs already was created when it did:
// the cluster still has it, and shows it as apps/v1. A manifest to be applied is refused.
func (f *File) addBeta(r *strict.Reader, m *strict.Map, version string) {
	before := len(r.Problems)
	if !r.Lenient {
		want := "write apps/v1"
		if version == beta1 && m.Map("spec").Value("updateStrategy") == nil {
			want += ", and updateStrategy: {type: OnDelete} to keep what " + beta1 + " has as its default"
		}
		r.Problem(m.Value("apiVersion"), "apiVersion is "+version+", which Kubernetes does not serve from 1.16 on", want)
	}
	set := readSet(r, m.Node)
	if set == nil || len(r.Problems) > before {
		f.Wrong = append(f.Wrong, Wrong{other(version, "StatefulSet", m.Node), slices.Clone(r.Problems[before:])})
		return
	}
	set.Object.APIVersion = "apps/v1"
	what := version + " is read as apps/v1, as the API server shows it"
	if version == beta1 && set.Object.Spec.UpdateStrategy.Type == "" {
		what += ", with updateStrategy OnDelete, the default of " + beta1
	}
	at := m.Value("apiVersion")
	r.Warnings = append(r.Warnings, strict.Problem{File: r.File, Line: at.Line, Column: at.Column, What: what})
	if version == beta1 {
		defaultBeta1(set.Object)
	}
	f.Sets = append(f.Sets, set)
}

// defaultBeta1 fills in what the API server fills in for apps/v1beta1, and not for apps/v1. Given stays what was
// applied, so that a later apply leaves these fields alone.
func defaultBeta1(set *appsv1.StatefulSet) {
	if set.Spec.UpdateStrategy.Type == "" {
		set.Spec.UpdateStrategy.Type = appsv1.OnDeleteStatefulSetStrategyType
	}
	labels := set.Spec.Template.Labels
	if labels == nil {
		return
	}
	if set.Spec.Selector == nil {
		set.Spec.Selector = &metav1.LabelSelector{MatchLabels: maps.Clone(labels)}
	}
	if len(set.Labels) == 0 {
		set.Labels = maps.Clone(labels)
	}
}
