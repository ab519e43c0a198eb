package expect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

var oneSet = expect.Env{File: "f.yaml", Sets: []model.Key{{Namespace: "default", Name: "web"}}, Steps: []expect.Step{
	{Number: 1, Verb: "create"}, {Number: 2, Verb: "setImage", Name: "canary"}, {Number: 3, Verb: "setImage"},
	{Number: 4, Verb: "scale", Name: "1"},
}}

var twoSets = expect.Env{File: "f.yaml", Sets: []model.Key{{Namespace: "blue", Name: "db"}, {Namespace: "default", Name: "web"}}}

// compile compiles the items of a list that stand behind dashes of their own.
func compile(t *testing.T, env expect.Env, text string) ([]*expect.Expectation, strict.Problems) {
	root, problems := strict.ParseOne(env.File, []byte(text), strict.Limits{})
	require.NoError(t, problems.Err())
	return expect.Compile(root, env)
}

func TestProblems(t *testing.T) {
	const kinds = "order, descending, ascending, exactly, never, count, always, eventually, check, completes, stuck, ends, resolves, drained, helmWait, gate, budget"
	const form = `an entry is [NAMESPACE/]POD[@N | =IMAGE] STATE, for example "web-2@1 Ready"`
	const names = "conditions know spec, status, pods, serving, ready, available, outdated, twins, strays, now, sets, claims, bare, budgets"
	const steps = "1 (create), 2 (setImage, canary), 3 (setImage), 4 (scale, 1)"
	const states = "it must be one of Pending, Running, Ready, Unready, Failed, Succeeded, Terminating, Gone"
	pod := "ame, namespace, ordinal, phase, state, ready, available, terminating, serving, template, revision, image, " +
		"node, age, nth, up, shown, restarts, uid, ip, hostname, subdomain, labels"
	tests := map[string]struct{ text, want string }{
		// The shape of an expectation.
		"nothing":   {`- {}`, "1:3: the expectation says nothing: write one of " + kinds},
		"null":      {`-`, "1:2: the expectation is empty: write one of " + kinds},
		"a text":    {`- never`, `1:3: an expectation is "never": write a mapping, key: value, of order, descending, ascending, exactly, never, count, always, eventually, check, completes, stuck, ends, resolves, drained, helmWait, gate, budget, name, for, kubernetes, recorded, during, since, within`},
		"no list":   {`always: "true"`, "1:1: expect is a mapping: write a list, one item after each dash"},
		"two kinds": {`- {always: "true", never: "* Failed"}`, "1:20: the expectation has both always and never: make it two expectations"},
		"beside":    {`- {always: "true", within: 5s}`, "1:20: \"within\" does not go with always: always goes with since, name, for, kubernetes, recorded"},
		"inside":    {`- {completes: {}, within: 5s}`, "1:19: \"within\" does not go with completes: write it inside completes: {…, within: …}"},
		// Names.
		"resolves what":      {`- resolves: web-0`, `1:13: resolves is "web-0": write a mapping, key: value, of name, to, at, asked, namespace`},
		"resolves to what":   {`- resolves: {name: web}`, `1:13: resolves lacks the key "to"`},
		"resolves null":      {`- resolves:`, "1:12: resolves is not given: write a mapping with the key name"},
		"resolves to null":   {`- resolves: {name: web, to: }`, "1:29: \"to\" is not given: list the pods that the name leads to, [] for none"},
		"resolves a state":   {`- resolves: {name: web, to: [web-0 Ready]}`, `1:30: "web-0 Ready" is not a pod: write POD or POD@N, for example web-0@2`},
		"resolves a glob":    {`- resolves: {name: "*.web", to: []}`, `1:20: "*.web" is not a name of the DNS: write one like web-0.web, web.default.svc or _http._tcp.web`},
		"resolves to a glob": {`- resolves: {name: web, to: "web-["}`, `1:29: malformed pattern: write a set as [abc] or [0-9] in "web-["`},
		"resolves a list":    {`- resolves: {name: [web], to: []}`, `1:20: name must be text, but YAML reads a list: write one text: "web"`},
		"resolves to lists":  {`- resolves: {name: web, to: [[web-0]]}`, `1:30: a pod must be text, but YAML reads a list: write one text: "web-0"`},
		"resolves too long":  {`- resolves: {name: ` + strings.Repeat("a", 254) + `, to: []}`, `1:20: "` + strings.Repeat("a", 60) + `…" is not a name of the DNS: write one like web-0.web, web.default.svc or _http._tcp.web`},
		"resolves later":     {`- resolves: {name: web, to: [], at: 3s, asked: 4s}`, "1:48: \"asked\" is later than at: it is the time of an earlier lookup, whose answer a cache keeps"},
		"resolves when":      {`- resolves: {name: web, to: [], at: soon}`, "1:37: there is no step soon: the steps are " + steps},
		"another set":        {`- {always: "true", for: default/wbe}`, "1:25: the run has no set default/wbe: did you mean default/web? It must be one of default/web"},
		"a version":          {`- {always: "true", kubernetes: ">=1.x"}`, `1:32: "1.x" is not a version of Kubernetes: write bounds like ">=1.35.0 <1.35.4"`},
		"some versions":      {`- {always: "true", kubernetes: ["1.36"]}`, `1:32: kubernetes must be text, but YAML reads a list: write one text: "1.36"`},
		"some sets":          {`- {always: "true", for: [web]}`, `1:25: "for" must be text, but YAML reads a list: write one text: "web"`},
		"a range":            {`- {always: "true", kubernetes: ">="}`, `1:32: ">=" is not a range of versions: write bounds like ">=1.35.0 <1.35.4"`},

		// Entries.
		"no state":       {`- never: "web-0@1"`, "1:10: the entry has no state: " + form},
		"no pod":         {`- never: "Ready"`, `1:10: the entry has no pod: write "* Ready" for any pod, or a pod, as in "web-2 Ready"`},
		"three words":    {`- never: "web-0 @1 Ready"`, "1:10: the entry has too many parts: " + form},
		"a wrong state":  {`- never: "web-0 Redy"`, `1:10: "Redy" is not a state: did you mean Ready? ` + strings.ToUpper(states[:1]) + states[1:]},
		"a state's case": {`- never: "web-0 ready"`, `1:10: "ready" is not a state: did you mean Ready? ` + strings.ToUpper(states[:1]) + states[1:]},
		"no such state":  {`- never: "web-0 X*"`, `1:10: "X*" is not a state: ` + states},
		"template zero":  {`- never: "web-0@0 Ready"`, `1:10: "0" is neither a template nor an image: write @N with the number of a template from 1, or =IMAGE`},
		"a template":     {`- never: "web-0@v1 Ready"`, `1:10: "v1" is neither a template nor an image: write @N with the number of a template from 1, or =IMAGE`},
		"no template":    {`- never: "web-0@ Ready"`, `1:10: "@" is neither a template nor an image: write @N with the number of a template from 1, or =IMAGE`},
		"a glob":         {`- never: "web-[0 Ready"`, `1:10: malformed pattern: write a set as [abc] or [0-9] in "web-[0"`},
		"two slashes":    {`- never: "a/b/c Ready"`, `1:10: the pod's name "b/c" has a slash: ` + form},
		"no entries":     {`- order: []`, `1:10: order has no entries: write a list like ["web-1@2 Ready", "web-0@1 Terminating"]`},
		"an inner list":  {`- order: [["web-0 Ready"]]`, "1:11: order has an inner list: only exactly takes entries in any order"},
		"a null entry":   {`- never:`, "1:9: an entry has no value: write it behind the colon, or indented below the key, or leave the key out"},
		"not these":      {`- exactly: {states: [Gone], is: ["web-0 Ready"]}`, `1:34: "web-0 Ready" is about none of the listed states: add its state to states, or leave states out`},
		"is is missing":  {`- exactly: {states: [Gone]}`, `1:12: exactly lacks the key "is"`},
		"null exactly":   {`- exactly:`, `1:11: exactly is not given: write a mapping with the key is`},
		"a count":        {`- count: {of: "* Ready", is: -1}`, "1:30: \"is\" is -1: write a whole number of at least 0"},
		"no count":       {`- count: {of: "* Ready"}`, "1:10: count has no number: write \"is\", \"atLeast\" or \"atMost\""},
		"none at most":   {`- count: {of: "* Ready", atLeast: 1, atMost: 0}`, "1:26: atLeast is more than atMost: write the lower number as atLeast"},
		"both counts":    {`- count: {of: "* Ready", is: 1, atMost: 2}`, "1:26: \"is\" does not go with atLeast or atMost: write either \"is\", or bounds"},
		"no such count":  {`- count: {of: "* Ready", atLeast: 3, atMost: 2}`, "1:26: atLeast is more than atMost: write the lower number as atLeast"},
		"an actor":       {`- count: {of: "* Ready", by: controler, is: 1}`, `1:30: by is "controler": did you mean controller? It must be one of user, controller, scheduler, kubelet, apiserver, dump`},
		"a reason":       {`- stuck: {reason: WaitingForRedy}`, `1:19: reason is "WaitingForRedy": did you mean WaitingForReady? It must be one of ` + codes()},
		"a pod":          {`- stuck: {pod: "["}`, `1:16: pod is "[": malformed pattern: write a set as [abc] or [0-9]`},
		"an end":         {`- ends: setled`, `1:9: ends is "setled": did you mean settled? It must be one of settled, stuck, livelock, refused, limit, interrupted`},
		"within nothing": {`- completes: {within: 0s}`, "1:23: \"within\" is 0: write a duration like 90s; check judges one instant"},

		// Steps.
		"no step":     {`- {always: "true", since: setImages}`, "1:27: there is no step setImages: did you mean setImage? The steps are " + steps},
		"two steps":   {`- {always: "true", since: setImage}`, "1:27: setImage is more than one step: write the name or the number of one of 2 (setImage, canary), 3 (setImage)"},
		"a number":    {`- check: {at: 7, that: "true"}`, "1:15: there is no step 7: the steps are " + steps + "; a time has a unit: 7s"},
		"a step list": {`- {always: "true", since: [1]}`, "1:27: \"since\" is a list: write the name, the number or the kind of a step"},

		// Conditions.
		"an unknown name":    {`- always: "servng > 1"`, "1:12: unknown name servng: did you mean serving? C" + names[1:]},
		"a variable's field": {`- always: "status.updatedReplica == 1"`, "1:18: StatefulSetStatus has no field updatedReplica: did you mean updatedReplicas? It must be one of observedGeneration, replicas, readyReplicas, currentReplicas, updatedReplicas, currentRevision, updateRevision, collisionCount, conditions, availableReplicas"},
		"a deep field":       {`- always: spec.updateStrategy.rollingUpdate.partion == 1`, "1:44: RollingUpdateStatefulSetStrategy has no field partion: did you mean partition? It must be one of partition, maxUnavailable"},
		"a claim's field": {`- always: 'claims.all(c, c.phas == "Bound")'`, "1:27: PersistentVolumeClaim has no field phas: " +
			"did you mean phase? It must be one of name, namespace, statefulset, phase, terminating, owners"},
		"a pod's field":    {`- always: 'pods.all(p, p.redy)'`, "1:25: Pod has no field redy: did you mean ready? It must be one of n" + pod},
		"a bad function":   {`- always: "pods.filter(p, p.ready).siz() == 3"`, "1:39: unknown name siz: " + names},
		"types":            {`- always: "serving > 'x'"`, "1:20: > does not work on int, string"},
		"int and double":   {`- always: "serving >= spec.replicas * 0.8"`, "1:37: * does not work on int, double: write a whole number as 1.0, and make an int a double with double(x)"},
		"no truth":         {`- always: "serving"`, "1:11: the condition gives an int, not true or false: compare it with something"},
		"a single =":       {`- always: "serving = 3"`, "1:20: the condition has a single =: to compare write =="},
		"an end too early": {`- always: "serving >"`, "1:21: the condition ends too early: serving >: write a CEL expression, for example serving >= spec.replicas - 1"},
		"two words":        {`- always: "serving is 3"`, "1:20: is does not belong there: write a CEL expression, for example serving >= spec.replicas - 1"},
		"nothing to judge": {`- always: ""`, "1:12: the condition is empty: write a CEL expression, for example serving >= spec.replicas - 1"},
		"a duration":       {`- always: "now < duration('5 m')"`, `1:27: duration takes a text like "90s", "1500ms" or "1h30m"`},
		"after quotes":     {`- always: '"it''s" == servng'`, "1:23: unknown name servng: did you mean serving? C" + names[1:]},
		"after escapes":    {`- always: "\"x\" == servng"`, "1:21: unknown name servng: did you mean serving? C" + names[1:]},
		"a field of the status": {`- always: "readyReplicas > 1"`,
			"1:12: unknown name readyReplicas: did you mean status.readyReplicas? C" + names[1:]},
		"a word of another language": {`- always: "serving > 1 and ready > 1"`, "1:24: CEL has no word and: write &&"},
		"typographic quotes":         {`- always: “serving > 1”`, "1:11: the condition has a typographic quote, “: write \" or '"},
		"a time alone":               {`- completes: 60s`, `1:14: completes is "60s": write {within: 60s}`},
		"a percentage":               {`- always: "serving >= 66%"`, "1:26: the condition ends too early: serving >= 66%: CEL has no percentages: write serving * 100 >= spec.replicas * 66"},
		"a reason of a pod":          {`- stuck: {reason: ImagePullBackOff}`, "1:19: ImagePullBackOff is what kubectl shows of a pod, and no reason of a StatefulSet: write reason: WaitingForReady, and pod: NAME for the pod"},
		"a field of the spec": {`- always: "replicas > 1"`,
			"1:12: unknown name replicas: did you mean spec.replicas? C" + names[1:]},
		"in a block":        {"- always: |\n    true &&\n    servng", "3:1: unknown name servng: did you mean serving? C" + names[1:]},
		"in a fold":         {"- always: >\n    true &&\n    servng > 1", "1:11: unknown name servng: did you mean serving? C" + names[1:]},
		"a set's name":      {`- always: 'sets["default/wbe"].ready == 1'`, "1:17: the run has no set default/wbe: did you mean default/web? It must be one of default/web"},
		"a set's bare name": {`- always: 'sets["web"].ready == 1'`, "1:17: the run has no set web: it must be one of default/web"},
		"swallowed":         {`- always: {a: 1}`, "1:11: a condition must be text, but YAML reads a mapping: write one text; if the mapping is meant as text, quote it"},
		"a swallowed not":   {`- always: !pods.exists(p, p.ready)`, `1:11: a condition must be text, but YAML reads !pods.exists(p, as a tag: quote this: "!pods.exists(p, p.ready)"`},
		"that is missing":   {`- check: {at: 5s}`, `1:10: check lacks the key "that"`},
		"a time":            {`- check: {at: -5s, that: "true"}`, "1:15: \"at\" is -5s: a duration is not negative"},
		"too long":          {`- always: "` + strings.Repeat("1+", 5_001) + `1 == 1"`, "1:11: the condition has more than 10000 characters: write it shorter"},
		"too deep":          {`- always: "` + strings.Repeat("(", 500) + "true" + strings.Repeat(")", 500) + `"`, "1:11: the condition is nested deeper than 100: write it flatter"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			list, problems := compile(t, oneSet, test.text)
			assert.EqualError(t, problems, "f.yaml:"+test.want)
			assert.Empty(t, list)
		})
	}
}

