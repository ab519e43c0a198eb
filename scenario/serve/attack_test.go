package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing/iotest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// attacker is a client that asks at random: verbs times kinds times patches times options times forms on the wire, and
// connections that are cut. What it asks is the same each time for the same numbers.
type attacker struct {
	*rand.Rand
	s *session
	// kept are the names of checkpoints.
	kept int
	// alone says that no other client asks at the same time: only then may the time of the session be moved.
	alone bool
	// answered hears of each request.
	answered func(what string, code int, took time.Duration, allocated uint64)
}

// The forms of bodies.
const (
	formJSON, formYAML, formProtobuf = "application/json", "application/yaml", "application/vnd.kubernetes.protobuf"
	formMerge, formStrategic         = "application/merge-patch+json", "application/strategic-merge-patch+json"
	formPatch, formApply             = "application/json-patch+json", "application/apply-patch+yaml"
)

// one returns one of several.
func (a *attacker) one(of ...string) string { return of[a.IntN(len(of))] }

// attacked are the kinds that are asked for, with the names of their objects, a new object, and patches of one. NAME is
// replaced by the name, and N by a small number.
var attacked = []struct {
	often                 int
	path                  string
	names                 []string
	objects, patches, sub []string
}{
	{8, "/apis/apps/v1/namespaces/SPACE/statefulsets", []string{"web", "web", "web-a", "db"}, []string{
		`{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"NAME"},"spec":{"replicas":N,"serviceName":"web","selector":{"matchLabels":{"app":"NAME"}},"template":{"metadata":{"labels":{"app":"NAME"}},"spec":{"containers":[{"name":"app","image":"app:vN"}]}}}}`,
		`{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"NAME","labels":{"a":"b"}},"spec":{"replicas":N,"podManagementPolicy":"Parallel","minReadySeconds":N,"serviceName":"web","selector":{"matchLabels":{"app":"NAME"}},"template":{"metadata":{"labels":{"app":"NAME"}},"spec":{"terminationGracePeriodSeconds":N,"containers":[{"name":"app","image":"app:v1","ports":[{"containerPort":80,"hostPort":8080}],"readinessProbe":{"tcpSocket":{"port":80}}}]}}}}`,
		`{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"NAME"},"spec":{"replicas":N,"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete","whenScaled":"Delete"},"selector":{"matchLabels":{"app":"NAME"}},"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}],"template":{"metadata":{"labels":{"app":"NAME"}},"spec":{"containers":[{"name":"app","image":"app:v1","volumeMounts":[{"name":"data","mountPath":"/d"}]}]}}}}`,
	}, []string{
		`{"spec":{"replicas":N}}`, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"app:vN"}]}}}}`,
		`{"spec":{"updateStrategy":{"type":"OnDelete"}}}`, `{"spec":{"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":N}}}}`,
		`{"metadata":{"labels":{"x":"vN"}}}`, `{"metadata":{"annotations":{"x":"vN"}}}`, `{"spec":{"serviceName":"else"}}`,
		`{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"N"}}}}}`,
		`{"metadata":{"finalizers":["x.io/hold"]}}`, `{"metadata":{"finalizers":null}}`, `{"spec":{"minReadySeconds":N}}`,
		`{"spec":{"replicas":-1}}`, `{"spec":{"ordinals":{"start":N}}}`, `{"spec":{"revisionHistoryLimit":0}}`,
	}, []string{"", "", "", "/scale", "/status"}},
	{6, "/api/v1/namespaces/SPACE/pods", []string{"web-0", "web-1", "web-2", "web-a-0", "db-0", "lone"}, []string{
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME","labels":{"app":"web"}},"spec":{"containers":[{"name":"app","image":"app:v1"}]}}`,
	}, []string{
		`{"metadata":{"labels":{"app":"other"}}}`, `{"metadata":{"labels":{"extra":"vN"}}}`, `{"metadata":{"annotations":{"x":"vN"}}}`,
		`{"metadata":{"finalizers":["x.io/hold"]}}`, `{"metadata":{"finalizers":null}}`, `{"metadata":{"ownerReferences":null}}`,
		`{"spec":{"containers":[{"name":"app","image":"app:vN"}]}}`, `{"spec":{"activeDeadlineSeconds":N}}`, `{"status":{"phase":"Failed"}}`,
	}, []string{"", "", "", "/eviction", "/status"}},
	{2, "/api/v1/namespaces/SPACE/persistentvolumeclaims", []string{"data-web-0", "data-web-1", "data-db-0", "free"}, []string{
		`{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"NAME"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"NGi"}}}}`,
	}, []string{
		`{"metadata":{"labels":{"x":"vN"}}}`, `{"spec":{"resources":{"requests":{"storage":"4Gi"}}}}`, `{"metadata":{"finalizers":null}}`,
		`{"metadata":{"annotations":{"x":"vN"}}}`, `{"metadata":{"ownerReferences":null}}`,
	}, []string{"", "", "/status"}},
	{2, "/api/v1/namespaces/SPACE/services", []string{"web", "else", "kubernetes"}, []string{
		`{"apiVersion":"v1","kind":"Service","metadata":{"name":"NAME"},"spec":{"clusterIP":"None","selector":{"app":"web"},"ports":[{"port":80}]}}`,
		`{"apiVersion":"v1","kind":"Service","metadata":{"name":"NAME"},"spec":{"ports":[{"port":80}]}}`,
	}, []string{`{"spec":{"selector":{"app":"web-a"}}}`, `{"metadata":{"labels":{"x":"vN"}}}`, `{"spec":{"publishNotReadyAddresses":true}}`,
		`{"spec":{"selector":null}}`}, []string{"", "", "/status"}},
	{2, "/apis/policy/v1/namespaces/SPACE/poddisruptionbudgets", []string{"web", "all"}, []string{
		`{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"NAME"},"spec":{"minAvailable":N,"selector":{"matchLabels":{"app":"web"}}}}`,
		`{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"NAME"},"spec":{"maxUnavailable":"50%","selector":{"matchLabels":{"app":"web"}}}}`,
	}, []string{`{"spec":{"minAvailable":N}}`, `{"spec":{"maxUnavailable":N,"minAvailable":null}}`, `{"metadata":{"labels":{"x":"vN"}}}`,
		`{"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}}`}, []string{"", "", "/status"}},
	{2, "/api/v1/nodes", []string{"node-1", "node-2", "node-3"}, nil, []string{
		`{"spec":{"unschedulable":true}}`, `{"spec":{"unschedulable":null}}`, `{"metadata":{"labels":{"x":"vN"}}}`,
		`{"spec":{"taints":[{"key":"node.kubernetes.io/out-of-service","effect":"NoExecute"}]}}`, `{"spec":{"taints":null}}`,
		`{"spec":{"taints":[{"key":"x","effect":"NoSchedule"}],"unschedulable":true}}`,
	}, []string{"", "", "/status"}},
	{1, "/api/v1/namespaces/SPACE/configmaps", []string{"a", "b", "kube-root-ca.crt"}, []string{
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"NAME"},"data":{"k":"vN"}}`,
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"g-"},"data":{"k":"vN"}}`,
	}, []string{`{"data":{"k":"vN"}}`, `{"metadata":{"finalizers":["x.io/hold"]}}`, `{"immutable":true}`}, []string{""}},
	{1, "/api/v1/namespaces", []string{"shop", "shop", "default", "kube-system"}, []string{
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"NAME"}}`,
	}, []string{`{"metadata":{"labels":{"x":"vN"}}}`}, []string{""}},
	{1, "/apis/apps/v1/namespaces/SPACE/controllerrevisions", []string{"web-1", "web-2"}, []string{
		`{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"NAME"},"revision":N}`,
	}, []string{`{"metadata":{"labels":{"x":"vN"}}}`, `{"revision":N}`}, []string{""}},
	{1, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", []string{"things.x.io"}, []string{
		`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.x.io"},"spec":{"group":"x.io","scope":"Namespaced","names":{"plural":"things","kind":"Thing"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}`,
	}, []string{`{"metadata":{"labels":{"x":"vN"}}}`}, []string{""}},
	{1, "/apis/x.io/v1/namespaces/SPACE/things", []string{"t"}, []string{
		`{"apiVersion":"x.io/v1","kind":"Thing","metadata":{"name":"NAME"},"spec":{"n":N}}`,
	}, []string{`{"spec":{"n":N}}`, `{"metadata":{"finalizers":["x.io/hold"]}}`}, []string{"", "/status"}},
}

