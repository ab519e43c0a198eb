package serve_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	configs  = "/api/v1/namespaces/default/configmaps"
	policies = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies" // Their size has no bound of its own.
)

// TestBudget: a small request that would grow is refused at the limit, and what is below it is taken. Without the limits
// some of these take all memory.
func TestBudget(t *testing.T) {
	const jsonPatch, yaml = "application/json-patch+json", "application/yaml"
	const mergePatch, strategic = "application/merge-patch+json", "application/strategic-merge-patch+json"
	doubling := func(n int) string { // Each operation copies all that the one before has made.
		ops := []string{`{"op":"add","path":"/data","value":{"k":"` + strings.Repeat("x", 1000) + `"}}`,
			`{"op":"add","path":"/metadata/annotations","value":{}}`}
		for i := range n {
			ops = append(ops, fmt.Sprintf(`{"op":"copy","from":"/data","path":"/data/c%d"}`, i))
		}
		return "[" + strings.Join(ops, ",") + "]"
	}
	aliases := func(n int) string {
		return "metadata: {name: aliases}\nspec:\n  a: &a " + strings.Repeat("x", 100_000) +
			strings.Join(numbered("\n  b%d: *a", n), "")
	}
	merged := func(n int) string {
		return "metadata: {name: merged}\nx: &a {" + strings.Join(numbered("k%d: v", 2_000), ",") + "}\ndata:" +
			strings.Join(numbered("\n  b%d: {<<: *a}", n), "")
	}
	values := func(n int) string {
		return `{"metadata":{"name":"values"},"data":{` + strings.Join(numbered(`"k%d":"v"`, n), ",") + "}}"
	}
	env := func(n int) string {
		return `{"spec":{"template":{"spec":{"containers":[{"name":"app","env":[` +
			strings.Join(numbered(`{"name":"e%d"}`, n), ",") + "]}]}}}}"
	}
	for name, one := range map[string]struct {
		method, path, form, body string
		code                     int
		says                     string
	}{
		"copies that double, just above": {"PATCH", configs + "/a", jsonPatch, doubling(12), 422,
			"exceeding the limit 3145728"},
		"copies that double, far above": {"PATCH", configs + "/a", jsonPatch, doubling(60), 422, "exceeding the limit"},
		"operations":                    {"PATCH", configs + "/a", jsonPatch, operations(10_000), 200, ""},
		"one operation too many": {"PATCH", configs + "/a", jsonPatch, operations(10_001), 413,
			"The allowed maximum operations in a JSON patch is 10000, got 10001"},
		"aliases":                      {"POST", policies, yaml, aliases(20), 201, ""},
		"aliases of a large text":      {"POST", policies, yaml, aliases(40), 413, "with its aliases written out"},
		"aliases of a text, far above": {"POST", policies, yaml, aliases(100_000), 413, "with its aliases written out"},
		"an alias of what it is in":    {"POST", configs, yaml, "a: &a [*a]", 413, "with its aliases written out"},
		"merge keys":                   {"POST", configs, yaml, merged(5_000), 413, "with its aliases written out"},
		"many values": {"POST", configs, "application/json", values(50_001), 413,
			"the body has more than 50000 values"},
		"a patch of many elements": {"PATCH", sets + "/web", strategic, env(6_000), 413, "elements of lists"},
		"an applied one of large aliases": {"PATCH", configs + "/b?fieldManager=me", "application/apply-patch+yaml",
			"apiVersion: v1\nkind: ConfigMap\n" + aliases(40), 413, "with its aliases written out"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, nil)
			s.must("POST", sets, web)
			s.must("POST", configs, `{"metadata":{"name":"a"}}`)
			began := time.Now()
			code, answer := s.ask(one.method, one.path, one.body, "Content-Type", one.form)
			require.Equal(t, one.code, code, "%.300v", answer)
			if one.says != "" {
				require.Contains(t, answer["message"], one.says)
			}
			t.Log(time.Since(began))
		})
	}
	t.Run("an object that grows", func(t *testing.T) {
		s := begin(t, nil)
		s.must("POST", policies, `{"metadata":{"name":"a"}}`)
		code := 200
		for i := 0; code == 200; i++ {
			require.Less(t, i, 4)
			part := fmt.Sprintf(`{"spec":{"podSelector":{"matchLabels":{"k%d":"%s"}}}}`, i, strings.Repeat("x", 1<<20))
			code, _ = s.ask("PATCH", policies+"/a", part, "Content-Type", mergePatch)
		}
		require.Equal(t, 413, code)
	})
}

