package storage

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/glob"
)

// Config says how claims come to their storage and how they go. The first rule that matches a claim wins; what it
// leaves out falls back to Default. The zero value binds every claim at once.
type Config struct {
	Default ClaimTimes
	Rules   []ClaimRule
}

// ClaimTimes are the delays in a claim's life. A nil delay is not given.
type ClaimTimes struct {
	// Bind is from the creation, or from the first pod that waits for it, until the claim is Bound. Release is from the
	// moment when a claim whose deletion was asked for is not in use any more until it is gone.
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
	// WaitForFirstConsumer binds a claim when the scheduler has a pod in hand that uses it.
	WaitForFirstConsumer BindingMode = "WaitForFirstConsumer"
)

// ClaimRule gives some claims other times.
type ClaimRule struct {
	Match ClaimMatch
	Times ClaimTimes
}

// ClaimMatch says which claims a rule is for: those that satisfy all that is given.
type ClaimMatch struct {
	// Claim and Namespace are globs, "" is any.
	Claim, Namespace string
	// Nth is the claim's life, from 1: a claim that was deleted and is made again is another; nil is any.
	Nth *int
	// That is a further condition on the claim; nil means none.
	That func(*model.Claim) bool
}

func (c *Config) of(l *audit.Life, claim *model.Claim) ClaimTimes {
	for i := range c.Rules {
		if rule := &c.Rules[i]; rule.Match.matches(l) && (rule.Match.That == nil || rule.Match.That(claim)) {
			return rule.Times.over(c.Default)
		}
	}
	return c.Default
}

func (m *ClaimMatch) matches(l *audit.Life) bool {
	return (m.Nth == nil || *m.Nth == l.Nth) &&
		(m.Claim == "" || glob.Match(m.Claim, l.Key.Name)) &&
		(m.Namespace == "" || glob.Match(m.Namespace, l.Key.Namespace))
}

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