// filled replaces the words in capitals.
func (a *attacker) filled(text, name string) string {
	return strings.NewReplacer("SPACE", a.one("default", "default", "default", "shop"), "NAME", name, "N", fmt.Sprint(a.IntN(4))).Replace(text)
}

// attack sends one request, or lets time pass.
func (a *attacker) attack() {
	switch a.IntN(10) {
	case 0:
		a.passTime()
		return
	case 1:
		if a.IntN(8) == 0 {
			a.goBack()
			return
		}
		if !a.alone {
			return
		}
		a.s.now = a.s.now.Add(time.Duration(a.IntN(3_000_000_000)))
		for range a.IntN(6) {
			a.s.Turn()
		}
	}
	n := a.IntN(27)
	i := 0
	for ; n >= attacked[i].often; i++ {
		n -= attacked[i].often
	}
	of := &attacked[i]
	name := a.one(of.names...)
	path := a.filled(of.path, name)
	switch verb := a.IntN(12); {
	case verb < 4 && of.objects != nil:
		object := a.filled(a.one(of.objects...), name)
		form, body := a.wired(object)
		a.send(http.MethodPost, path+a.options("dryRun=All", "fieldManager=me", "fieldValidation=Strict"), form, body)
	case verb < 5 && of.objects != nil:
		form, body := a.wired(a.filled(a.one(of.objects...), name))
		a.send(http.MethodPut, path+"/"+name+a.one(of.sub...)+a.options("dryRun=All"), form, body)
	case verb < 9:
		a.patch(path+"/"+name, a.filled(a.one(of.patches...), name), a.one(of.sub...), of.objects)
	case verb < 11:
		a.delete(path, name)
	default:
		a.read(path, name)
	}
}