// TestTooLong: what a real API server finds too long is refused in its words.
func TestTooLong(t *testing.T) {
	s := begin(t, nil)
	large := strings.Repeat("x", 1<<20)
	for _, c := range []struct{ path, body, says string }{
		{configs, `{"metadata":{"name":"a"},"data":{"a":"` + large + `"}}`, ""},
		{configs, `{"metadata":{"name":"b"},"data":{"a":"` + large + `","b":"c"}}`,
			`ConfigMap "b" is invalid: []: Too long: may not be more than 1048576 bytes`},
		{"/api/v1/namespaces/default/secrets", `{"metadata":{"name":"b"},"stringData":{"a":"` + large + `xxxx"}}`,
			`Secret "b" is invalid: data: Too long: may not be more than 1048576 bytes`},
		{configs, `{"metadata":{"name":"c","annotations":{"a":"` + large[:300_000] + `"}}}`,
			`ConfigMap "c" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes`},
		{"/api/v1/namespaces/default/services", `{"metadata":{"name":"a"},"spec":{"ports":[{"port":80},{"name":"b","port":0}]}}`,
			`Service "a" is invalid: [spec.ports[0].name: Required value, spec.ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive, spec.ports[1].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive]`},
		{"/apis/policy/v1/namespaces/default/poddisruptionbudgets", `{"metadata":{"name":"a/b"},"spec":{}}`,
			`PodDisruptionBudget.policy "a/b" is invalid: metadata.name: Invalid value: "a/b": may not contain '/'`},
		{"/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", `{"metadata":{"name":"a%b"}}`,
			`Role.rbac.authorization.k8s.io "a%b" is invalid: metadata.name: Invalid value: "a%b": may not contain '%'`},
		{"/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", `{"metadata":{"name":"system:a b"}}`, ""},
	} {
		code, answer := s.ask("POST", c.path, c.body)
		if c.says == "" {
			require.Equal(t, 201, code, "%.300v", answer)
			continue
		}
		require.Equal(t, 422, code, "%.300v", answer)
		require.Equal(t, c.says, answer["message"])
	}
	const fine = `{"type":"object"}`
	for _, schema := range []string{"null", "[]", fine} {
		code, answer := s.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", `{"metadata":{
			"name":"as.x.io"},"spec":{"group":"x.io","scope":"Cluster","names":{"plural":"as","kind":"A"},"versions":[{
			"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":`+schema+`}}]}}`)
		require.Equal(t, schema == fine, code == 201, "%.300v", answer)
		if schema != fine {
			require.Contains(t, answer["message"], "spec.versions[0].schema.openAPIV3Schema: Required value")
		}
	}
}

// TestBudgetOfASchema: defaults, enumerations and patterns of a custom resource do not multiply what a request costs.
func TestBudgetOfASchema(t *testing.T) {
	large := strings.Repeat("x", 10_000)
	s := begin(t, nil)
	s.must("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", fmt.Sprintf(`{
		"metadata":{"name":"things.x.io"},"spec":{"group":"x.io","scope":"Namespaced","names":{"plural":"things","kind":"Thing"},"versions":[{"name":"v1",
		"served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
		"defaults":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","default":%q}}}},
		"enums":{"type":"array","items":{"type":"string","enum":[%s]}},
		"patterns":{"type":"array","items":{"type":"string","pattern":"^(x{30}){30}$"}}}}}}]}}`,
		large, strings.Join(numbered(`"e%d"`, 10_000), ",")))
	const things = "/apis/x.io/v1/namespaces/default/things"
	thing := func(field, item string, n int) (int, string) {
		code, answer := s.ask("POST", things, `{"apiVersion":"x.io/v1","kind":"Thing","metadata":{"generateName":"t-"},"`+
			field+`":[`+strings.TrimSuffix(strings.Repeat(item+",", n), ",")+"]}")
		return code, fmt.Sprint(answer["message"])
	}
	for _, one := range []struct {
		field, item string
		fit, not    int
		says        string
	}{
		{"defaults", "{}", 300, 320, "with the defaults of its schema the object is larger than 3145728"},
		{"enums", `"e9999"`, 1_900, 2_100, "take more than 20000000 comparisons"},
		{"patterns", `"` + strings.Repeat("x", 900) + `"`, 20, 40, "take more than 20000000 comparisons"},
	} {
		code, says := thing(one.field, one.item, one.fit)
		require.Equal(t, 201, code, "%s: %.300s", one.field, says)
		code, says = thing(one.field, one.item, one.not)
		require.Equal(t, 413, code, "%s: %.300s", one.field, says)
		require.Contains(t, says, one.says)
	}
	code, says := thing("enums", `"none"`, 1_900)
	require.Equal(t, 422, code)
	require.Less(t, len(says), 3_000_000, "that many are wrong is told of the first hundred")
}

