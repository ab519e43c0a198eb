package scenario

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestCarried shows what steps expect of themselves: that one is refused, and that one acts at its time. Whether it can
// is not known before the run where the step before it has no time. A recorded timeline is judged no other way.
func TestCarried(t *testing.T) {
	text := []byte(`steps:
- create: {name: web, image: a}
- restart:
- at: 1s
  scale: {replicas: 1}
- at: 9s
  scale: {replicas: 2}
  refused: spec.replicas
- patch: {spec: {serviceName: other}}
  refused: SERVICENAME
- patch: {spec: {serviceName: other}}
  refused: selector
- scale: {replicas: 3}
  refused: spec
`)
	want := []string{
		"test.yaml:4:7 at: 1s: failed: the step before acted only at 3s: give this one a later time, or after",
		"test.yaml:8:12 refused: spec.replicas: failed: the step was not refused: configured",
		"test.yaml:10:12 refused: SERVICENAME: held: ",
		`test.yaml:12:12 refused: selector: failed: the refusal is StatefulSet.apps "web" is invalid: ` +
			`spec.serviceName: Invalid value: "other": field is immutable`,
		"test.yaml:14:12 refused: spec: failed: the step never acted: the run ended at 12s with the verdict refused",
	}
	s, err := Parse("test.yaml", text, nil, Options{})
	require.NoError(t, err)
	outcome := s.Run(RunOptions{})
	require.Equal(t, want, told(outcome.Verdicts))

	expectations, problems := expect.Load("test.yaml", bytes.Clone(text), strict.Limits{}, outcome.Timeline)
	require.Empty(t, problems)
	require.Equal(t, want, told(expect.Judge(expectations, outcome.Timeline)))
}

func told(verdicts []expect.Verdict) []string {
	var lines []string
	for _, v := range verdicts {
		lines = append(lines, v.Position()+" "+v.Text+": "+v.Outcome.String()+": "+v.Detail)
	}
	return lines
}

// TestVacuous shows that what cannot fail fails: no pod of the run has such a name, ordinal, template or image.
func TestVacuous(t *testing.T) {
	name := "a-release-of-a-chart-with-a-name-that-goes-on-for-ever"
	s, err := Parse("test.yaml", []byte(`steps:
- create: {name: `+name+`, image: "a:1", replicas: 2}
- setImage: {image: "a:2"}
expect:
- never: "wbe-0 *"
- never: "`+name+`-7 *"
- count: {of: "other/* Gone", is: 0}
- never: "@3 *"
- never: "=a:9 Ready"
- never: "*-1@2 Failed"
- count: {of: "*-0=a:1 Unready", is: 0}
`), nil, Options{})
	require.NoError(t, err)
	outcome := s.Run(RunOptions{})
	pods := name + "-0 to " + name + "-1"
	require.Equal(t, []string{
		"test.yaml:5:3 never: wbe-0 *: failed: it checks nothing: the run has no pod wbe-0: it has " + pods,
		"test.yaml:6:3 never: " + name + "-7 *: failed: it checks nothing: the run has no pod " + name + "-7: it has " + pods,
		"test.yaml:7:3 count: {of: other/* Gone, is: 0}: failed: it checks nothing: the run has no pod *: it has " + pods,
		"test.yaml:8:3 never: @3 *: failed: it checks nothing: " + name + " never has the template @3: it has @1 a:1, @2 a:2",
		"test.yaml:9:3 never: =a:9 Ready: failed: it checks nothing: " + name + " never has the image a:9: it has a:1, a:2",
		"test.yaml:10:3 never: *-1@2 Failed: held: ",
		"test.yaml:11:3 count: {of: *-0=a:1 Unready, is: 0}: held: ",
	}, told(outcome.Verdicts))
}