// options returns a query that has now and then one of some options.
func (a *attacker) options(of ...string) string {
	if a.IntN(6) != 0 {
		return ""
	}
	return "?" + a.one(of...)
}

// wired returns an object in one of the forms on the wire.
func (a *attacker) wired(object string) (form, body string) {
	switch a.IntN(8) {
	case 0:
		text, err := yaml.JSONToYAML([]byte(object))
		if err == nil {
			return formYAML, string(text)
		}
	case 1:
		var set appsv1.StatefulSet
		if strings.Contains(object, `"StatefulSet"`) && json.Unmarshal([]byte(object), &set) == nil {
			raw, _ := set.Marshal()
			envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"}, Raw: raw}
			data, _ := envelope.Marshal()
			return formProtobuf, "k8s\x00" + string(data)
		}
	case 2:
		return formJSON, a.broken(object)
	}
	return formJSON, object
}

// broken is a text with something changed now and then.
func (a *attacker) broken(text string) string {
	switch at := a.IntN(len(text) + 1); a.IntN(8) {
	case 0:
		return text[:at]
	case 1:
		return text[:at] + a.one("null", "[]", "{}", `"`, "1e999", ",", "\x00", "-1", "é") + text[at:]
	case 2:
		return strings.Replace(text, `"spec"`, a.one(`"spec":null,"spec"`, `"status"`, `"x"`), 1)
	}
	return text
}

// patch sends a patch in one of the forms.
func (a *attacker) patch(path, patch, sub string, objects []string) {
	form := a.one(formMerge, formMerge, formStrategic, formPatch, formApply)
	switch {
	case sub == "/scale":
		patch, form = fmt.Sprintf(`{"spec":{"replicas":%d}}`, a.IntN(5)-1), formMerge
	case sub == "/eviction":
		a.send(http.MethodPost, path+sub, formJSON, `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"`+path[strings.LastIndexByte(path, '/')+1:]+`"}`+
			a.one("", "", `,"deleteOptions":{"gracePeriodSeconds":7}`)+"}")
		return
	case form == formPatch:
		patch = a.one(`[{"op":"replace","path":"/spec/replicas","value":2}]`, `[{"op":"remove","path":"/metadata/labels"}]`,
			`[{"op":"add","path":"/metadata/annotations","value":{"a":"b"}},{"op":"copy","from":"/metadata","path":"/spec/x"}]`,
			`[{"op":"test","path":"/metadata/name","value":"x"}]`, `[{"op":"remove","path":"/spec"}]`)
	case form == formApply && objects != nil:
		patch = a.filled(a.one(objects...), path[strings.LastIndexByte(path, '/')+1:])
		sub += "?fieldManager=" + a.one("me", "you", "kubectl") + a.one("", "", "&force=true", "&dryRun=All")
	case form == formApply:
		form = formMerge
	}
	if !strings.Contains(sub, "?") {
		sub += a.options("dryRun=All", "fieldManager=me", "fieldValidation=Strict")
	}
	if a.IntN(10) == 0 {
		patch = a.broken(patch)
	}
	a.send(http.MethodPatch, path+sub, form, patch)
}

