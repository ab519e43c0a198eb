// Code generated from k8s.io/api/policy/v1 of k8s.io/api v0.37.2; DO NOT EDIT.

/*
Copyright 2021 The Kubernetes Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

// Package v1 is the part of k8s.io/api/policy/v1 that sim uses.
package v1

import (
	metav1 "github.com/statefulsim/statefulsim/scenario/kube/apimachinery/apis/meta/v1"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/util/intstr"
)

type PodDisruptionBudgetSpec struct {
	MinAvailable               *intstr.IntOrString             `json:"minAvailable,omitempty"`
	Selector                   *metav1.LabelSelector           `json:"selector,omitempty" patchStrategy:"replace"`
	MaxUnavailable             *intstr.IntOrString             `json:"maxUnavailable,omitempty"`
	UnhealthyPodEvictionPolicy *UnhealthyPodEvictionPolicyType `json:"unhealthyPodEvictionPolicy,omitempty"`
}

type UnhealthyPodEvictionPolicyType string

const IfHealthyBudget UnhealthyPodEvictionPolicyType = "IfHealthyBudget"

const AlwaysAllow UnhealthyPodEvictionPolicyType = "AlwaysAllow"

type PodDisruptionBudgetStatus struct {
	ObservedGeneration int64                  `json:"observedGeneration,omitempty"`
	DisruptedPods      map[string]metav1.Time `json:"disruptedPods,omitempty"`
	DisruptionsAllowed int32                  `json:"disruptionsAllowed"`
	CurrentHealthy     int32                  `json:"currentHealthy"`
	DesiredHealthy     int32                  `json:"desiredHealthy"`
	ExpectedPods       int32                  `json:"expectedPods"`
	Conditions         []metav1.Condition     `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

type PodDisruptionBudget struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              PodDisruptionBudgetSpec   `json:"spec,omitempty"`
	Status            PodDisruptionBudgetStatus `json:"status,omitempty"`
}
