package model

import (
	"math"
	"strconv"
)

// StatefulSet is a StatefulSet as the API server holds it: defaulted and validated.
type StatefulSet struct {
	Meta
	Spec   Spec
	Status Status
}

// Spec is a StatefulSet's spec. Templates and selectors carry their whole text as canonical JSON, so nothing of a real
// manifest is lost.
type Spec struct {
	Replicas             int32
	Selector             Selector
	Template             *Template
	ClaimTemplates       []ClaimTemplate
	ServiceName          string
	PodManagement        PodManagement
	Strategy             Strategy
	RevisionHistoryLimit int32
	// MinReadySeconds is the number of seconds that a pod must have been Ready before it is available.
	MinReadySeconds int32
	// Retention is nil if the version has no such policy.
	Retention *Retention
	// Ordinals is nil if the set does not say where its ordinals start.
	Ordinals *Ordinals
	// Wrong lists the mistakes of a spec that the model cannot express and the API server refuses; nil if there are none.
	Wrong *Wrong
}

// PodManagement is spec.podManagementPolicy.
type PodManagement uint8

// The policies.
const (
	OrderedReady PodManagement = iota
	Parallel
)

// String returns the policy's name in the API.
func (p PodManagement) String() string {
	if p == Parallel {
		return "Parallel"
	}
	return "OrderedReady"
}

// Strategy is spec.updateStrategy.
type Strategy struct {
	Type StrategyType
	// RollingUpdate is nil if the object has no such block. That is not the same as a block with defaults: without the
	// block, a pod that is recreated during a rollout may get the old revision.
	RollingUpdate *RollingUpdate
}

// StrategyType is spec.updateStrategy.type.
type StrategyType uint8

// The strategies. Recreate is alpha in 1.37 (KEP-3541).
const (
	RollingUpdateStrategy StrategyType = iota
	OnDeleteStrategy
	RecreateStrategy
)

var strategyNames = [...]string{"RollingUpdate", "OnDelete", "Recreate"}

// String returns the strategy's name in the API.
func (s StrategyType) String() string { return strategyNames[s] }

// RollingUpdate is spec.updateStrategy.rollingUpdate.
type RollingUpdate struct {
	// Partition is the number of replicas, from the lowest, that keep the current revision.
	Partition int32
	// MaxUnavailable is nil if it is not set, or if the API server dropped it.
	MaxUnavailable *IntOrPercent
}

// IntOrPercent is a number, or a percentage of the replicas.
type IntOrPercent struct {
	Value   int32
	Percent bool
	// Text is the value as given if it is neither a number nor a percentage; "" otherwise.
	Text string
}

// String renders the value as a manifest has it.
func (v IntOrPercent) String() string {
	if v.Text != "" {
		return v.Text
	}
	s := strconv.Itoa(int(v.Value))
	if v.Percent {
		s += "%"
	}
	return s
}

// Retention is spec.persistentVolumeClaimRetentionPolicy: whether claims are deleted with the set, or when it is scaled
// down (KEP-1847).
type Retention struct{ DeleteWithSet, DeleteWhenScaled bool }

// Ordinals is spec.ordinals (KEP-3335).
type Ordinals struct{ Start int32 }

// Start returns the set's first ordinal.
func (s *StatefulSet) Start() int {
	if s.Spec.Ordinals == nil {
		return 0
	}
	return int(s.Spec.Ordinals.Start)
}

// Partition returns the number of replicas that a rolling update leaves alone, 0 if the object has no
// rollingUpdate block.
func (s *StatefulSet) Partition() int {
	if s.Spec.Strategy.RollingUpdate == nil {
		return 0
	}
	return int(s.Spec.Strategy.RollingUpdate.Partition)
}

// MayBeDown returns how many pods an update takes down at once by the spec: maxUnavailable, rounded down, at least 1.
// It does not ask whether a version knows maxUnavailable.
func (s *StatefulSet) MayBeDown() int {
	block := s.Spec.Strategy.RollingUpdate
	if block == nil || block.MaxUnavailable == nil {
		return 1
	}
	down := int64(block.MaxUnavailable.Value)
	if block.MaxUnavailable.Percent {
		down = down * int64(s.Spec.Replicas) / 100
	}
	return max(1, int(down))
}

// BelowPartition reports whether the partition keeps the replica of an ordinal at its revision. The partition
// counts replicas from ordinals.start on: it is not an ordinal.
func (s *StatefulSet) BelowPartition(ordinal int) bool { return ordinal-s.Start() < s.Partition() }

