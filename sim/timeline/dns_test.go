package timeline_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// service is an event about a Service itself; endpoint one about a pod that it publishes.
func service(namespace, name, ip string, change model.ChangeType, ports ...string) timeline.Event {
	return timeline.Entry{Kind: timeline.KindDNS, Set: model.Key{Namespace: namespace},
		DNS: &timeline.DNS{Type: change, Service: name, IP: ip, Ports: ports}}.Event()
}

func endpoint(namespace, name, pod, hostname string, change model.ChangeType) timeline.Event {
	return timeline.Entry{Kind: timeline.KindDNS, Set: model.Key{Namespace: namespace, Name: "web"}, Pod: pod, UID: 1, Template: 1,
		DNS: &timeline.DNS{Type: change, Service: name, IP: "10.244.1.2", Hostname: hostname}}.Event()
}

// TestResolve: names are looked up as a pod's resolver does, and lead to what the Services publish.
func TestResolve(t *testing.T) {
	var f timeline.Fold
	for _, e := range []timeline.Event{
		service("default", "web", "", model.Added, "_http._tcp"),
		endpoint("default", "web", "web-10", "web-10", model.Added),
		endpoint("default", "web", "web-2", "web-2", model.Added),
		endpoint("default", "web", "web-3", "web-3", model.Added),
		endpoint("default", "web", "web-3", "web-3", model.Deleted),
		endpoint("default", "web", "web-4", "web-4", model.Deleted),
		service("default", "front", "10.96.0.10", model.Added),
		endpoint("default", "front", "web-2", "", model.Added),
		service("default", "none", "", model.Added),
		service("default", "old", "", model.Added),
		endpoint("default", "old", "web-2", "web-2", model.Added),
		service("default", "old", "", model.Deleted),
		service("shop", "web", "", model.Added),
		endpoint("shop", "web", "web-0", "web-0", model.Added),
	} {
		f.Apply(&e)
	}
	const nothing = "NXDOMAIN"
	for name, want := range map[string]string{
		"web":                               "web-2 web-10",
		"web.default":                       "web-2 web-10",
		"WEB.default.svc":                   "web-2 web-10",
		"web.default.svc.cluster.local":     "web-2 web-10",
		"web.default.svc.cluster.local.":    "web-2 web-10",
		"web.default.svc.":                  nothing,
		"web-2.web":                         "web-2",
		"web-2.web.default.svc":             "web-2",
		"web-3.web":                         nothing,
		"web-2":                             nothing,
		"_http._tcp.web":                    "web-2 web-10",
		"_grpc._tcp.web":                    nothing,
		"front":                             "web-2",
		"web-2.front":                       nothing,
		"none":                              "",
		"old":                               nothing,
		"web.shop":                          "web-0",
		"web-0.web.shop":                    "web-0",
		"a.b.c.d.e.default.svc":             nothing,
		"svc.cluster.local":                 nothing,
		"example.com":                       nothing,
		"web-2.web.default.svc.cluster.org": nothing,
	} {
		to, exists := f.Resolve(name, "default")
		var pods []string
		for _, p := range to {
			pods = append(pods, p.Pod)
		}
		got := strings.Join(pods, " ")
		if !exists {
			got = nothing
		}
		assert.Equal(t, want, got, name)
	}
	to, _ := f.Resolve("web", "shop")
	assert.Len(t, to, 1, "a name is looked up in the namespace of who asks first")
}

// TestLabels: a pod's labels are those of its template and its identity, which depends on the version.
func TestLabels(t *testing.T) {
	for _, test := range []struct {
		kubernetes string
		gates      []timeline.Gate
		index      bool
	}{{"1.27.16", nil, false}, {"1.28.0", nil, true}, {"1.37.1", nil, true}, {"1.28.0", []timeline.Gate{{Name: "PodIndexLabel"}}, false}} {
		var f timeline.Fold
		set := newSet(1)
		set.Spec.Template.Labels = map[string]string{"app": "web"}
		created := step(0, set)
		born := pod(0, "web-3", 1, timeline.Pending)
		for _, e := range []*timeline.Event{
			timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{Kubernetes: test.kubernetes, Gates: test.gates}}.New(), &created,
			timeline.Entry{Kind: timeline.KindRevision, Set: web, Rev: &timeline.Rev{Type: model.Added, Name: "web-abc", Number: 1, Template: 1}}.New(), &born,
		} {
			f.Apply(e)
		}
		want := map[string]string{"app": "web", model.LabelPodName: "web-3", model.LabelRevision: "web-abc"}
		if test.index {
			want[model.LabelPodIndex] = "3"
		}
		got := f.Set(web)
		assert.Equal(t, want, got.Labels(got.Pods.First()), test.kubernetes)
	}
}

// TestHistory: a revision keeps its name and its age when it gets another number, and goes when it is deleted.
func TestHistory(t *testing.T) {
	var f timeline.Fold
	created := step(0, newSet(1))
	f.Apply(&created)
	for i, rev := range []timeline.Rev{
		{Type: model.Added, Name: "a", Number: 1, Template: 1, Cause: "first"}, {Type: model.Added, Name: "b", Number: 2, Template: 2},
		{Type: model.Added, Name: "c", Number: 3, Template: 3}, {Type: model.Modified, Name: "a", Number: 4, Template: 1, Cause: "first"},
		{Type: model.Deleted, Name: "b", Number: 2, Template: 2},
	} {
		f.Apply(timeline.Entry{T: model.Time(i), Kind: timeline.KindRevision, Set: web, Rev: &rev}.New())
	}
	assert.Equal(t, []timeline.Revision{
		{Name: "c", Number: 3, Template: 3, Made: 2}, {Name: "a", Number: 4, Template: 1, Cause: "first"},
	}, f.Set(web).History())
}