// delete deletes an object, or all of a kind.
func (a *attacker) delete(path, name string) {
	body := a.one("", "", `{"propagationPolicy":"Foreground"}`, `{"propagationPolicy":"Orphan"}`, `{"propagationPolicy":"Background"}`,
		`{"gracePeriodSeconds":0}`, `{"gracePeriodSeconds":7}`, `{"gracePeriodSeconds":10000000000}`, `{"gracePeriodSeconds":-1}`,
		`{"preconditions":{"uid":"x"}}`, `{"orphanDependents":true}`, `{"dryRun":["All"]}`)
	if a.IntN(15) != 0 {
		path += "/" + name
	}
	a.send(http.MethodDelete, path+a.options("gracePeriodSeconds=3", "propagationPolicy=Foreground", "labelSelector=app%3Dweb"), formJSON, body)
}

// read reads, or watches for a moment.
func (a *attacker) read(path, name string) {
	query := a.one("", "?limit=1", "?labelSelector=app%3Dweb", "?fieldSelector=metadata.name%3Dweb-0", "?labelSelector=!!", "?continue=x", "?watch=1")
	header := []string{"Accept", a.one("application/json", "application/json;as=Table;v=v1;g=meta.k8s.io", "application/yaml")}
	switch a.IntN(4) {
	case 0:
		a.send(http.MethodGet, path+query, "", "", header...)
	case 1:
		a.send(http.MethodGet, path+"/"+name+a.one("", "/scale", "/log", "/status"), "", "", header...)
	case 2:
		a.send(http.MethodGet, a.one("/api", "/apis", "/openapi/v2", "/version", "/sim/clock", "/sim/why/pod/web-0", "/apis/apps/v1"), "", "", header...)
	case 3:
		a.send(a.one("HEAD", "OPTIONS", "POST", "CONNECT"), path+"/"+name, "", "", header...)
	}
}

// passTime moves the clock.
func (a *attacker) passTime() {
	a.send(http.MethodPost, "/sim/clock/"+a.one("advance?by=1500ms", "advance?by=10s", "advance?by=1m", "advance?by=0s", "step", "step",
		"advance?by=-1s", "speed?to=paused", "advance?by=3s", "advance?by=7s", "advance?by=20s", "settle"), "", "")
}

// goBack keeps a checkpoint, or restores one.
func (a *attacker) goBack() {
	if a.kept == 0 || a.IntN(2) == 0 {
		a.send(http.MethodPost, fmt.Sprintf("/sim/checkpoint/c%d", a.kept), "", "")
		a.kept++
		return
	}
	a.send(http.MethodPost, fmt.Sprintf("/sim/restore/c%d", a.IntN(a.kept+1)), "", "")
}

// errCut is the error of a connection that was cut.
var errCut = errors.New("the connection was cut")

// send sends a request. Now and then its connection is cut: in the middle of the body, or before the answer.
func (a *attacker) send(method, path, form, body string, header ...string) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var from io.Reader = strings.NewReader(body)
	switch a.IntN(40) {
	case 0:
		from = io.MultiReader(strings.NewReader(body[:a.IntN(len(body)+1)]), iotest.ErrReader(errCut))
	case 1:
		stop()
	}
	if strings.Contains(path, "watch=1") {
		time.AfterFunc(time.Duration(a.IntN(3))*time.Millisecond, stop)
	}
	r := httptest.NewRequestWithContext(ctx, method, path, from)
	if form != "" {
		r.Header.Set("Content-Type", form)
	}
	r.Header.Set("User-Agent", a.one("kubectl/v1.37.2", "operator/v0", ""))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	before, began := allocated(), time.Now()
	a.s.ServeHTTP(w, r)
	if ctx.Err() != nil {
		w.Code = 0 // It hears no answer.
	}
	if a.answered != nil {
		a.answered(method+" "+path+" "+form+" "+body, w.Code, time.Since(began), allocated()-before)
	}
}