// PodName returns the name of the set's pod with that ordinal.
func (s *StatefulSet) PodName(ordinal int) string { return s.Name + "-" + strconv.Itoa(ordinal) }

// PodKeys returns the names of the pods that the spec asks for, the lowest ordinal first.
func (s *StatefulSet) PodKeys() []Key {
	var keys []Key
	for i := range int(s.Spec.Replicas) {
		keys = append(keys, Key{s.Namespace, s.PodName(s.Start() + i)})
	}
	return keys
}

// OrdinalOf returns the ordinal in a pod's name, or -1 if the name is not SET-ORDINAL for this set.
func (s *StatefulSet) OrdinalOf(pod string) int {
	ordinal, _ := s.ordinalOf(pod)
	return ordinal
}

// ordinalOf is OrdinalOf, and also reports whether the name belongs to the set, as far as SplitPodName looks. A
// sync calls this for very many pods, mostly the set's own.
func (s *StatefulSet) ordinalOf(pod string) (ordinal int, own bool) {
	n := len(s.Name)
	if len(pod) < n+2 || pod[n] != '-' || pod[:n] != s.Name {
		return -1, false
	}
	// An int has 32 bits on some machines.
	number := int64(0)
	for _, digit := range []byte(pod[n+1:]) {
		if digit < '0' || '9' < digit {
			return -1, false
		}
		number = min(10*number+int64(digit-'0'), math.MaxInt32+1)
	}
	if number > math.MaxInt32 {
		return -1, true
	}
	return int(number), true
}

// Claims reports whether a pod belongs to the set by its labels and its name: whether the set keeps it if it owns
// it, and wants to adopt it if it has no owner. A name need not have a valid ordinal: web-99999999999 is enough.
func (s *StatefulSet) Claims(pod *Pod) bool {
	_, own := s.ordinalOf(pod.Name)
	return own && pod.Namespace == s.Namespace && s.Spec.Selector.Matches(pod.Labels)
}

// ClaimsExactly is Claims for versions that also ask whether the name is the one that the set gives that ordinal: then
// web-01 is not its pod, and neither is web-99999999999.
func (s *StatefulSet) ClaimsExactly(pod *Pod) bool {
	ordinal := s.OrdinalOf(pod.Name)
	return ordinal >= 0 && pod.Name == s.PodName(ordinal) && s.Claims(pod)
}

// SplitPodName splits SET-ORDINAL. If the text does not have that form, the set is "" and the ordinal -1. If the
// number does not fit into 31 bits, only the ordinal is -1, so the pod still belongs to the set (upstream's rule).
func SplitPodName(pod string) (set string, ordinal int) {
	// A sync asks this of many pods: one pass over the digits, from the end.
	dash, number, unit := len(pod)-1, int64(0), int64(1)
	for ; dash >= 0 && '0' <= pod[dash] && pod[dash] <= '9'; dash-- {
		if digit := int64(pod[dash] - '0'); digit > 0 && number <= math.MaxInt32 {
			number += digit * unit
		}
		// Behind ten digits any but a zero is too much, and the unit must not overflow.
		unit = min(10*unit, 10*math.MaxInt32)
	}
	switch {
	case dash < 0 || dash == len(pod)-1 || pod[dash] != '-':
		return "", -1
	case number > math.MaxInt32:
		return pod[:dash], -1
	}
	return pod[:dash], int(number)
}

// Status is a StatefulSet's status.
type Status struct {
	// ObservedGeneration is the generation of the spec that the last sync has seen.
	ObservedGeneration int64
	// Ready, Available, Current and Updated are readyReplicas and so on. Pods that are terminating count in Replicas,
	// Ready and Available, but not in Current and Updated. The API server accepts no negative number. Available is 0 in
	// versions that do not have the field.
	Replicas  int32
	Ready     int32
	Available int32
	Current   int32
	Updated   int32
	// CollisionCount counts the names of revisions that were taken; it is part of the hash of the next name.
	CollisionCount int32
	// CurrentRevision and UpdateRevision are names of ControllerRevisions. They are equal when the rollout is complete.
	CurrentRevision string
	UpdateRevision  string
	Conditions      []Condition
}

// Behind returns the number of pods that do not run the newest template.
func (s *Status) Behind() int32 {
	if s.CurrentRevision == s.UpdateRevision {
		return 0
	}
	return max(0, s.Replicas-s.Updated)
}

// Condition is an entry of status.conditions.
type Condition struct {
	Type, Reason, Message string
	// True is true if the status of the condition is True. Since is its lastTransitionTime.
	True  bool
	Since Time
}
