package model

import "strconv"

// ClaimPhase is a claim's status.phase.
type ClaimPhase uint8

// The phases of a claim.
const (
	ClaimPending ClaimPhase = iota
	ClaimBound
)

// String returns the phase's name in the API.
func (p ClaimPhase) String() string {
	if p == ClaimBound {
		return "Bound"
	}
	return "Pending"
}

// Claim is a PersistentVolumeClaim.
type Claim struct {
	Meta
	// Data is the claim's spec as canonical JSON.
	Data  string
	Phase ClaimPhase
	// Unclassed is true if it is Bound and its volume has no VolumeAttributesClass, even if its spec names one: its status
	// has no currentVolumeAttributesClassName.
	Unclassed bool
	// Facts are the facts of the template that the claim is created from; nil if they were not read.
	Facts *ClaimFacts
	// Reach is the NodeSelector of the nodes that can use its volume (the nodeAffinity of the PersistentVolume), as
	// JSON; "" if any node can use it or it is not known.
	Reach string
}

// ClaimTemplate is an entry of a set's volumeClaimTemplates.
type ClaimTemplate struct {
	Name        string
	Labels      map[string]string
	Annotations map[string]string
	// Data is the claim's spec as canonical JSON.
	Data string
	// Facts are the parts of the spec that an API server that checks claim templates (APIRules.CheckClaims) looks
	// at. nil means that they were not read, and the spec is assumed to be valid.
	Facts *ClaimFacts
}

// ClaimFacts holds what a claim asks for.
type ClaimFacts struct {
	// AccessModes are the API's words: ReadWriteOnce and so on. Storage is the size as canonical text, "" is none.
	AccessModes []string
	Storage     string
	// Volume is the PersistentVolume that it asks for by its name (spec.volumeName), "" is any.
	Volume string
	// Classless is the spec without its VolumeAttributesClass, which versions before 1.34 drop from a claim (gate
	// VolumeAttributesClass); "" if it has none.
	Classless string
	// Owners are the owners in the template's metadata, which each of its claims gets.
	Owners []Owner
	// Shown is the template as a refusal shows it.
	Shown string
	// Wrong is what else the API server finds wrong; nil is nothing.
	Wrong *WrongClaim
}

// WrongClaim holds mistakes in a claim that the model cannot express, in the words of the API server: mistakes in
// its metadata, in its selector, and in the parts that the API server checks after the size. The places of the last
// two are relative to the claim's spec.
type WrongClaim struct{ Meta, Selector, Rest []string }

// ClaimName returns the name of the claim that a template gives to one pod of a set: TEMPLATE-SET-ORDINAL.
func ClaimName(set *StatefulSet, template *ClaimTemplate, ordinal int) string {
	return template.Name + "-" + set.Name + "-" + strconv.Itoa(ordinal)
}
