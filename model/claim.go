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
}

// ClaimTemplate is an entry of a set's volumeClaimTemplates.
type ClaimTemplate struct {
	Name        string
	Labels      map[string]string
	Annotations map[string]string
	// Data is the claim's spec as canonical JSON.
	Data string
}

// ClaimName is the name of the claim that a template gives to one pod of a set: TEMPLATE-SET-ORDINAL.
func ClaimName(set *StatefulSet, template *ClaimTemplate, ordinal int) string {
	return template.Name + "-" + set.Name + "-" + strconv.Itoa(ordinal)
}
