package storage

import (
	"cmp"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
)

// Config sets how claims are bound and released. The first rule that matches a claim wins; fields that it leaves
// out fall back to Default. The zero value binds every claim at once. New copies it, and it does not change.
type Config struct {
	Default ClaimTimes
	Rules   []ClaimRule
	// Mode returns the binding mode of a claim's storage class, "" if it is not known; a rule for the claim may
	// override it. It is nil if no class is known.
	Mode func(*model.Claim) BindingMode
}

// ClaimTimes are the delays in a claim's life. A nil delay is not given.
type ClaimTimes struct {
	// Bind is the time from the creation of a claim, or from the first pod that waits for it, until it is Bound. Release
	// is the time from the moment when a deleted claim is no longer in use until it is gone.
	Bind, Release behaviour.Delay
	// Mode is "" if it is not given.
	Mode BindingMode
}

// BindingMode is a storage class's volumeBindingMode.
type BindingMode string

// The modes.
const (
	// Immediate binds a claim when it is created.
	Immediate BindingMode = "Immediate"
	// WaitForFirstConsumer binds a claim when the scheduler tries a pod that uses it.
	WaitForFirstConsumer BindingMode = "WaitForFirstConsumer"
)

// ClaimRule gives some claims other times.
type ClaimRule struct {
	Match ClaimMatch
	Times ClaimTimes
}

// ClaimMatch selects the claims that a rule applies to: the claims that satisfy all conditions that are set.
type ClaimMatch struct {
	// Claim and Namespace are globs, "" is any.
	Claim, Namespace string
	// Nth is the number of the claim among the claims with its name, from 1: a claim that was deleted and created
	// again is another one. nil is any.
	Nth *int
	// That is a further condition on the claim; nil means none.
	That func(*model.Claim) bool
}

// of returns the times of a claim that has just been created: its life must be in the record, with its number.
func (c *Config) of(l *audit.Life, claim *model.Claim) ClaimTimes {
	defaults := c.Default
	if c.Mode != nil {
		defaults.Mode = cmp.Or(c.Mode(claim), defaults.Mode)
	}
	for i := range c.Rules {
		if rule := &c.Rules[i]; rule.Match.matches(l) && (rule.Match.That == nil || rule.Match.That(claim)) {
			return rule.Times.over(defaults)
		}
	}
	return defaults
}

// matches reports whether a rule applies to a claim, apart from That, which of checks.
func (m *ClaimMatch) matches(l *audit.Life) bool {
	return (m.Nth == nil || *m.Nth == l.Nth) && (m.Claim == "" || glob.Match(m.Claim, l.Key.Name)) &&
		(m.Namespace == "" || glob.Match(m.Namespace, l.Key.Namespace))
}

// over returns the times with the defaults for those that are not given.
func (t ClaimTimes) over(defaults ClaimTimes) ClaimTimes {
	if t.Bind == nil {
		t.Bind = defaults.Bind
	}
	if t.Release == nil {
		t.Release = defaults.Release
	}
	if t.Mode == "" {
		t.Mode = defaults.Mode
	}
	return t
}
