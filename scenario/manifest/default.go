package manifest

import (
	appsv1 "k8s.io/api/apps/v1"
)

// Default fills in what the API server fills in whatever its version: the pod template, the claim templates, replicas,
// podManagementPolicy, revisionHistoryLimit and the update strategy. What depends on a version or a feature gate
// (maxUnavailable, the retention policy) is left to the simulated API server. It changes the set, and doing it again
// changes nothing. After it, pointers that have a default are not nil: conversion and validation rely on that.
func Default(set *appsv1.StatefulSet) {
	defaultSpec(&set.Spec)
	defaultPodTemplate(&set.Spec.Template)
	for i := range set.Spec.VolumeClaimTemplates {
		claim := &set.Spec.VolumeClaimTemplates[i]
		defaultClaimSpec(&claim.Spec)
	}
}

// defaultSpec fills in the spec apart from its templates.
func defaultSpec(spec *appsv1.StatefulSetSpec) {
	if spec.PodManagementPolicy == "" {
		spec.PodManagementPolicy = appsv1.OrderedReadyPodManagement
	}
	absent(&spec.Replicas, 1)
	absent(&spec.RevisionHistoryLimit, 10)
	strategy := &spec.UpdateStrategy
	// The block appears only where the type was left out. With the type written and the block left out the object has
	// none, and then a pod that comes back in mid-rollout may come back at the old revision.
	if strategy.Type == "" {
		strategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
		if strategy.RollingUpdate == nil {
			strategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{}
		}
	}
	if strategy.Type == appsv1.RollingUpdateStatefulSetStrategyType && strategy.RollingUpdate != nil {
		absent(&strategy.RollingUpdate.Partition, 0)
	}
}

// absent sets a field that is not given.
func absent[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}