// numbered returns a text with each number below n.
func numbered(format string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(format, i))
	}
	return all
}

// operations is a JSON patch of many operations.
func operations(n int) string {
	return `[` + strings.TrimSuffix(strings.Repeat(`{"op":"test","path":"/kind","value":"ConfigMap"},`, n), ",") + "]"
}

// TestBudgetOfProtobuf: a body of protobuf has the same budget as one of JSON. Two bytes of it are a container, which
// takes a thousand bytes, and 3 MiB of them would take gigabytes.
func TestBudgetOfProtobuf(t *testing.T) {
	packed := func(set *appsv1.StatefulSet, more string) string {
		raw, err := set.Marshal()
		require.NoError(t, err)
		envelope := runtime.Unknown{Raw: append(raw, more...)}
		data, err := envelope.Marshal()
		require.NoError(t, err)
		return "k8s\x00" + string(data)
	}
	inside := func(text string, numbers ...protowire.Number) string {
		for _, number := range numbers {
			text = string(protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), text))
		}
		return text
	}
	var set appsv1.StatefulSet
	require.NoError(t, json.Unmarshal([]byte(web), &set))
	many := set.DeepCopy()
	for i := range 20_000 {
		env := corev1.EnvVar{Name: fmt.Sprintf("e%d", i), Value: "v"}
		many.Spec.Template.Spec.Containers[0].Env = append(many.Spec.Template.Spec.Containers[0].Env, env)
	}
	const post, form = "POST", "application/vnd.kubernetes.protobuf"
	for name, c := range map[string]struct {
		body string
		code int
	}{
		"a set":            {packed(&set, ""), 201},
		"containers":       {packed(&set, inside(strings.Repeat("\x12\x00", 1_500_000), 2, 3, 2)), 413},
		"arguments":        {packed(&set, inside(strings.Repeat("\x22\x00", 1_500_000), 2, 2, 3, 2)), 413},
		"labels":           {packed(&set, inside(strings.Repeat("\x5a\x00", 1_000_000), 1)), 413},
		"values of an env": {packed(many, ""), 413},
		"cut off":          {packed(&set, "\x12\xff"), 400},
	} {
		s := begin(t, nil)
		code, answer := s.ask(post, sets, c.body, "Content-Type", form)
		require.Equal(t, c.code, code, "%s: %.300v", name, answer)
		if code == 413 {
			require.Contains(t, answer["message"], "the body has more than 50000 values", name)
		}
	}
}
