package run

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
)

// Case is something that may go wrong during the change, and its simulated result.
type Case struct {
	// Name is the name of the case, by which it can be shown: one of those in docs/plan.md.
	Name string `json:"name"`
	// Asks is the question, Answer the result.
	Asks   string `json:"asks"`
	Answer string `json:"answer"`
	// Fewest is the least number of serving pods, during the case or at its end. Pods that do not serve because of the
	// case itself count too.
	Fewest int `json:"fewest"`
	// Trap says that the set does not recover by itself: it is stuck, or in a livelock.
	Trap bool `json:"trap"`
	// Usual says that the case goes as with most sets, so nobody has to look at it: a broken revision stops at its
	// first pod, and the known fix helps.
	Usual bool `json:"usual"`
	// Commands are the commands that heal it, if one is needed and known; they were played as well. Reverts says that
	// one of them reverts the template, which has to be reverted in Git too if the template comes from there.
	Commands []string `json:"commands,omitempty"`
	Reverts  bool     `json:"reverts,omitempty"`
	// Danger is the condition under which the commands lose nothing.
	Danger string `json:"danger,omitempty"`
	// Prevents says that the commands have to be run before the change: they prevent the problem.
	Prevents bool `json:"prevents,omitempty"`
	// Ends says that they also end it once it has begun.
	Ends bool `json:"endsLivelock,omitempty"`
	// Budgets are the budgets that are violated on the way.
	Budgets []*Budget `json:"budgets,omitempty"`
	// Gates is what the deploy tools say that wait for the change.
	Gates []*gated.Answer `json:"gates,omitempty"`

	// Outcome is the result without the fix, Lead are the lines above the commands: what they cost, and what must be true
	// first. Loops says that it ends in a livelock, now or when a lost node is back.
	Outcome string   `json:"-"`
	Lead    []string `json:"-"`
	Loops   bool     `json:"-"`
	// asks are the question, and the question where a budget forbids the eviction that it is about. then is the part of
	// the answer about the fix. kind is the case of the catalogue that was played.
	asks [2]string
	then string
	kind *whatif.Case
}

// under returns the case with the budgets that it violates. A broken revision that does is not usual.
func (c Case) under(budgets []*Budget) *Case {
	c.Budgets = budgets
	c.Usual = c.Usual && (c.Name != broken || len(budgets) == 0)
	c.Asks, c.Answer = c.asks[0], c.Outcome
	if len(budgets) > 0 {
		c.Asks = c.asks[1]
	}
	for _, b := range budgets {
		c.Answer += ". This goes " + b.Short()
	}
	c.Answer += c.then
	return &c
}

func (c Case) renamed(r *strings.Replacer) *Case {
	c.asks = [2]string{r.Replace(c.asks[0]), r.Replace(c.asks[1])}
	c.Outcome, c.then, c.Danger = r.Replace(c.Outcome), r.Replace(c.then), r.Replace(c.Danger)
	c.Commands, c.Lead = changed(c.Commands, r.Replace), changed(c.Lead, r.Replace)
	c.Gates = slices.Clone(c.Gates)
	for i, a := range c.Gates {
		c.Gates[i] = a.Renamed(r)
	}
	return &c
}

// changed returns each of some texts changed by a function.
func changed(texts []string, as func(string) string) []string {
	var list []string
	for _, text := range texts {
		list = append(list, as(text))
	}
	return list
}

// Unprobed says whether the case is the one in which a revision crashes and no readiness probe notices.
func (c *Case) Unprobed() bool { return c.kind != nil && c.kind.Name == crashes }

// Told says whether people are told the commands of the case. Those for a lost node are nearly always the same.
func (c *Case) Told() bool {
	return len(c.Commands) > 0 && (c.kind == nil || !c.kind.Node || !c.Usual)
}

// Heals says what the commands of the case do.
func (c *Case) Heals() []string {
	switch {
	case c.Ends:
		return []string{"To prevent it, run this before the change. Once it has begun, the same command ends it " +
			"(verified by simulation):"}
	case c.Prevents:
		return []string{"To prevent it, run this before the change:"}
	}
	return c.Lead
}

// Rollout is the name of the run in which nothing goes wrong, Instead that of the run of the way around a refusal.
const (
	Rollout = "rollout"
	Instead = "instead"
)

// crashes is the case that is reported as one with broken: the worse of both.
const broken, crashes = "broken", "crashes"

// CaseNames lists the change itself, and all that may go wrong with it, in the order in which they are played.
func CaseNames() []string {
	list := []string{Rollout}
	for _, name := range whatif.Names(whatif.OfChange) {
		if name != crashes {
			list = append(list, name)
		}
	}
	return list
}

// worst keeps one of the cases broken and crashes, which are one question: crashes, unless more pods serve then. It
// is only asked of pods without a readiness probe, which nothing keeps from being Ready.
func worst(list []*Case) []*Case {
	at := slices.IndexFunc(list, func(c *Case) bool { return c.Name == broken })
	with := slices.IndexFunc(list, func(c *Case) bool { return c.Name == crashes })
	if at < 0 || with < 0 {
		return list
	}
	one := *list[at]
	if list[with].Fewest <= one.Fewest {
		usual := list[with].Fewest == one.Fewest && one.Usual
		one = *list[with]
		one.Usual, one.Name = usual, broken
	}
	return slices.Concat(list[:at], []*Case{&one}, slices.Delete(slices.Clone(list[at+1:]), with-at-1, with-at))
}

// Unprobed says whether the pods of a template have no readiness probe.
func Unprobed(t *model.Template) bool {
	return !slices.ContainsFunc(t.Lifecycle.Containers, func(c model.ContainerSpec) bool { return c.Readiness != nil })
}