func codes() string {
	var names []string
	for _, code := range model.Codes {
		names = append(names, string(code))
	}
	return strings.Join(names, ", ")
}

// TestSeveralSets: in a run of several sets a condition says which it is about.
func TestSeveralSets(t *testing.T) {
	list, problems := compile(t, twoSets, "- always: serving > 1\n- always: size(sts) > 1\n"+
		"- {always: serving > 1, for: db}\n- {always: serving > 1, for: web}\n- {always: serving > 1, for: blue/web}")
	assert.Len(t, list, 2)
	assert.EqualError(t, problems, `f.yaml:1:11: serving is not clear: the run has several sets: write sets["blue/db"].serving, or add for: blue/db`+"\n"+
		"f.yaml:2:16: unknown name sts: did you mean sets? Conditions know now, sets, claims, bare, budgets\n"+
		"f.yaml:5:30: the run has no set blue/web: did you mean blue/db? It must be one of blue/db, default/web")
}

// TestAllProblems: nothing that is wrong hides behind another.
func TestAllProblems(t *testing.T) {
	_, problems := compile(t, oneSet, `
- always: "servng + redy == 2"
- order: ["web-0", "web-1 Redy"]
- alwys: "true"`)
	assert.Len(t, problems, 5)
}

// TestSteps: a step is meant by its name, then by its number, then by its verb.
func TestSteps(t *testing.T) {
	events := script(t, `
0 step create replicas=1 template=1 name=2
1 web-0@1 Pending controller
2 step setImage template=2 name=canary
3 step scale replicas=2 name=canary
4 end settled`)
	for ref, want := range map[string]int{"create": 1, "2": 1, `"2"`: 1, "setImage": 2, "scale": 3, "3": 3} {
		env := expect.EnvOf(events)
		env.Steps = append(env.Steps, expect.Step{Number: 4, Verb: "wait"})
		list, problems := compile(t, env, "- {check: {at: "+ref+", that: now < 0}}")
		require.NoError(t, problems.Err(), ref)
		verdict := expect.Judge(list, events)[0]
		assert.Equal(t, expect.Failed, verdict.Outcome)
		assert.Equal(t, events[map[int]int{1: 1, 2: 3, 3: 4}[want]].T, verdict.Instants[0], ref)
	}
	list, problems := compile(t, expect.Env{Steps: []expect.Step{{Number: 4, Verb: "undo"}}}, "- {always: 'true', since: undo}")
	require.NoError(t, problems.Err())
	assert.Equal(t, "step 4 never acted: the run ended at 4s with the verdict settled", expect.Judge(list, events)[0].Detail)
}

// TestWhichSteps: a message about a step that does not exist lists those that do, twenty at most.
func TestWhichSteps(t *testing.T) {
	for n, want := range map[int]string{
		0: "there is no step x: the scenario has no steps", 1: "there is no step x: the only step is 1 (scale)",
		2: "there is no step x: the steps are 1 (scale), 2 (scale)", 20: ", 20 (scale)", 21: ", 20 (scale), …",
	} {
		env := expect.Env{File: "f.yaml", Sets: oneSet.Sets}
		for i := range n {
			env.Steps = append(env.Steps, expect.Step{Number: i + 1, Verb: "scale"})
		}
		_, problems := compile(t, env, "- completes: {since: x}")
		require.Error(t, problems.Err())
		require.True(t, strings.HasSuffix(problems.Err().Error(), want), "%d steps: %v", n, problems)
	}
}

// TestTheLongestName: the DNS has names of 253 characters.
func TestTheLongestName(t *testing.T) {
	_, problems := compile(t, oneSet, "- resolves: {name: "+strings.Repeat("a", 253)+", to: []}")
	require.NoError(t, problems.Err())
}
